//! What waits for people, as every page shows it.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{caller::Caller, money::Money};

/// What waits for staff; a guest sees of it only which systems are silent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AttentionView {
    /// Guests who wrote of danger and have no answer, the longest waiting first.
    pub emergencies: Vec<EmergencyLine>,
    /// Executions that only a person can settle.
    pub stuck: usize,
    /// Their money that was taken and neither earned nor given back.
    pub at_stake: Option<Money>,
    /// Conversations in which a guest waits for an answer.
    pub conversations: usize,
    /// Cases that nobody has taken up; none while they are not known.
    pub cases: Option<usize>,
    /// Those of them that are urgent.
    pub urgent_cases: usize,
    /// Check-outs are paused.
    pub paused: bool,
    /// Outside systems that do not answer.
    pub silent: Vec<&'static str>,
}

/// A guest in danger.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EmergencyLine {
    /// The conversation.
    pub conversation: String,
    /// The guest: their name where it is known, else their email.
    pub guest: String,
    /// The guest's room, if they are in one.
    pub room: Option<String>,
    /// Their words.
    pub words: String,
    /// Since when they wait.
    pub since: Timestamp,
}

impl AttentionView {
    /// A number that differs when anything in it does.
    #[must_use]
    pub fn seq(&self) -> i64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hash = DefaultHasher::new();
        self.hash(&mut hash);
        // Numbers in a browser are exact up to 2^53
        i64::try_from(hash.finish() >> 12).unwrap_or_default()
    }

    /// How many things wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.stuck + self.conversations + self.urgent_cases + usize::from(self.paused)
    }
}

/// Two numbers that are followed as one; it differs when one of them does.
#[must_use]
pub const fn both(one: i64, other: i64) -> i64 {
    (one.wrapping_mul(31) ^ other) & ((1 << 52) - 1)
}

/// What waits for people.
#[async_trait]
pub trait Attention: Send + Sync + std::fmt::Debug {
    /// What waits for this caller now. Nothing is asked of the outside systems for it.
    async fn now(&self, caller: &Caller) -> AttentionView;

    /// Returns its number as soon as it differs from `after`, or after `at_most`.
    async fn changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64;
}
