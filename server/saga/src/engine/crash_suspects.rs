//! Which execution a crashing process is lost over. A crash takes down everything that runs in the
//! process, so all of it counts a loss. After two losses without a new row an execution is a
//! suspect: it runs alone among what was lost before, so that the third loss is the guilty one's.
//!
//! ```text
//! lost | runs
//! -----+------------------------------------------------------------------
//! 0    | at any time
//! 1    | at any time, but not beside a suspect
//! 2    | one at a time, when nothing that was lost runs here without a new row
//! 3    | no more: STUCK
//! ```
//! The first new row proves an execution: it is not what the process was lost over. So everybody's
//! turn comes soon; a suspect blocks others for one call at most.

use tokio::sync::watch;

use super::{
    Engine,
    running_executions::{Running, RunningExecution},
};

/// Number of losses that make a suspect.
pub(super) const SUSPECT_LOSSES: u32 = 2;

impl Engine {
    /// The most losses that an execution has which runs here and has appended no row since.
    pub(super) fn unproven(&self) -> u32 {
        let unproven = |run: &&RunningExecution| *run.rows.borrow() == run.began;
        let most = |running: &Running| {
            let lapses = running.values().filter(unproven).map(|live| live.lapses);
            lapses.max().unwrap_or(0)
        };
        self.0.live.lock().map_or(0, |running| most(&running))
    }

    /// Has due work looked for as soon as this run appends a row or ends.
    pub(super) fn await_proof(&self, mut rows: watch::Receiver<i64>) {
        let engine = self.clone();
        tokio::spawn(async move {
            drop(rows.changed().await);
            engine.0.proven.notify_one();
        });
    }
}
