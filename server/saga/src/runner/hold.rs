//! Keeping the lease while something takes its time.
//!
//! ```text
//! lease:  |-------- 8 s --------|
//!             renewed half-way: |-------- 8 s --------|        … until the work is done
//! ```
//!
//! A lease says that its worker is alive, not how long its call may take: however long a payment's
//! deadline is, the work of a dead process goes on elsewhere within one lease. That a call may
//! still be under way then is no harm: whoever takes over looks first.

use super::*;

/// No activity takes this long: it is left where it is, and its lease lapses, so that somebody else
/// tries.
const LONGEST: Duration = Duration::from_secs(15 * 60);

impl Runner {
    /// Does `work` and renews the lease meanwhile, half-way through each time.
    ///
    /// # Errors
    /// `Fenced` as soon as somebody else has taken over; the work is dropped where it stands.
    pub(super) async fn holding<T>(&self, work: impl Future<Output = T>) -> Result<T, Stopped> {
        let beat = self.lease / 2;
        let heart = async {
            let mut held = Duration::ZERO;
            while held < LONGEST {
                self.world.sleep(beat).await;
                held += beat;
                match self
                    .journal
                    .renew(&self.hold, self.lease, self.world.now())
                    .await
                {
                    Ok(()) => {}
                    Err(StoreError::Fenced) => return Stopped::Fenced,
                    // The next beat tries again. If the lease lapses meanwhile and nobody takes it,
                    // nothing is lost.
                    Err(error) => {
                        tracing::warn!(execution = %self.hold.id, %error, "the lease was not renewed")
                    }
                }
            }
            Stopped::Broken(format!(
                "it did not come to an end within {} s",
                LONGEST.as_secs()
            ))
        };
        tokio::select! {
            biased;
            done = work => Ok(done),
            stopped = heart => Err(stopped),
        }
    }

    /// Waits, holding the lease.
    pub(super) async fn nap(&self, pause: Duration) -> Result<(), Stopped> {
        self.holding(self.world.sleep(pause)).await
    }
}
