//! The doorbell within this process.

use std::time::Duration;

use tokio::sync::Notify;

/// Rung when work may have become due. A hint: whoever waits also polls.
#[derive(Debug, Default)]
pub(crate) struct WorkSignal(Notify);

impl WorkSignal {
    /// Wakes everybody who waits, and the next to come if nobody does.
    pub(crate) fn ring(&self) {
        self.0.notify_waiters();
        self.0.notify_one();
    }

    /// Returns when it rings, or after `at_most`.
    pub(crate) async fn wait(&self, at_most: Duration) {
        // Both ends of the wait mean the same to the caller: look now.
        drop(tokio::time::timeout(at_most, self.0.notified()).await);
    }
}
