//! Whether anything was written in the booking system, told by the newest rows of each kind.

use jiff::Timestamp;

/// A row and when it was last written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastChange {
    /// Record id.
    pub id: String,
    /// `LastModifiedDate`.
    pub at: Timestamp,
}

/// The last few rows that were written, of each kind. Two equal pulses mean that nothing was
/// written in between, but for what no change probe can tell: rows that were deleted, and a row
/// written twice within the second in which it was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeProbe {
    /// Rooms.
    pub rooms: Vec<LastChange>,
    /// Bookings.
    pub bookings: Vec<LastChange>,
    /// Opportunities, whose amounts folios begin with.
    pub opportunities: Vec<LastChange>,
    /// Lines of folios.
    pub lines: Vec<LastChange>,
    /// Cases.
    pub cases: Vec<LastChange>,
}
