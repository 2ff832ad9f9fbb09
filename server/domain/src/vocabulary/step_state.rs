//! State of a step or compensation.

super::words! {
    /// State of a step or compensation.
    StepState {
        /// Not begun.
        Pending = "pending",
        /// Its request is being sent.
        Running = "running",
        /// Definitely not applied; retried later.
        Retrying = "retrying",
        /// Someone outside must act.
        Waiting = "waiting",
        /// Done.
        Done = "done",
        /// Refused.
        Refused = "refused",
        /// The outcome of its request is not known yet.
        Unknown = "unknown",
        /// Not needed.
        Skipped = "skipped",
    }
}

impl StepState {
    /// Whether it has begun and not ended.
    #[must_use]
    pub const fn is_under_way(&self) -> bool {
        matches!(
            self,
            Self::Running | Self::Retrying | Self::Waiting | Self::Unknown
        )
    }
}
