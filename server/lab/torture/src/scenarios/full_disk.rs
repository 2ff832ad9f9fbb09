//! The disk fills up under a serving hotel, and space becomes available again.

use std::time::Duration;

use super::{
    scenario_hotel::ScenarioHotel, scenario_report::ScenarioReport, small_disk::SmallDisk,
    store_checks::check_store,
};

/// Time without free space.
const FULL_FOR: Duration = Duration::from_secs(12);

pub async fn play(
    hotel: &ScenarioHotel,
    disk: &SmallDisk,
    report: &mut ScenarioReport,
) -> anyhow::Result<()> {
    hotel.works_again(0, report).await;
    disk.fill()?;
    report.hurt = hotel.work_without_store(0, FULL_FOR, report).await;
    disk.free()?;
    let took = hotel.works_again(0, report).await;
    report.recovered_in(took);
    check_store(hotel, report, None).await
}
