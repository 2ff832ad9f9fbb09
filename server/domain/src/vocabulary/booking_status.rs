//! A booking's status.

super::words! {
    /// A booking's status.
    BookingStatus {
        /// The guest is expected.
        Reserved = "Reserved",
        /// The guest is in house.
        CheckedIn = "Checked In",
        /// The stay is over.
        CheckedOut = "Checked Out",
        /// It was canceled.
        Cancelled = "Cancelled",
        /// The guest did not come.
        NoShow = "No Show",
    }
}

impl BookingStatus {
    /// Statuses of a booking that is over and gives its room back.
    pub const OVER: [Self; 3] = [Self::CheckedOut, Self::Cancelled, Self::NoShow];

    /// Whether the booking is over. In a status that we don't know it may still hold its room.
    #[must_use]
    pub fn is_over(&self) -> bool {
        Self::OVER.contains(self)
    }
}
