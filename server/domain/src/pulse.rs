//! Whether anything was written in the booking system, told by the newest rows of each kind.

use jiff::Timestamp;

/// A row and when it was last written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beat {
    /// Record id.
    pub id: String,
    /// `LastModifiedDate`.
    pub at: Timestamp,
}

/// The last few rows that were written, of each kind. Two equal pulses mean that nothing was written in between, but for what
/// no pulse can tell: rows that were deleted, and a row written twice within the second in which it was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pulse {
    /// Rooms.
    pub rooms: Vec<Beat>,
    /// Bookings.
    pub bookings: Vec<Beat>,
    /// Opportunities, whose amounts folios begin with.
    pub opportunities: Vec<Beat>,
    /// Lines of folios.
    pub lines: Vec<Beat>,
    /// Cases.
    pub cases: Vec<Beat>,
}
