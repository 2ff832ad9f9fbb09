//! Which of a guest's stays to list.

super::words! {
    /// Which of a guest's stays to list.
    StayFilter {
        /// In house.
        Current = "current",
        /// Expected.
        Upcoming = "upcoming",
        /// Over.
        Historical = "historical",
        /// All.
        All = "all",
    }
}
