//! Status of a compensation record.

super::words! {
    /// Status of a compensation record.
    CompensationStatus {
        /// The refund is on its way.
        Refunding = "refunding",
        /// Refunded; the records are being reverted.
        RefundedReverting = "refunded_reverting",
        /// Refunded and reverted.
        Compensated = "compensated",
        /// A person has to look at it.
        NeedsAttention = "needs_attention",
        /// A person has solved it.
        Solved = "solved",
    }
}
