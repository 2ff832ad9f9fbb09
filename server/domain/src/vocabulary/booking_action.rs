//! What to do with a booking.

super::words! {
    /// What to do with a booking.
    BookingAction {
        /// Change it.
        Update = "update",
        /// Call it off.
        Cancel = "cancel",
        /// The guest did not come.
        NoShow = "no_show",
    }
}
