//! The attention summary that every page shows: what waits for staff.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{caller::Caller, money::Money, room_number::RoomNumber, vocabulary::Resolution};

/// What waits for staff. Guests only see their own emergency, and which systems are down.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AttentionView {
    /// Guests who reported danger, until somebody has marked it handled; oldest first.
    pub emergencies: Vec<EmergencyItem>,
    /// Executions only a person can resolve.
    pub stuck: usize,
    /// Their money at stake: captured, but neither earned nor refunded.
    pub unsettled_payments: Vec<UnsettledPayment>,
    /// Pairs of bookings that share a room for a night.
    pub double_bookings: usize,
    /// Other conversations in which a guest waits for an answer.
    pub conversations: usize,
    /// Cases still in status New; none while unknown.
    pub cases: Option<usize>,
    /// Urgent ones among those cases, without the emergencies' own.
    pub urgent_cases: usize,
    /// Check-outs are paused.
    pub paused: bool,
    /// Outside systems that do not answer.
    pub unresponsive: Vec<&'static str>,
    /// Outside systems that refuse our access, with their code; an operator must fix it.
    pub refused: Vec<(&'static str, String)>,
    /// This guest reported danger, and nobody has marked it handled.
    pub in_danger: bool,
}

/// A guest in an emergency.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EmergencyItem {
    pub conversation: String,
    /// Guest's name if known, otherwise email.
    pub guest: String,
    /// Rooms in which the guest stays now.
    pub rooms: Vec<RoomNumber>,
    /// Guest's phone number, if known.
    pub phone: Option<String>,
    /// Their latest message that reports danger.
    pub message: String,
    /// It only may be danger.
    pub possible: bool,
    /// Their latest message, if they wrote again after that.
    pub latest: Option<String>,
    /// Position of their latest message; marking the emergency as handled confirms that it was
    /// read.
    pub last_read: i64,
    /// Time of their first message without an answer; of the danger, once staff have answered.
    pub since: Timestamp,
    /// Staff have written to them since.
    pub answered: bool,
}

/// Money of a guest that is neither earned nor refunded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UnsettledPayment {
    pub execution: String,
    /// Guest's name if known, otherwise email or booking number.
    pub guest: String,
    /// Room of the stay.
    pub room: Option<RoomNumber>,
    /// Charged and not refunded.
    pub money: Money,
    /// The usual action on it: resolution and title.
    pub act: Option<(Resolution, String)>,
}

impl AttentionView {
    /// A hash that changes with the content.
    #[must_use]
    pub fn version(&self) -> i64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hash = DefaultHasher::new();
        self.hash(&mut hash);
        // JavaScript numbers are exact up to 2^53
        i64::try_from(hash.finish() >> 12).unwrap_or_default()
    }

    /// Number of emergencies in which the guest wrote last; each increase sounds the alarm.
    #[must_use]
    pub fn unanswered_emergencies(&self) -> usize {
        self.emergencies
            .iter()
            .filter(|line| !line.answered)
            .count()
    }

    /// Number of waiting items; an emergency counts once.
    #[must_use]
    pub fn waiting(&self) -> usize {
        let paused = usize::from(self.paused);
        let urgent = self.emergencies.len() + self.urgent_cases;
        let booked = self.stuck + self.double_bookings;
        urgent + booked + self.conversations + paused + self.refused.len()
    }
}

/// Combines two change numbers into one that changes when either does.
#[must_use]
pub const fn combine_change_numbers(one: i64, other: i64) -> i64 {
    (one.wrapping_mul(31) ^ other) & ((1 << 52) - 1)
}

#[async_trait]
pub trait Attention: Send + Sync + std::fmt::Debug {
    /// What waits for this caller now. Makes no request to an outside system.
    async fn now(&self, caller: &Caller) -> AttentionView;

    /// What was known to wait for this caller at the last read; reads nothing.
    async fn known(&self, caller: &Caller) -> AttentionView;

    /// Returns the change number once it differs from `after`, or after `at_most`.
    async fn changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64;
}
