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

impl CasePriority {
    /// Position in lists: urgent cases first.
    #[must_use]
    pub const fn rank(&self) -> u8 {
        match self {
            Self::Urgent => 0,
            Self::High => 1,
            Self::Medium => 2,
            Self::Low | Self::Other(_) => 3,
        }
    }
}
