//! Why an execution needs a person.

super::words! {
    /// Why an execution needs a person. The engine has reasons of its own, which are among these.
    AttentionReason {
        /// Stripe takes no payments, pays nothing out, or lacks information.
        AccountRestricted = "ACCOUNT_RESTRICTED",
        /// Another execution has a compensation of the same payment on record.
        CompensatedByAnother = "COMPENSATED_BY_ANOTHER",
        /// This program does not have the execution's definition.
        DefinitionMissing = "DEFINITION_MISSING",
        /// The bank took the money back.
        DisputeLost = "DISPUTE_LOST",
        /// Somebody else changed a record, and it was left as found.
        ForeignEdit = "FOREIGN_EDIT",
        /// Another program took the payment; only older releases asked for a person.
        ForeignPayment = "FOREIGN_PAYMENT",
        /// A card network warns that a payment may be fraud.
        FraudWarning = "FRAUD_WARNING",
        /// What began as a question about a payment is a dispute now, and the money is withdrawn.
        FundsWithdrawn = "FUNDS_WITHDRAWN",
        /// A hold could not be released, or was captured before.
        HoldNotReleased = "HOLD_NOT_RELEASED",
        /// A payment turned up after the execution had ended.
        LatePayment = "LATE_PAYMENT",
        /// The folio is not at zero after the check-out.
        OpenBalance = "OPEN_BALANCE",
        /// A payment without a check-out is over the limit for refunds without a manager.
        OrphanOverLimit = "ORPHAN_OVER_LIMIT",
        /// The cardholder denies the payment.
        PaymentDisputed = "PAYMENT_DISPUTED",
        /// The scheduled job cannot judge the payment.
        PaymentNotJudged = "PAYMENT_NOT_JUDGED",
        /// A payout did not reach the hotel's bank account.
        PayoutFailed = "PAYOUT_FAILED",
        /// A record in the CRM lacks what a decision needs.
        RecordIncomplete = "RECORD_INCOMPLETE",
        /// The journal cannot be read.
        RecordUnreadable = "RECORD_UNREADABLE",
        /// A completed check-out was refunded outside this program.
        RefundedElsewhere = "REFUNDED_ELSEWHERE",
        /// A refund was accepted and failed later.
        RefundFailedLater = "REFUND_FAILED_LATER",
        /// The payment system refused the refund.
        RefundRefused = "REFUND_REFUSED",
        /// What had moved could not be put back.
        RevertFailed = "REVERT_FAILED",
        /// One check-out took two payments.
        SecondPayment = "SECOND_PAYMENT",
        /// A person resolved it.
        SolvedByHand = "SOLVED_BY_HAND",
        /// The execution makes no progress.
        Stuck = "STUCK",
        /// What became of a request could not be determined.
        UnknownOutcome = "UNKNOWN_OUTCOME",
    }
}
