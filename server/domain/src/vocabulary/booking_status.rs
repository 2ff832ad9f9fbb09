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
