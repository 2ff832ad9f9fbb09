//! `kill -9` of the process that runs a check-out, with the default timeouts: the time until
//! another worker takes over.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{
    scenario_hotel::{RECOVERY, ScenarioHotel},
    scenario_report::ScenarioReport,
    store_checks::{check_out_of, check_store, poll_until, wait_for_completion},
};

/// Maximum time without a worker after a worker died.
const LIMIT: Duration = Duration::from_secs(12);

/// Guests of the sandbox's seed, and the call of their check-out that is in progress at the kill.
const KILLS: [(&str, &str, &str); 4] = [
    ("beth.gibbs@email.com", "stripe", "payment_intent_create"),
    ("priya.raman@example.com", "salesforce", "composite"),
    ("marcus.reed@example.com", "stripe", "payment_intent_create"),
    ("olivia.martin@example.com", "salesforce", "composite"),
];

/// Plays the scene. With a file the process is restarted, with a server another one takes over.
pub async fn play(hotel: &mut ScenarioHotel, report: &mut ScenarioReport) -> anyhow::Result<()> {
    let processes = hotel.instances.len();
    for (round, (guest, system, operation)) in KILLS.into_iter().enumerate() {
        let n = round % processes;
        let slow = json!({ "system": system, "operation": operation, "kind": "slow", "ms": 4000, "count": 1 });
        hotel.fault(&slow).await?;
        hotel.check_out(n, guest).await?;
        tokio::time::sleep(Duration::from_millis(1500)).await;
        hotel.kill(n).await?;
        let killed = Instant::now();
        if processes == 1 {
            hotel.start(n).await?;
        }
        let store = &hotel.store().await?;
        let before = check_out_of(store, guest).await?;
        let open = before.is_some_and(|record| !record.state.has_ended());
        report.must(open, || format!("{guest}: nothing was under way"));
        let goes_on = || async move {
            let record = check_out_of(store, guest).await?;
            let by_another = |record: &dewy_saga::journal::ExecutionRecord| {
                record.rows.last().is_some_and(|row| row.fence > 1)
            };
            Ok(record.as_ref().is_some_and(by_another))
        };
        let moved = poll_until(RECOVERY, goes_on).await?;
        let took = killed.elapsed();
        report.must(moved.is_some() && took <= LIMIT, || {
            format!(
                "{guest} at {operation}: nobody worked on it for {:.1} s",
                took.as_secs_f32()
            )
        });
        report.recovered_in(took);
        store.close().await;
        wait_for_completion(hotel, guest, report).await?;
        if processes > 1 {
            hotel.start(n).await?;
        }
    }
    report.hurt = "nothing: four check-outs completed, one charge each".to_owned();
    check_store(hotel, report, None).await
}
