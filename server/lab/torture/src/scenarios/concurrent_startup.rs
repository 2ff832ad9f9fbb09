//! Five processes start at the same moment on an empty store.

use std::time::{Duration, Instant};

use super::{
    scenario_hotel::ScenarioHotel, scenario_report::ScenarioReport, store_checks::check_store,
};

const PROCESSES: usize = 5;

/// Time within which each of them serves or has given up.
const LIMIT: Duration = Duration::from_secs(60);

/// Plays the scene on a hotel without processes. With a file only one may serve; with a server all
/// do.
pub async fn play(hotel: &mut ScenarioHotel, report: &mut ScenarioReport) -> anyhow::Result<()> {
    let one_serves = hotel.database.starts_with("sqlite");
    for _ in 0..PROCESSES {
        hotel.add_own()?;
    }
    let started = Instant::now();
    for instance in &mut hotel.instances {
        instance.start()?;
    }
    let mut serving = Vec::new();
    for n in 0..PROCESSES {
        while started.elapsed() < LIMIT {
            if hotel.ready(n).await == 200 {
                serving.push(n);
                break;
            }
            if hotel.instances[n].at_rest()? {
                break;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    report.recovered_in(started.elapsed());
    let wanted = if one_serves { 1 } else { PROCESSES };
    report.must(serving.len() == wanted, || {
        format!("{} of {PROCESSES} serve", serving.len())
    });
    for (n, instance) in hotel.instances.iter().enumerate() {
        let already_served = instance.log_occurrences("is being served by another process") > 0;
        report.must(serving.contains(&n) || already_served, || {
            format!(
                "process {n} does not say why it ended: {}",
                instance.last_log_lines()
            )
        });
    }
    report.hurt = if one_serves {
        "four of the five: each ends with one line that says who serves".to_owned()
    } else {
        "nothing: all five serve".to_owned()
    };
    let Some(first) = serving.first().copied() else {
        return Ok(());
    };
    hotel.sign_in().await?;
    hotel.works_again(first, report).await;
    check_store(hotel, report, None).await
}
