//! An opportunity's stage.

super::words! {
    /// An opportunity's stage.
    OpportunityStage {
        /// Booked.
        BookingConfirmed = "Booking Confirmed",
        /// The guest is in house.
        CheckedIn = "Checked In",
        /// The stay is over and paid.
        ClosedWon = "Closed Won",
        /// The stay does not take place.
        ClosedLost = "Closed Lost",
    }
}
