//! Which cases to list.

super::words! {
    /// Which cases to list.
    CaseFilter {
        /// Those not closed.
        Open = "Open",
        /// Those nobody works on yet.
        New = "New",
        /// Those somebody works on.
        InProgress = "In Progress",
        /// Those that are done.
        Closed = "Closed",
        /// All.
        All = "All",
    }
}
