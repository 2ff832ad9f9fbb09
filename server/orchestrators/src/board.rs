//! The hotel at a glance, read once for everybody who looks.
//!
//! ```text
//! many pages ─► at most 5 s old (15 s for who waits)? ─► the same one for all
//!                  └─ older ─► one reader: change probe ─┬─ as before ─► the same one, as of now
//!                                                 └─ else ─► what changed: rooms ∥ bookings ∥ cases ∥ folios in the house
//! ```
//! What is read here is shown and never decided on.
//!
//! Salesforce counts calls by the day, so an open board has a budget that does not depend on how
//! many look at it: a change probe every sixteen seconds and everything anew every five minutes are
//! at most 300 calls an hour in a hotel where nothing happens, and each change that is noticed
//! costs one to three more. But for whoever has just acted on a board, the change probe is not
//! taken more often than every five seconds.

mod guest;
mod look;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Persona, Role},
    error_code::ErrorCode,
    ports::{Board, ExecutionFeed, HotelSnapshot, Latest},
};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;

use crate::hotel::Hotel;
use look::{Read, look};

/// What is newer than this is not read again.
const FRESH: SignedDuration = SignedDuration::from_secs(5);
/// How often the hotel is looked at while boards are open and nothing of ours has happened: others
/// change it too.
const LOOK: SignedDuration = SignedDuration::from_secs(15);
/// So old may be what is shown while the booking system does not answer; its age stands beside it.
const STALE: SignedDuration = SignedDuration::from_mins(10);
/// So long it is believed that the booking system still does not answer.
const KNOWN: SignedDuration = SignedDuration::from_secs(60);
/// How often somebody who waits looks whether another one has read, or something of ours has
/// happened.
const WAIT: Duration = Duration::from_secs(1);
/// So many of the latest things done for a guest are listened to.
const ERRANDS: usize = 20;

/// The board of one process.
#[derive(Debug)]
pub struct BoardOf {
    hotel: Arc<Hotel>,
    /// Held while reading, so that there is one reader.
    seen: Mutex<Seen>,
}

#[derive(Debug, Default)]
struct Seen {
    last: Option<Read>,
    /// When a reading last failed, unless one has gone well since.
    failed: Option<Timestamp>,
    /// Somebody has acted since.
    acted: bool,
}

impl BoardOf {
    /// Nothing is read before somebody looks.
    #[must_use]
    pub fn new(hotel: Arc<Hotel>) -> Self {
        Self {
            hotel,
            seen: Mutex::default(),
        }
    }

    /// The newest reading if `good`, else a new one; who comes while somebody reads waits for that
    /// reading. One that failed is not tried again for `pause`: a hundred viewers must not ask a
    /// silent system one after the other.
    async fn read(
        &self,
        good: impl Fn(&Read) -> bool,
        pause: SignedDuration,
    ) -> Result<Read, ErrorCode> {
        let mut seen = self.seen.lock().await;
        if let Some(read) = seen.last.as_ref().filter(|read| !seen.acted && good(read)) {
            return Ok(read.clone());
        }
        let now = self.hotel.clock.now();
        if seen
            .failed
            .is_some_and(|at| now.duration_since(at) <= pause)
        {
            return Err(ErrorCode::UpstreamUnavailable);
        }
        match look(&self.hotel, seen.last.as_ref()).await {
            Ok(read) => {
                *seen = Seen {
                    last: Some(read.clone()),
                    failed: None,
                    acted: false,
                };
                Ok(read)
            }
            Err(trouble) => {
                tracing::warn!(error = %trouble, "the hotel snapshot could not be read");
                seen.failed = Some(self.hotel.clock.now());
                Err(ErrorCode::UpstreamUnavailable)
            }
        }
    }

    /// What there is now for who waits, when this is what our own executions are.
    async fn awaited(&self, ours: Option<i64>) -> Result<Read, ErrorCode> {
        let now = self.hotel.clock.now();
        let good = |read: &Read| {
            let age = read.age(now);
            age <= FRESH || (age <= LOOK && read.ours == ours)
        };
        self.read(good, LOOK).await
    }

    /// The last reading, if it may still be shown.
    async fn last(&self) -> Option<Read> {
        let now = self.hotel.clock.now();
        self.seen
            .lock()
            .await
            .last
            .clone()
            .filter(|read| read.age(now) <= STALE)
    }
}

#[async_trait]
impl Board for BoardOf {
    async fn snapshot(&self, caller: &Caller) -> Result<Arc<HotelSnapshot>, ErrorCode> {
        let role = staff(caller).ok_or(ErrorCode::UnknownTool)?;
        let now = self.hotel.clock.now();
        match self.read(|read| read.age(now) <= FRESH, FRESH).await {
            Ok(read) => Ok(read.of(role)),
            Err(error) => self.last().await.map(|read| read.of(role)).ok_or(error),
        }
    }

    async fn glance_changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64 {
        let Some(role) = staff(caller) else {
            return after;
        };
        let until = self.hotel.clock.now() + at_most;
        loop {
            let ours = self.hotel.own_changes().await;
            // Nothing can be said while the booking system is silent: what is shown stays, and
            // grows old visibly
            let seq = self
                .awaited(ours)
                .await
                .map_or(after, |read| read.of(role).seq);
            if seq != after || self.hotel.clock.now() >= until {
                return seq;
            }
            self.hotel.clock.sleep(WAIT).await;
        }
    }

    async fn guest_changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64 {
        if caller.persona != Persona::Guest {
            return after;
        }
        let until = self.hotel.clock.now() + at_most;
        let mut own = None;
        loop {
            let ours = self.hotel.own_changes().await;
            // Where nothing was done for anybody, nothing was done for them
            let activities = match own.take() {
                Some((then, activities)) if then == ours => activities,
                _ => self.hotel.activities(caller, ERRANDS).await,
            };
            let read = self.awaited(ours).await;
            let seq = read.map_or(after, |read| {
                guest::number(&read.of(Role::Manager), &caller.email, &activities)
            });
            if seq != after || self.hotel.clock.now() >= until {
                return seq;
            }
            own = Some((ours, activities));
            self.hotel.clock.sleep(WAIT).await;
        }
    }

    async fn latest(&self, caller: &Caller) -> Latest {
        let Some(role) = staff(caller) else {
            return Latest::default();
        };
        if self.seen.lock().await.acted {
            drop(self.read(|_| true, FRESH).await);
        }
        let snapshot = self.last().await.map(|read| read.of(role));
        let now = self.hotel.clock.now();
        // Where nobody has looked for a while, nobody knows
        let failing = self
            .seen
            .lock()
            .await
            .failed
            .is_some_and(|at| now.duration_since(at) <= KNOWN);
        Latest { snapshot, failing }
    }

    async fn acted(&self) {
        self.seen.lock().await.acted = true;
    }
}

fn staff(caller: &Caller) -> Option<Role> {
    caller.role.filter(|_| caller.persona == Persona::Staff)
}
