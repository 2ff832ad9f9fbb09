//! Keeps the lease during long work.
//!
//! ```text
//! lease:  |-------- 8 s --------|
//!             renewed halfway:  |-------- 8 s --------|        … until the work is done
//! ```
//!
//! A lease says that its worker is alive, not how long its call may take: however long a payment's
//! deadline is, the work of a dead process continues elsewhere within one lease. A call that is
//! still in progress then does no harm, because a takeover checks first.

use super::*;

/// Longer than any activity takes. Beyond it the work is abandoned and its lease expires, so that
/// another worker tries.
const MAX_DURATION: Duration = Duration::from_secs(15 * 60);

impl Runner {
    /// Runs `work` and renews the lease meanwhile, halfway through each time.
    ///
    /// # Errors
    /// `Fenced` as soon as another worker has taken over; the work is dropped at that point.
    pub(super) async fn renewing<T>(&self, work: impl Future<Output = T>) -> Result<T, RunError> {
        let beat = self.lease_duration / 2;
        let heart = async {
            let mut held = Duration::ZERO;
            while held < MAX_DURATION {
                self.environment.sleep(beat).await;
                held += beat;
                match self
                    .journal
                    .renew(&self.lease, self.lease_duration, self.environment.now())
                    .await
                {
                    Ok(()) => {}
                    Err(StoreError::Fenced) => return RunError::Fenced,
                    // The next beat tries again. If the lease expires meanwhile and nobody takes
                    // it, nothing is lost.
                    Err(error) => {
                        tracing::warn!(execution = %self.lease.id, %error, "the lease could not be renewed")
                    }
                }
            }
            RunError::Broken(format!(
                "it did not finish within {} s",
                MAX_DURATION.as_secs()
            ))
        };
        tokio::select! {
            biased;
            done = work => Ok(done),
            stopped = heart => Err(stopped),
        }
    }

    pub(super) async fn sleep_renewing(&self, pause: Duration) -> Result<(), RunError> {
        self.renewing(self.environment.sleep(pause)).await
    }
}
