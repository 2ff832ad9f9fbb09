//! How far the sweep has judged everything: what was made before need not be looked at again.

use dewy_saga::StoreError;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{bridge, key_value_store::KeyValueStore};

/// Under which name it is kept. Its absence means that this installation has never swept.
const NOTE: &str = "sweep_watermark";

/// Payments made shortly before the mark are looked at again: Stripe's clock is not ours.
const OVERLAP: SignedDuration = SignedDuration::from_mins(10);

/// So long the mark waits for what cannot be judged.
const PATIENCE: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The mark.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Watermark {
    /// Everything made before is judged.
    pub at: Timestamp,
    /// Since when it is there.
    pub since: Timestamp,
    /// Other programs' payments made before this second are counted.
    pub counted_to: Timestamp,
    /// How many they were.
    pub foreign: u64,
}

impl Watermark {
    pub(super) async fn read(
        key_value_store: &dyn KeyValueStore,
    ) -> Result<Option<Self>, StoreError> {
        let kept = key_value_store.read(NOTE).await?;
        Ok(kept.as_ref().and_then(bridge::read))
    }

    pub(super) async fn write(
        &self,
        key_value_store: &dyn KeyValueStore,
    ) -> Result<(), StoreError> {
        key_value_store.write(NOTE, bridge::value(self)).await
    }

    /// Where a first run begins.
    pub(super) const fn first(at: Timestamp, now: Timestamp) -> Self {
        Self {
            at,
            since: now,
            counted_to: at,
            foreign: 0,
        }
    }

    /// Where a run begins to list.
    pub(super) fn list_from(&self) -> Timestamp {
        self.at - OVERLAP
    }

    /// Whether something has held it for longer than is sensible.
    pub(super) fn has_waited_too_long(&self, now: Timestamp) -> bool {
        now.duration_since(self.since) > PATIENCE
    }

    /// After a run that began at `now`, could not settle what was made at `held` and later, and
    /// counted so many payments of others.
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

    /// Looks back again so far, as after an adoption.
    pub(super) fn back_to(self, at: Timestamp, now: Timestamp) -> Self {
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

    /// Whether a payment made then was not counted by an earlier run, and no later one will count
    /// it.
    pub(super) fn counts(&self, created: Timestamp, now: Timestamp) -> bool {
        created >= self.counted_to && created < second(now)
    }
}

/// Stripe's times are whole seconds, and a second that is not over may bring more.
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
    fn it_waits_for_the_oldest_open_payment_and_not_for_ever() {
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
        assert!(still.has_waited_too_long(at(1001) + PATIENCE));
        let done = still.advanced(None, at(3000), 0);
        assert_eq!((done.at, done.since), (at(3000), at(3000)));
        let late = done.advanced(Some(at(100)), at(4000), 0);
        assert_eq!(late.at, at(3000), "it never goes back by itself");
        assert_eq!(done.back_to(at(50), at(5000)).at, at(50));
    }

    #[test]
    fn payments_of_others_are_counted_once() {
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
