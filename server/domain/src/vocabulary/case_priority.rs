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
    /// Position in lists: urgent cases first. A priority that we don't know, or that is missing, may
    /// be high.
    #[must_use]
    pub const fn rank(&self) -> u8 {
        match self {
            Self::Urgent => 0,
            Self::High | Self::Other(_) => 1,
            Self::Medium => 2,
            Self::Low => 3,
        }
    }
}
