//! In-process notifications of due work.

use std::time::Duration;

use tokio::sync::Notify;

/// Notifies when work may have become due. Only a hint: waiting tasks also poll.
#[derive(Debug, Default)]
pub struct WorkSignal(Notify);

impl WorkSignal {
    /// Wakes all waiting tasks, or the next one if there is none.
    pub fn notify(&self) {
        self.0.notify_waiters();
        self.0.notify_one();
    }

    /// Returns on a notification, or after `at_most`.
    pub async fn wait(&self, at_most: Duration) {
        // Either way the caller checks for work now.
        drop(tokio::time::timeout(at_most, self.0.notified()).await);
    }
}
