//! What to do with a booking.

super::words! {
    /// What to do with a booking.
    BookingAction {
        /// Change it.
        Update = "update",
        /// Cancel it.
        Cancel = "cancel",
        /// The guest did not come.
        NoShow = "no_show",
    }
}
