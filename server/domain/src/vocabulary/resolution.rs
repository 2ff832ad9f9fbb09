//! How a person resolves an execution that needs attention.

super::words! {
    /// How a person resolves an execution that needs attention.
    Resolution {
        /// Retry what failed.
        RetryNow = "retry_now",
        /// Refund the payment and revert all changes.
        Compensate = "compensate",
        /// Continue the work.
        FinishForward = "finish_forward",
        /// Record that it was resolved by hand.
        MarkSolved = "mark_solved",
    }
}
