//! Why a step or a request failed.

super::words! {
    /// Why a step or a request failed, where our own code says so or decides by it. The codes of
    /// outside systems, such as `card_declined`, are others.
    FaultCode {
        /// The booking or case to change is not there any more.
        BookingGone = "booking_gone",
        /// The charge was refunded before.
        ChargeAlreadyRefunded = "charge_already_refunded",
        /// The record exists already.
        Duplicate = "duplicate",
        /// The CRM takes the contact for a duplicate of another.
        DuplicatesDetected = "DUPLICATES_DETECTED",
        /// The CRM hides a field from our user without which the request makes no sense. The details
        /// name the field and the problem.
        FieldHidden = "salesforce_field_hidden",
        /// A person has to decide about the payment.
        Flagged = "flagged",
        /// Somebody else changed a record, which was left as found.
        ForeignEdit = "foreign_edit",
        /// A payment was found that a person has to look into.
        Found = "found",
        /// A precondition did not hold: the record has changed since it was read.
        GuardFailed = "guard_failed",
        /// A record lacks a field that a decision needs. The details name the record, the field and
        /// the problem.
        IncompleteRecord = "incomplete_record",
        /// No such message was found so far.
        MessageNotFoundYet = "message_not_found_yet",
        /// The journal lacks a fact.
        MissingFact = "missing_fact",
        /// There is no such execution.
        NoSuchExecution = "no_such_execution",
        /// The payment could not be canceled.
        NotCanceled = "not_canceled",
        /// The payment was refunded meanwhile.
        PaymentGivenBack = "payment_given_back",
        /// There is no such payment.
        PaymentNotFound = "payment_not_found",
        /// No such payment was found so far.
        PaymentNotFoundYet = "payment_not_found_yet",
        /// The payment was not captured.
        PaymentNotTaken = "payment_not_taken",
        /// There is no such refund.
        RefundNotFound = "refund_not_found",
        /// The payment system refused the refund.
        RefundRefused = "refund_refused",
        /// The payment system has no such object.
        ResourceMissing = "resource_missing",
        /// Another booking has the room.
        RoomTaken = "room_taken",
        /// The payment system repeats an earlier failure for the same idempotency key.
        StickyFailure = "sticky_500",
        /// The store failed.
        StoreFailed = "store_failed",
        /// Another process took the execution over.
        StoreLost = "store_lost",
        /// The journal can't be read.
        UnreadableJournal = "unreadable_journal",
        /// The response can't be read.
        UnreadableResponse = "garbage",
    }
}

impl PartialEq<FaultCode> for String {
    fn eq(&self, other: &FaultCode) -> bool {
        self == other.as_str()
    }
}
