//! The hotel in memory on virtual time: the real orchestrators and connectors, the sandbox as their transport, a journal in
//! memory. Whole crashes, hours of outage and their repair take milliseconds, and a seed replays them.

mod bugs;
pub mod cases;
pub mod desk;
mod exhaustive;
pub mod invariants;
mod looks;
mod named;
mod rooms;
mod sagas;
mod seeds;
mod watched;
pub mod world;

/// Runs one simulated world on its own single-threaded runtime with paused time.
pub fn on_virtual_time<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a current-thread runtime starts");
    runtime.block_on(work)
}
