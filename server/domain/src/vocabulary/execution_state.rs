//! State of an execution.

super::words! {
    /// State of an execution.
    ExecutionState {
        /// Accepted; nothing read yet.
        Queued = "queued",
        /// Going forward.
        Running = "running",
        /// Going forward; the last attempt did not finish.
        Retrying = "retrying",
        /// Someone outside must act.
        Waiting = "waiting",
        /// Compensating.
        Compensating = "compensating",
        /// Ended: every step completed.
        Completed = "completed",
        /// Ended: nothing was charged, nothing was changed.
        Refused = "refused",
        /// Ended: every effect was compensated.
        Compensated = "compensated",
        /// Ended until a person acts.
        NeedsAttention = "needs_attention",
        /// Ended: a person resolved it outside this program.
        SettledByHand = "settled_by_hand",
    }
}

impl ExecutionState {
    /// Filter: every state that [is open](Self::is_open).
    pub const OPEN: &str = "open";

    /// The states of a filter.
    pub fn of_filter(word: &str) -> impl Iterator<Item = Self> {
        let fits = move |state: &Self| match word {
            Self::OPEN => state.is_open(),
            _ => state.as_str() == word,
        };
        Self::WORDS.iter().copied().map(Self::from).filter(fits)
    }

    /// Whether it is in progress or needs a person.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        !matches!(
            self,
            Self::Completed | Self::Refused | Self::Compensated | Self::SettledByHand
        )
    }
}
