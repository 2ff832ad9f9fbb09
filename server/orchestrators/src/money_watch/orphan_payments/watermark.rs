//! The watermark: every payment created before it is judged and need not be checked again.

use dewy_saga::StoreError;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::saga_parts::{engine_conversions, key_value_store::KeyValueStore};

/// Key under which it is stored. If missing, this installation has never run the check.
const WATERMARK_KEY: &str = "sweep_watermark";

/// Payments created shortly before the mark are checked again: Stripe's clock differs from ours.
const OVERLAP: SignedDuration = SignedDuration::from_mins(10);

/// How long the mark waits for payments that cannot be judged.
const MAX_DELAY: SignedDuration = SignedDuration::from_hours(30 * 24);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Watermark {
    /// Every payment created before this time is judged.
    pub at: Timestamp,
    /// Since when it has been at this position.
    pub since: Timestamp,
    /// Payments of other programs created before this second are counted.
    pub counted_to: Timestamp,
    /// Number of those payments.
    pub foreign: u64,
}

impl Watermark {
    pub(super) async fn read(
        key_value_store: &dyn KeyValueStore,
    ) -> Result<Option<Self>, StoreError> {
        let kept = key_value_store.read(WATERMARK_KEY).await?;
        Ok(kept.as_ref().and_then(engine_conversions::read))
    }

    pub(super) async fn write(
        &self,
        key_value_store: &dyn KeyValueStore,
    ) -> Result<(), StoreError> {
        key_value_store
            .write(WATERMARK_KEY, engine_conversions::value(self))
            .await
    }

    pub(super) const fn first(at: Timestamp, now: Timestamp) -> Self {
        Self {
            at,
            since: now,
            counted_to: at,
            foreign: 0,
        }
    }

    /// Start of the listing of a run.
    pub(super) fn list_from(&self) -> Timestamp {
        self.at - OVERLAP
    }

    /// Whether something has held it back for too long.
    pub(super) fn has_waited_too_long(&self, now: Timestamp) -> bool {
        now.duration_since(self.since) > MAX_DELAY
    }

    /// Whether the mark passes a payment created then, judged or not, once it has waited too long.
    pub(super) fn is_too_old(created: Timestamp, now: Timestamp) -> bool {
        now.duration_since(created) > MAX_DELAY
    }

    /// The watermark after a run that began at `now`, could not settle payments created at `held`
    /// and later, and counted `foreign` payments of others.
    pub(super) fn advanced(&self, held: Option<Timestamp>, now: Timestamp, foreign: u64) -> Self {
        let at = held.unwrap_or(now).min(now).max(self.at);
        let since = if at > self.at { now } else { self.since };
        Self {
            at,
            since,
            counted_to: second(now),
            foreign: self.foreign + foreign,
        }
    }

    /// Moves it back to this time, as after an adoption.
    pub(super) fn moved_back(self, at: Timestamp, now: Timestamp) -> Self {
        if at < self.at {
            Self {
                at,
                since: now,
                ..self
            }
        } else {
            self
        }
    }

    /// Whether this run is the one that counts a payment created at that time.
    pub(super) fn counts(&self, created: Timestamp, now: Timestamp) -> bool {
        created >= self.counted_to && created < second(now)
    }
}

/// Stripe's times are whole seconds, and the current second may bring more.
fn second(at: Timestamp) -> Timestamp {
    Timestamp::from_second(at.as_second()).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_773_144_000 + second).unwrap()
    }

    #[test]
    fn the_watermark_waits_for_the_oldest_open_payment_up_to_a_limit() {
        let first = Watermark::first(at(0), at(1000));
        let held = first.advanced(Some(at(400)), at(1000), 0);
        assert_eq!((held.at, held.since), (at(400), at(1000)));
        let still = held.advanced(Some(at(400)), at(2000), 0);
        assert_eq!(
            (still.at, still.since),
            (at(400), at(1000)),
            "it has waited since then"
        );
        assert!(!still.has_waited_too_long(at(2000)));
        assert!(still.has_waited_too_long(at(1001) + MAX_DELAY));
        let done = still.advanced(None, at(3000), 0);
        assert_eq!((done.at, done.since), (at(3000), at(3000)));
        let late = done.advanced(Some(at(100)), at(4000), 0);
        assert_eq!(late.at, at(3000), "it never goes back by itself");
        assert_eq!(done.moved_back(at(50), at(5000)).at, at(50));
    }

    #[test]
    fn foreign_payments_are_counted_once() {
        let mut mark = Watermark::first(at(0), at(1000));
        let made = [at(10), at(999), at(1000), at(1001)];
        let mut counted = 0;
        for now in [1000, 1001, 1002, 1003] {
            let seen = made
                .iter()
                .filter(|created| **created <= at(now) && mark.counts(**created, at(now)))
                .count();
            counted += seen;
            mark = mark.advanced(Some(at(5)), at(now), seen as u64);
        }
        assert_eq!((counted, mark.foreign), (4, 4));
    }
}
