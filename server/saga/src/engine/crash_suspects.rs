//! Finds the execution that makes its process crash. A crash ends everything running in the
//! process, so each of those executions counts one loss. After two losses without a new row an
//! execution is a suspect: it runs only while no other execution with a loss runs, so a third loss
//! identifies the cause.
//!
//! ```text
//! lost | runs
//! -----+------------------------------------------------------------------
//! 0    | at any time
//! 1    | at any time, but not beside a suspect
//! 2    | one at a time, when nothing that was lost runs here without a new row
//! 3    | no more: STUCK
//! ```
//! The first new row clears an execution: it did not cause the crash. A suspect therefore blocks
//! others for one call at most.
//!
//! A process that is killed from outside leaves the same traces, so **a third kill may be blamed on an
//! execution that did nothing wrong**, and no rule tells the two apart. Three is the limit all the
//! same: each further loss would cost a hotel with a poisonous execution another crash of all its work,
//! while a wrong `STUCK` costs one person one click. The claims are kept, nothing is sent, and *Try again*
//! rechecks first. A planned stop (`SIGTERM`) suspends executions and counts no loss.

use tokio::sync::watch;

use super::{
    Engine,
    running_executions::{Running, RunningExecution},
};

/// Number of losses that make a suspect.
pub(super) const SUSPECT_LOSSES: u32 = 2;

impl Engine {
    /// Highest number of losses among executions that run here and have appended no row since.
    pub(super) fn max_unproven_losses(&self) -> u32 {
        let unproven = |run: &&RunningExecution| *run.rows.borrow() == run.began;
        let most = |running: &Running| {
            let lapses = running.values().filter(unproven).map(|live| live.lapses);
            lapses.max().unwrap_or(0)
        };
        self.0.live.lock().map_or(0, |running| most(&running))
    }

    /// Triggers a poll for due work as soon as this run appends a row or ends.
    pub(super) fn await_proof(&self, mut rows: watch::Receiver<i64>) {
        let engine = self.clone();
        tokio::spawn(async move {
            drop(rows.changed().await);
            engine.0.proven.notify_one();
        });
    }
}
