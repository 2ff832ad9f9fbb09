//! How urgent a case is.

super::words! {
    /// How urgent a case is.
    CasePriority {
        /// It can wait.
        Low = "Low",
        /// The usual.
        Medium = "Medium",
        /// Before others.
        High = "High",
        /// At once.
        Urgent = "Urgent",
    }
}
