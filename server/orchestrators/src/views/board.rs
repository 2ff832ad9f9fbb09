//! The hotel snapshot, read once for all viewers.
//!
//! ```text
//! many pages ─► snapshot at most 5 s old (15 s for waiting callers)? ─► share it
//!                  └─ older ─► one reader: change probe ─┬─ unchanged ─► share it, dated now
//!                                                        └─ changed ─► read what changed: rooms ∥ bookings ∥ cases ∥ in-house folios
//! ```
//! What is read here is only displayed; no decision depends on it.
//!
//! Salesforce limits calls per day, so an open board has a budget that does not depend on the
//! number of viewers: a change probe every 16 seconds and a full read every five minutes are at
//! most 300 calls an hour in a hotel without changes. Each detected change costs one to three more
//! calls, and the same again on the next read: record timestamps are whole seconds, so lists that
//! were just written are read a second time. Except after an action from a board, the change probe
//! runs at most every five seconds.

mod guest_change_number;
mod read_snapshot;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Persona, Role},
    error_code::ErrorCode,
    execution_view::GuestActivity,
    ports::{Board, ExecutionFeed, GUEST_ACTIVITIES, HotelSnapshot, Latest},
    tool_answer::ToolError,
};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;

use crate::{hotel::hotel_service::Hotel, saga_parts::tool_answer};
use read_snapshot::{Read, read_snapshot};

/// Snapshots newer than this are not read again.
const MAX_AGE: SignedDuration = SignedDuration::from_secs(5);
/// Probe interval while boards are open and none of our executions changed anything: others change
/// the hotel too.
const POLL_INTERVAL: SignedDuration = SignedDuration::from_secs(15);
/// Maximum age of a displayed snapshot while the booking system does not answer; its age is
/// displayed.
const MAX_SNAPSHOT_AGE: SignedDuration = SignedDuration::from_mins(10);
/// How long a failed read counts as an outage.
const OUTAGE_MEMORY: SignedDuration = SignedDuration::from_secs(60);
/// How often a waiting caller checks for a newer snapshot or a change by our executions.
const WAIT: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub struct BoardService {
    hotel: Arc<Hotel>,
    /// Locked while reading, so that there is one reader.
    cached: Mutex<CachedSnapshot>,
}

#[derive(Debug, Default)]
struct CachedSnapshot {
    last: Option<Arc<Read>>,
    /// Time and error of the last failed read, unless one has succeeded since.
    failed: Option<(Timestamp, ToolError)>,
    /// Whether someone has acted from a board since the last read.
    acted: bool,
}

impl BoardService {
    /// Nothing is read before the first viewer.
    #[must_use]
    pub fn new(hotel: Arc<Hotel>) -> Self {
        Self {
            hotel,
            cached: Mutex::default(),
        }
    }

    /// The newest snapshot if `good`, otherwise a new one; concurrent callers wait for the read in
    /// progress. A failed read is not retried for `pause`, so that a hundred viewers don't query an
    /// unavailable system one after another.
    async fn read(
        &self,
        good: impl Fn(&Read) -> bool,
        pause: SignedDuration,
    ) -> Result<Arc<Read>, ToolError> {
        let mut seen = self.cached.lock().await;
        if let Some(read) = seen.last.as_ref().filter(|read| !seen.acted && good(read)) {
            return Ok(Arc::clone(read));
        }
        let now = self.hotel.clock.now();
        if let Some((at, error)) = &seen.failed
            && now.duration_since(*at) <= pause
        {
            return Err(error.clone());
        }
        match read_snapshot(&self.hotel, seen.last.as_deref()).await {
            Ok(read) => {
                let read = Arc::new(read);
                *seen = CachedSnapshot {
                    last: Some(Arc::clone(&read)),
                    failed: None,
                    acted: false,
                };
                Ok(read)
            }
            Err(error) => {
                tracing::warn!(error = %error, "the hotel snapshot could not be read");
                let told = tool_answer::upstream_failure(&error);
                seen.failed = Some((self.hotel.clock.now(), told.clone()));
                Err(told)
            }
        }
    }

    /// The snapshot for a waiting caller, given the current change number of our own executions.
    async fn for_waiting_caller(&self, ours: Option<i64>) -> Result<Arc<Read>, ToolError> {
        let now = self.hotel.clock.now();
        let good = |read: &Read| {
            let age = read.age(now);
            age <= MAX_AGE || (age <= POLL_INTERVAL && read.ours == ours)
        };
        self.read(good, POLL_INTERVAL).await
    }

    /// A fresh snapshot that includes the effects of our own executions, so that finished work is
    /// never shown as open, whichever interface it was done through.
    async fn current(&self) -> Result<Arc<Read>, ToolError> {
        let ours = self.hotel.list_version().await;
        let now = self.hotel.clock.now();
        self.read(|read| read.age(now) <= MAX_AGE && read.knows(ours), MAX_AGE)
            .await
    }

    /// The last snapshot, if it may still be shown.
    async fn last(&self) -> Option<Arc<Read>> {
        let now = self.hotel.clock.now();
        self.cached
            .lock()
            .await
            .last
            .clone()
            .filter(|read| read.age(now) <= MAX_SNAPSHOT_AGE)
    }
}

#[async_trait]
impl Board for BoardService {
    async fn snapshot(&self, caller: &Caller) -> Result<Arc<HotelSnapshot>, ToolError> {
        let role = staff(caller).ok_or(ToolError::new(ErrorCode::UnknownTool))?;
        match self.current().await {
            Ok(read) => Ok(read.of(role)),
            Err(error) => self.last().await.map(|read| read.of(role)).ok_or(error),
        }
    }

    async fn snapshot_changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64 {
        let Some(role) = staff(caller) else {
            return after;
        };
        let until = self.hotel.clock.now() + at_most;
        loop {
            let ours = self.hotel.list_version().await;
            // Nothing is known while the booking system does not answer: the displayed data stays,
            // and its age grows visibly
            let seq = self
                .for_waiting_caller(ours)
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
            let ours = self.hotel.list_version().await;
            // Where nobody had any activity, this guest had none
            let activities = match own.take() {
                Some((then, activities)) if then == ours => activities,
                _ => self.hotel.activities(caller, GUEST_ACTIVITIES).await,
            };
            let read = self.for_waiting_caller(ours).await;
            let seq = read.map_or(after, |read| guest_number_in(&read, caller, &activities));
            if seq != after || self.hotel.clock.now() >= until {
                return seq;
            }
            own = Some((ours, activities));
            self.hotel.clock.sleep(WAIT).await;
        }
    }

    async fn guest_number(&self, caller: &Caller, activities: &[GuestActivity]) -> i64 {
        if caller.persona != Persona::Guest {
            return -1;
        }
        let ours = self.hotel.list_version().await;
        let read = self.for_waiting_caller(ours).await;
        read.map_or(-1, |read| guest_number_in(&read, caller, activities))
    }

    async fn latest(&self, caller: &Caller) -> Latest {
        if staff(caller).is_some() && self.cached.lock().await.acted {
            drop(self.read(|_| true, MAX_AGE).await);
        }
        self.known(caller).await
    }

    async fn known(&self, caller: &Caller) -> Latest {
        let Some(role) = staff(caller) else {
            return Latest::default();
        };
        let snapshot = self.last().await.map(|read| read.of(role));
        let now = self.hotel.clock.now();
        // Without recent viewers, the state is unknown
        let failing = self
            .cached
            .lock()
            .await
            .failed
            .as_ref()
            .is_some_and(|(at, _)| now.duration_since(*at) <= OUTAGE_MEMORY);
        Latest { snapshot, failing }
    }

    async fn acted(&self) {
        self.cached.lock().await.acted = true;
    }
}

fn guest_number_in(read: &Read, caller: &Caller, activities: &[GuestActivity]) -> i64 {
    guest_change_number::guest_change_number(
        &read.of(Role::Manager),
        &caller.identity(),
        activities,
    )
}

fn staff(caller: &Caller) -> Option<Role> {
    caller.role.filter(|_| caller.persona == Persona::Staff)
}
