//! An execution as people see it: named steps, forward and back, the money, and what happens next
//! in words.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::money::{Cents, Currency};

/// One step in one direction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepView {
    /// `pay`.
    pub name: String,
    /// In a person's words: `Take the payment`.
    pub title: String,
    /// `pending`, `running`, `retrying`, `waiting`, `done`, `refused`, `unknown`, `skipped`.
    pub state: String,
    /// How often its request was sent.
    pub attempts: u32,
    /// One sentence about it, for this reader; may be empty.
    pub note: String,
    /// When it last changed.
    pub at: Option<Timestamp>,
    /// The key under which the outside knows it; staff only.
    pub key: Option<String>,
}

/// One row of the journal, for staff.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventView {
    /// Its place.
    pub seq: i64,
    /// When.
    pub at: Timestamp,
    /// In a few words.
    pub title: String,
    /// The stored event, requests folded to their key and path.
    pub detail: Value,
}

/// Money as our journal knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoneyView {
    /// Taken.
    pub captured: Cents,
    /// Given back.
    pub refunded: Cents,
    /// In what.
    pub currency: Currency,
}

impl MoneyView {
    /// What stays taken.
    #[must_use]
    pub fn net(&self) -> Cents {
        self.captured - self.refunded
    }
}

/// An execution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExecutionView {
    /// Its id.
    pub execution_id: String,
    /// Which tool.
    pub tool: String,
    /// The tool's title.
    pub title: String,
    /// `queued running retrying waiting compensating completed refused compensated needs_attention
    /// settled_by_hand`.
    pub state: String,
    /// One honest sentence for this reader: where it stands and what happens next.
    pub summary: String,
    /// True when nothing more happens by itself.
    pub at_rest: bool,
    /// Number of journal rows; rises with every change.
    pub seq: i64,
    /// The booking, once known.
    pub booking_number: Option<String>,
    /// The room, once known.
    pub room_number: Option<String>,
    /// Whose stay; staff only.
    pub guest_email: Option<String>,
    /// Who asked and through which door; staff only.
    pub asked_by: Option<String>,
    /// Steps in order.
    pub forward: Vec<StepView>,
    /// Compensations in the order they run; empty while nothing is undone.
    pub back: Vec<StepView>,
    /// Money, once any moved.
    pub money: Option<MoneyView>,
    /// Where the guest has to act.
    pub next_action_url: Option<String>,
    /// Until when that is possible; after it the execution ends without a charge.
    #[serde(default)]
    pub act_by: Option<Timestamp>,
    /// The tool's answer (its body), once settled.
    pub answer: Option<Value>,
    /// Why it needs a person.
    pub reason: Option<String>,
    /// What was left alone, object by object: (what, expected, found); staff only.
    pub differences: Vec<Difference>,
    /// What happens next, or what a person can do, in one sentence.
    #[serde(default)]
    pub next: String,
    /// Who asked for its compensation, in order: `saga`, `staff:frontdesk@…`, `sweep`; staff only.
    #[serde(default)]
    pub triggers: Vec<String>,
    /// Ids on both sides: (what, id), as (`Stripe payment`, `pi_…`); staff only.
    #[serde(default)]
    pub ids: Vec<(String, String)>,
    /// What this reader may do about it by `resolve_execution`; empty for guests.
    #[serde(default)]
    pub acts: Vec<Act>,
    /// When somebody will try again.
    pub next_try_at: Option<Timestamp>,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// The journal; staff only.
    pub timeline: Vec<EventView>,
}

/// One thing a person may do about an execution: a `resolution` of `resolve_execution`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    /// `retry_now`, `compensate`, `finish_forward`, `mark_solved`.
    pub resolution: String,
    /// The button's words.
    pub title: String,
    /// What it will do, said beforehand, with the amounts.
    pub will: String,
    /// Why this reader may not, if so (over the limit: a manager).
    pub barred: Option<String>,
}

/// The money of an execution as the payment system tells it right now, beside our journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoneyCheck {
    /// By our journal.
    pub ours: MoneyView,
    /// By the payment system.
    pub theirs: MoneyView,
    /// The refunds there: (id, status, amount).
    pub refunds: Vec<(String, String, Cents)>,
    /// True when both say the same.
    pub agrees: bool,
    /// When it was asked.
    pub at: Timestamp,
}

/// One line of the list of compensations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompensationItem {
    /// Of which payment.
    pub payment_intent_id: String,
    /// Whose record it is.
    pub execution_id: String,
    /// `refunding`, `refunded_reverting`, `compensated`, `needs_attention`, `solved`.
    pub status: String,
    /// Why it needs a person.
    pub reason: Option<String>,
    /// Whose stay, as far as known.
    pub guest_email: Option<String>,
    /// The booking.
    pub booking_number: Option<String>,
    /// The room.
    pub room_number: Option<String>,
    /// Taken.
    pub captured: Cents,
    /// Given back.
    pub refunded: Cents,
    /// In what.
    pub currency: Currency,
    /// `re_…`.
    pub refund_id: Option<String>,
    /// Who asked for it, in order.
    pub triggers: Vec<String>,
    /// What went wrong, as a code.
    pub cause: String,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The sweep for payments that nobody finished.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweepView {
    /// When it last ran to its end.
    pub last_run_at: Option<Timestamp>,
    /// Payments it looked at then.
    pub looked_at: u32,
    /// Orphans of ours it found then.
    pub found: u32,
    /// Compensations it began then.
    pub fixed: u32,
    /// What it left to a person then.
    pub flagged: u32,
    /// What it could not judge then; it looks again.
    #[serde(default)]
    pub failed: u32,
    /// The first of those, in words: which, and why.
    #[serde(default)]
    pub failures: Vec<String>,
    /// It was this installation's first run, which only reports.
    #[serde(default)]
    pub reported_only: bool,
    /// Everything made before is judged.
    #[serde(default)]
    pub watermark: Option<Timestamp>,
    /// Payments of other programs on the account, all that were ever seen.
    #[serde(default)]
    pub foreign: u64,
    /// Payments of other installations on the account that the last run saw, by installation.
    #[serde(default)]
    pub other_installations: BTreeMap<String, u32>,
    /// Why the last run stopped early, if it did.
    pub trouble: Option<String>,
    /// When it runs next.
    pub next_run_at: Option<Timestamp>,
}

/// Something that was left as somebody else had changed it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// `room`, `booking`, `opportunity`.
    pub object: String,
    /// `Status__c`.
    pub field: String,
    /// What we had written.
    pub ours: String,
    /// What is there now.
    pub found: String,
}

/// One line of a list of executions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListItem {
    /// Its id.
    pub execution_id: String,
    /// The tool's title.
    pub title: String,
    /// Its state.
    pub state: String,
    /// Why it needs a person.
    pub reason: Option<String>,
    /// Whose stay.
    pub guest_email: Option<String>,
    /// The booking.
    pub booking_number: Option<String>,
    /// The room.
    pub room_number: Option<String>,
    /// Until when a person has to have answered, where somebody outside waits for that (a dispute).
    #[serde(default)]
    pub due_by: Option<Timestamp>,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// Something a guest asked for, or that was done for them, as their own list of it tells: without
/// its steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GuestActivity {
    /// Its execution.
    pub execution_id: String,
    /// Which tool.
    pub tool: String,
    /// Its state.
    pub state: String,
    /// True when nothing more happens by itself.
    pub at_rest: bool,
    /// The booking, once known.
    pub booking_number: Option<String>,
    /// The room, once known.
    pub room_number: Option<String>,
    /// The tool's answer (its body), once settled.
    pub answer: Option<Value>,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A pause of check-outs: the CRM refuses what follows a payment, so no payment is taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckoutPause {
    /// How many check-outs in a row were charged and refunded.
    pub failures: usize,
    /// Since when.
    pub since: Timestamp,
    /// When the next check-out is let through to see whether it works again.
    pub next_probe_at: Timestamp,
    /// The CRM's code, such as `FIELD_CUSTOM_VALIDATION_EXCEPTION`.
    pub cause: String,
    /// The CRM's own words, where they are those of a rule.
    pub message: Option<String>,
    /// The latest execution that failed.
    pub latest: String,
}
