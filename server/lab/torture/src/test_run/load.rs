//! Load on an installation: its callers, and the supply of stays they check out.

use std::{sync::Arc, time::Duration};

use fastrand::Rng;
use tokio::task::JoinSet;

use super::Plan;
use crate::{
    booking_callers, caller_state::CallerState, case_workers, guest_stay_callers,
    installation::Installation, seed_stays, staff_browsing, test_server::TestServer,
    tool_caller::ToolCaller,
};

/// Number of stays that are always waiting for check-out.
const STAYS_READY: usize = 60;

/// Runs the plan's callers divided by `share`, until the installation stops accepting work.
pub(super) async fn load(
    installation: &Installation,
    plan: Plan,
    salt: u64,
    share: u32,
    callers: &mut JoinSet<()>,
    suppliers: &mut JoinSet<anyhow::Result<()>>,
) -> anyhow::Result<()> {
    let Installation {
        server: house,
        desk,
        letter,
    } = installation.clone();
    let rng = |n: u32| crate::rng(plan.seed, salt + u64::from(n));
    desk.add(seed_stays::make(&house, &mut rng(998), letter, 0, STAYS_READY).await?);
    let count = plan.callers.div_ceil(share);
    let caller = |n: u32| ToolCaller {
        server: Arc::clone(&house),
        desk: Arc::clone(&desk),
        rng: rng(n),
    };
    for n in 0..count {
        callers.spawn(guest_stay_callers::work(caller(n)));
    }
    for n in 0..count.div_ceil(8) {
        callers.spawn(staff_browsing::work(caller(500 + n)));
    }
    for n in 0..count.div_ceil(4) {
        callers.spawn(booking_callers::work(caller(600 + n), letter));
    }
    let rooms = (0..count.div_ceil(4)).map(|n| format!("S{letter}{n}"));
    let rooms: Vec<_> = rooms.collect();
    seed_stays::empty_rooms(&house, &rooms).await?;
    for (n, room) in (700..).zip(rooms) {
        callers.spawn(case_workers::work(caller(n), room));
    }
    suppliers.spawn(supply(house, desk, rng(999), letter));
    Ok(())
}

/// Keeps a supply of stays to check out.
async fn supply(
    server: Arc<TestServer>,
    desk: Arc<CallerState>,
    mut rng: Rng,
    letter: char,
) -> anyhow::Result<()> {
    let mut made = STAYS_READY;
    while !desk.closing() {
        if desk.remaining_stays() < STAYS_READY / 2 {
            // A fault may have expired the session; it is renewed next time.
            if let Ok(more) =
                seed_stays::make(&server, &mut rng, letter, made, STAYS_READY / 2).await
            {
                desk.add(more);
            }
            made += STAYS_READY / 2;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Ok(())
}
