//! Schedule of faults.

use std::{sync::Arc, time::Duration};

use fastrand::Rng;
use serde_json::{Value, json};

use crate::{
    installation::Installation,
    orphan_payments::{self, Seed},
    outside_systems::OutsideSystems,
    test_server::TestServer,
};

/// Longer than a lease plus the following poll for due work.
const LONGER_THAN_LEASE: Duration = Duration::from_secs(6);

/// Clock offset in seconds after each jump, repeated.
const CLOCKS: [i64; 4] = [30, 0, -300, 0];

/// System and operation, and their faults: kind, status, and maximum duration in ms.
///
/// No 500 for a refund: Stripe would return it for that key forever, a refund's key changes only
/// after Stripe itself reported a failure, and so such an execution comes to rest only when its
/// compensation window is over, a day later.
const FAULTS: &str = "
    salesforce query: timeout_before_effect/1500 reset_before_effect garbage_body slow/900 status=503
    salesforce composite: timeout_before_effect/1500 timeout_after_effect/1500 late_effect/4000 reset_before_effect reset_after_effect garbage_body unable_to_lock_row status=500 expired_session
    stripe customers: status=500 timeout_after_effect/2500
    stripe payment_intent_create: timeout_before_effect/2500 timeout_after_effect/2500 late_effect/5000 reset_after_effect garbage_body lock_timeout status=500
    stripe refund_create: timeout_after_effect/2500 reset_after_effect timeout_before_effect/2500
    stripe payment_intent_retrieve: status=500 timeout_after_effect/2500
    stripe payment_intent_list: status=500 garbage_body reset_before_effect
    salesforce create: timeout_after_effect/1500 unable_to_lock_row
    twilio message_create: timeout_after_effect/2500 reset_after_effect garbage_body late_effect/5000 timeout_before_effect/2500 status=500 status=429
    twilio message_list: status=500
";

/// All faults, as the sandbox takes them.
fn all_faults() -> Vec<Value> {
    let lines = FAULTS
        .lines()
        .filter_map(|line| line.trim().split_once(": "));
    let faults = lines.flat_map(|(of, kinds)| {
        let (system, operation) = of.split_once(' ').unwrap_or_default();
        kinds.split(' ').map(move |kind| {
            let (kind, ms) = kind.split_once('/').unwrap_or((kind, ""));
            let (kind, status) = kind.split_once('=').unwrap_or((kind, ""));
            let [ms, status] = [ms, status].map(|number| number.parse::<u64>().ok());
            let mut fault = json!({ "system": system, "operation": operation, "kind": kind });
            if let Some(status) = status {
                fault["status"] = json!(status);
            }
            if let Some(ms) = ms {
                fault["ms"] = json!(ms);
            }
            fault
        })
    });
    faults.collect()
}

#[derive(Clone, Copy, Debug, Default)]
pub struct FaultCounts {
    /// kill -9.
    pub kills: u32,
    /// SIGSTOP beyond the lease.
    pub stops: u32,
    /// Immediate stops of the database server.
    pub crashes: u32,
    pub faults: u32,
    /// Of those, outages of Salesforce for seconds.
    pub outages: u32,
    /// kill -9 of the sandbox.
    pub sandbox_kills: u32,
    /// Clock jumps of one process forward, by half a minute or five.
    pub clocks_forward: u32,
    /// Clock jumps back.
    pub clocks_back: u32,
}

/// Injects a few faults; occasionally Salesforce is down for a while, so that check-outs have to be
/// compensated.
async fn faults(
    upstream: &OutsideSystems,
    rng: &mut Rng,
    round: u32,
    deeds: &mut FaultCounts,
) -> anyhow::Result<()> {
    if round % 6 == 3 {
        // Enough for every attempt of a few check-outs, reverts included, although other callers'
        // attempts count too.
        let count = rng.u64(15..=45);
        for (operation, kind) in [("composite", "timeout_before_effect"), ("query", "status")] {
            let order = json!({ "system": "salesforce", "operation": operation, "kind": kind, "status": 503, "count": count, "ms": 1200 });
            upstream.admin("POST", "faults", Some(&order)).await?;
            deeds.faults += 1;
        }
        deeds.outages += 1;
    }
    for _ in 0..rng.u64(0..=2) {
        let Some(mut order) = rng.choice(all_faults()) else {
            continue;
        };
        order["count"] = json!(rng.u64(1..=3));
        order["skip"] = json!(rng.u64(0..=2));
        if let Some(ms) = order["ms"].as_u64() {
            order["ms"] = json!(rng.u64(ms / 4..=ms));
        }
        upstream.admin("POST", "faults", Some(&order)).await?;
        deeds.faults += 1;
    }
    Ok(())
}

/// Kills at random moments. Most of them hit the first installation.
pub async fn kills(
    installations: &[Installation],
    rng: &mut Rng,
    rounds: u32,
    mut seeds: Vec<Seed>,
) -> anyhow::Result<FaultCounts> {
    let mut deeds = FaultCounts::default();
    let Some(first) = installations.first() else {
        return Ok(deeds);
    };
    let server = &first.server;
    let mut clocks = Clocks::new(server);
    let mut sleepers = tokio::task::JoinSet::new();
    let share = seeds.len().div_ceil(usize::try_from(rounds)?.max(1));
    for round in 1..=rounds {
        faults(&server.upstream, rng, round, &mut deeds).await?;
        for seed in seeds.drain(..share.min(seeds.len())) {
            let first = first.clone();
            sleepers.spawn(async move {
                orphan_payments::plant(&first.server, &first.desk, seed).await
            });
        }
        // On Postgres other workers must wait for the lease of a dead process, so there is more
        // time between two kills.
        let longest = if server.has_server() { 3000 } else { 1500 };
        tokio::time::sleep(Duration::from_millis(rng.u64(50..=longest))).await;
        if round % 5 == 2 {
            clocks.jump(server, rng, &mut deeds)?;
        }
        if round % 6 == 5 {
            let (upstream, down) = (
                Arc::clone(&server.upstream),
                Duration::from_millis(rng.u64(0..=600)),
            );
            sleepers.spawn(async move { upstream.kill(down).await });
            deeds.sandbox_kills += 1;
        }
        let many = server.hotels.len() > 1;
        if many && round % 8 == 4 {
            let which = usize::try_from(rng.u64(0..=2)).unwrap_or(0);
            sleepers.spawn(stop_past_lease(Arc::clone(server), which));
            deeds.stops += 1;
        }
        if server.has_server() && round % 25 == 12 {
            server.crash_and_restart_database().await?;
            deeds.crashes += 1;
        }
        let struck = installations
            .get(1)
            .filter(|_| round % 6 == 0)
            .unwrap_or(first);
        kill(struck, rng, &mut deeds).await?;
        if round % 20 == 0 {
            eprintln!(
                "  {round} of {rounds} kills, {} answers",
                first.desk.answers().len()
            );
        }
    }
    while let Some(done) = sleepers.join_next().await {
        done??;
    }
    clocks.correct_clocks(server)?;
    Ok(deeds)
}

/// Kills a process of this installation, and restarts it.
async fn kill(
    installation: &Installation,
    rng: &mut Rng,
    deeds: &mut FaultCounts,
) -> anyhow::Result<()> {
    let Installation {
        server: house,
        desk,
        ..
    } = installation;
    let which = usize::try_from(rng.u64(0..=99)).unwrap_or(0) % house.hotels.len().max(1);
    let Some(hotel) = house.hotels.get(which) else {
        return Ok(());
    };
    // A stopped process holds its own lock: then another one is killed.
    let mut hotel = match hotel.try_lock() {
        Ok(hotel) => hotel,
        Err(_) => match house.hotels.iter().find_map(|h| h.try_lock().ok()) {
            Some(hotel) => hotel,
            None => return Ok(()),
        },
    };
    desk.record_interrupted(desk.waiting());
    hotel.kill().await?;
    deeds.kills += 1;
    tokio::time::sleep(Duration::from_millis(rng.u64(0..=200))).await;
    hotel.start()?;
    // Half of the time it is killed again during its recovery.
    if rng.u64(..100) < 50 {
        house.ready(&mut hotel).await?;
    }
    Ok(())
}

/// Clocks of one installation's processes.
#[derive(Debug)]
struct Clocks {
    /// Next index in [`CLOCKS`] for each process.
    places: Vec<usize>,
}

impl Clocks {
    fn new(server: &TestServer) -> Self {
        Self {
            places: vec![0; server.hotels.len()],
        }
    }

    /// Makes the clock of one process jump.
    fn jump(
        &mut self,
        server: &TestServer,
        rng: &mut Rng,
        deeds: &mut FaultCounts,
    ) -> anyhow::Result<()> {
        let which = usize::try_from(rng.u64(0..=99))? % self.places.len().max(1);
        let Some(place) = self.places.get_mut(which) else {
            return Ok(());
        };
        let before = CLOCKS[(*place + CLOCKS.len() - 1) % CLOCKS.len()];
        let now = CLOCKS[*place % CLOCKS.len()];
        *place += 1;
        server.set_clock(which, now)?;
        if now > before {
            deeds.clocks_forward += 1
        } else {
            deeds.clocks_back += 1
        }
        Ok(())
    }

    /// Sets all clocks right: one more jump, forward or back.
    fn correct_clocks(&self, server: &TestServer) -> anyhow::Result<()> {
        (0..self.places.len()).try_for_each(|which| server.set_clock(which, 0))
    }
}

/// Stops a process until all its leases have expired, then continues it.
async fn stop_past_lease(server: Arc<TestServer>, which: usize) -> anyhow::Result<()> {
    let Some(hotel) = server.hotels.get(which) else {
        return Ok(());
    };
    let hotel = hotel.lock().await;
    hotel.signal("-STOP").await?;
    tokio::time::sleep(LONGER_THAN_LEASE).await;
    hotel.signal("-CONT").await
}
