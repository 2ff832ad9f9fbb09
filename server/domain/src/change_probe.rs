//! Change detection: the newest rows of each kind in the booking system.

use jiff::Timestamp;

/// A row and its last modification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastChange {
    pub id: String,
    /// `LastModifiedDate`.
    pub at: Timestamp,
}

/// The most recently written rows of each kind. Two equal probes mean that nothing was written in
/// between, except for what no probe can detect: deleted rows, and writes within the second of the
/// newest stamp, so readers of lists read once more after that second.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeProbe {
    pub rooms: Vec<LastChange>,
    pub bookings: Vec<LastChange>,
    /// Opportunities; folios start with their amounts.
    pub opportunities: Vec<LastChange>,
    pub lines: Vec<LastChange>,
    pub cases: Vec<LastChange>,
}
