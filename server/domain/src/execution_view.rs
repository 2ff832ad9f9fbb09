//! An execution as people see it: steps and compensations by name, the money, and what happens
//! next.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    answer_body::AnswerBody,
    booking_number::BookingNumber,
    email_address::EmailAddress,
    money::{Cents, Currency},
    output_schema::tool_output,
    payment_intent_id::PaymentIntentId,
    room_number::RoomNumber,
    sentence::Sentence,
    vocabulary::{AttentionReason, CompensationStatus, ExecutionState, Resolution, StepState},
};

/// One step or compensation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepView {
    /// Name: `pay`.
    pub name: String,
    /// Title for people: `Charge the card`.
    pub title: String,
    pub state: StepState,
    /// Number of requests sent.
    pub attempts: u32,
    /// One-sentence explanation for this reader; may be empty.
    pub note: String,
    /// Last change.
    pub at: Option<Timestamp>,
    /// Key by which the outside system knows it; staff only.
    pub key: Option<String>,
}

/// One journal row, for staff.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventView {
    pub seq: i64,
    pub at: Timestamp,
    /// Who appended it: the caller for the first row, then the worker that held the lease.
    pub by: String,
    /// Short title.
    pub title: String,
    /// For the outcome of a request.
    pub settled: Option<SettledView>,
    /// The stored event without secrets, with requests reduced to key and path.
    pub detail: Value,
}

/// Outcome of a request, in a row of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SettledView {
    /// Row of the request; `None` if it was refused before it was sent.
    pub request: Option<i64>,
    pub state: StepState,
    /// In a few words: `outcome unknown`.
    pub outcome: String,
    /// What the outside system said, if it failed.
    pub error: String,
    /// The outside system's own id of the failed request, where it gave one.
    pub request_id: Option<String>,
}

/// Money according to our journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoneyView {
    pub captured: Cents,
    /// Refunded amount.
    pub refunded: Cents,
    pub currency: Currency,
}

impl MoneyView {
    /// Captured minus refunded.
    #[must_use]
    pub fn net(&self) -> Cents {
        self.captured - self.refunded
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExecutionView {
    pub execution_id: String,
    pub tool: String,
    pub title: String,
    pub state: ExecutionState,
    /// One sentence for this reader: the current state and what happens next.
    #[serde(serialize_with = "Sentence::as_english")]
    pub summary: Sentence,
    /// True when it has ended or waits for a person: nothing more happens automatically.
    pub at_rest: bool,
    /// Number of journal rows; increases with every change.
    pub seq: i64,
    /// Booking number, once known.
    pub booking_number: Option<BookingNumber>,
    /// Room number, once known.
    pub room_number: Option<RoomNumber>,
    /// Guest's email; staff only.
    pub guest_email: Option<EmailAddress>,
    /// Caller and interface; staff only.
    pub asked_by: Option<String>,
    /// Steps, in order.
    pub forward: Vec<StepView>,
    /// Compensations in the order they run; empty until something is compensated.
    pub back: Vec<StepView>,
    /// Money, once any moved.
    pub money: Option<MoneyView>,
    pub next_action_url: Option<String>,
    /// Deadline for that; after it the execution ends without a charge.
    #[serde(default)]
    pub act_by: Option<Timestamp>,
    /// The tool's answer (its body), once final.
    pub answer: Option<Value>,
    /// Why it needs attention.
    pub reason: Option<AttentionReason>,
    /// What was left unchanged, per object: (what, expected, found); staff only.
    pub differences: Vec<Difference>,
    /// What happens next, or what a person can do, in one sentence.
    #[serde(default)]
    pub next: String,
    /// Who requested its compensation, in order: `saga`, `staff:frontdesk@…`, `sweep`; staff only.
    #[serde(default)]
    pub triggers: Vec<String>,
    /// Ids in the outside systems as (kind, id), such as (`Stripe payment`, `pi_…`); staff only.
    #[serde(default)]
    pub ids: Vec<(String, String)>,
    /// What this reader may do with `resolve_execution`; empty for guests.
    #[serde(default)]
    pub acts: Vec<AvailableResolution>,
    /// Time of the next attempt.
    pub next_try_at: Option<Timestamp>,
    pub created_at: Timestamp,
    /// Last change.
    pub updated_at: Timestamp,
    /// Journal; staff only.
    pub timeline: Vec<EventView>,
}

impl ExecutionView {
    /// Money that is neither earned nor refunded; `None` if no money moved, or if the payment is
    /// earned and the matter is another sum: a refund that somebody made, or a balance left open.
    #[must_use]
    pub fn at_stake(&self) -> Option<Cents> {
        let earned = matches!(
            self.reason,
            Some(AttentionReason::RefundedElsewhere | AttentionReason::OpenBalance)
        );
        self.money.filter(|_| !earned).map(|money| money.net())
    }

    /// The tool's answer; empty before it is final.
    #[must_use]
    pub fn body(&self) -> AnswerBody {
        self.answer.as_ref().map(AnswerBody::of).unwrap_or_default()
    }
}

/// An operator decision: an input of `resolve_execution`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AvailableResolution {
    pub resolution: Resolution,
    /// Button label.
    pub title: String,
    /// Its effect, stated beforehand, with the amounts.
    pub will: String,
    /// Why this reader may not do it, if so (over the limit: a manager).
    pub barred: Option<String>,
}

/// Who of the staff looks after an execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordOwner {
    /// Owner's email; `None` once it was handed back.
    pub owner: Option<String>,
    pub since: Timestamp,
    /// Who took it on first, and so has seen it.
    pub acknowledged_by: String,
    pub acknowledged_at: Timestamp,
}

/// An execution's money as the payment system reports it now, next to our journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoneyCheck {
    /// According to our journal.
    pub ours: MoneyView,
    /// According to the payment system.
    pub theirs: MoneyView,
    /// Refunds in the payment system: (id, status, amount).
    pub refunds: Vec<(String, String, Cents)>,
    /// True when both agree.
    pub agrees: bool,
    /// Time of the request.
    pub at: Timestamp,
}

tool_output! {
    /// One entry in the list of compensations.
    CompensationItem in "compensations" {
        payment_intent_id: PaymentIntentId,
        /// Execution that owns the record.
        execution_id: String,
        status: CompensationStatus,
        /// Why it needs attention.
        reason: Option<AttentionReason>,
        /// Guest's email, if known.
        guest_email: Option<EmailAddress>,
        booking_number: Option<BookingNumber>,
        room_number: Option<RoomNumber>,
        captured: Cents,
        refunded: Cents,
        currency: Currency,
        /// Refund id, `re_…`.
        refund_id: Option<String>,
        /// The refund's status at Stripe, as last answered: `pending`, `succeeded`.
        refund_status: Option<String>,
        /// When the payment was taken.
        charged_at: Option<Timestamp>,
        /// When it was known that it has to be given back.
        failed_at: Option<Timestamp>,
        /// When Stripe accepted the refund.
        refunded_at: Option<Timestamp>,
        /// Salesforce's id of the booking.
        booking_id: Option<String>,
        /// Email of who looks after it, where a person has to.
        owner: Option<String>,
        /// Who requested it, in order.
        triggers: Vec<String>,
        /// Cause, as a code.
        cause: String,
        /// Last change.
        updated_at: Timestamp,
    }
}

impl CompensationItem {
    /// Whether Stripe accepted the refund and has not finished it.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        let status = self.refund_status.as_deref();
        matches!(status, Some("pending" | "requires_action"))
    }
}

/// A value that compensation left unchanged because someone else had edited it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// `room`, `booking`, `opportunity`.
    pub object: String,
    /// `Status__c`.
    pub field: String,
    /// Value we had written.
    pub ours: String,
    /// Current value.
    pub found: String,
}

tool_output! {
    /// One entry in a list of executions.
    ExecutionListItem in "executions" {
        execution_id: String,
        title: String,
        state: ExecutionState,
        /// Why it needs attention.
        reason: Option<AttentionReason>,
        guest_email: Option<EmailAddress>,
        booking_number: Option<BookingNumber>,
        room_number: Option<RoomNumber>,
        /// Deadline for a person's answer, where an outside party waits for it (a dispute).
        #[serde(default)]
        due_by: Option<Timestamp>,
        created_at: Timestamp,
        /// Last change.
        updated_at: Timestamp,
    }
}

/// An activity in a guest's own list: something they requested, or that was done on their behalf;
/// without its steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GuestActivity {
    pub execution_id: String,
    pub tool: String,
    pub state: ExecutionState,
    /// True when it has ended or waits for a person: nothing more happens automatically.
    pub at_rest: bool,
    /// Booking number, once known.
    pub booking_number: Option<BookingNumber>,
    /// Room number, once known.
    pub room_number: Option<RoomNumber>,
    /// The tool's answer (its body), once final.
    pub answer: Option<Value>,
    pub created_at: Timestamp,
    /// Last change.
    pub updated_at: Timestamp,
}

impl GuestActivity {
    /// The tool's answer; empty before it is final.
    #[must_use]
    pub fn body(&self) -> AnswerBody {
        self.answer.as_ref().map(AnswerBody::of).unwrap_or_default()
    }
}
