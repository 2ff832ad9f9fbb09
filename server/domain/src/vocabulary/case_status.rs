//! A case's status.

super::words! {
    /// A case's status.
    CaseStatus {
        /// Nobody works on it yet.
        New = "New",
        /// Somebody works on it.
        InProgress = "In Progress",
        /// Done.
        Closed = "Closed",
    }
}
