//! Clocks set 30 seconds ahead and five minutes back, under load and before a start.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{
    scenario_hotel::ScenarioHotel,
    scenario_report::ScenarioReport,
    store_checks::{check_store, wait_for_completion},
};

/// Checked-in guests of the sandbox's seed.
const GUESTS: [&str; 4] = [
    "beth.gibbs@email.com",
    "priya.raman@example.com",
    "marcus.reed@example.com",
    "olivia.martin@example.com",
];

/// Clock offsets in seconds.
const CLOCK_OFFSETS: [i64; 2] = [30, -300];

pub async fn play(hotel: &mut ScenarioHotel, report: &mut ScenarioReport) -> anyhow::Result<()> {
    let last = hotel.instances.len() - 1;
    for (round, (n, seconds)) in [0, last].into_iter().zip(CLOCK_OFFSETS).enumerate() {
        // A check-out is being retried when the clock jumps.
        let busy = json!({ "system": "salesforce", "operation": "composite", "kind": "unable_to_lock_row", "count": 1 });
        hotel.fault(&busy).await?;
        let guest = GUESTS[round];
        hotel.check_out(n, guest).await?;
        tokio::time::sleep(Duration::from_millis(100)).await;
        hotel.set_clock(n, seconds)?;
        let jumped = Instant::now();
        wait_for_completion(hotel, guest, report).await?;
        report.recovered_in(jumped.elapsed());
        let took = hotel.works_again(n, report).await;
        report.recovered_in(took);
    }
    // The same after a start with a wrong clock.
    for (round, seconds) in [(2, -300), (3, 30)] {
        hotel.set_clock(last, 0)?;
        let slow = json!({ "system": "stripe", "operation": "payment_intent_create", "kind": "slow", "ms": 1500, "count": 1 });
        hotel.fault(&slow).await?;
        let guest = GUESTS[round];
        hotel.check_out(last, guest).await?;
        tokio::time::sleep(Duration::from_millis(500)).await;
        hotel.kill(last).await?;
        hotel.set_clock(last, seconds)?;
        let killed = Instant::now();
        hotel.start(last).await?;
        wait_for_completion(hotel, guest, report).await?;
        report.recovered_in(killed.elapsed());
    }
    report.hurt = "nothing: four check-outs completed, one charge each".to_owned();
    check_store(hotel, report, None).await
}
