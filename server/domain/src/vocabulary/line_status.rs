//! A folio line's status.

super::words! {
    /// A folio line's status.
    LineStatus {
        /// Not paid, or not confirmed yet.
        Pending = "Pending",
        /// Done.
        Completed = "Completed",
        /// It did not happen.
        Failed = "Failed",
        /// Voided.
        Cancelled = "Cancelled",
    }
}
