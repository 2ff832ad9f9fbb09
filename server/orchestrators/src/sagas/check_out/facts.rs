//! Facts of a check-out, as journaled: ids, states and amounts, no names.

use dewy_domain::{
    card_id::CardId,
    money::{Cents, Currency, SMALLEST_CHARGE},
    payment::{Payment, Refund},
    payment_intent_id::PaymentIntentId,
    ports::CheckOutRecords,
    stay::Stay,
    tool_catalog::ProcessGuestCheckout,
};
use dewy_saga::{Fault, Phase, Progress, StepId};
use serde::{Deserialize, Serialize};

use crate::saga_parts::{
    refund_and_revert::{Refunded, Reverted},
    release_hold::ReleasedHold,
};

/// Name of the check-out saga.
pub const CHECK_OUT: &str = ProcessGuestCheckout::NAME;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Facts {
    pub stay: Stay,
    /// Amount to charge.
    pub balance: Cents,
    /// Balance that is left open on purpose; then nothing is charged. Not in journals of older
    /// releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_open: Option<Cents>,
    pub currency: Currency,
    /// Customer id of the guest, if any.
    pub customer: Option<String>,
    /// Card to charge; none is needed when the balance is zero.
    pub payment_method: Option<CardId>,
    /// Whether the card is kept for later stays.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub save_card: bool,
    /// Live holds of the stay, the largest first. With one, nothing is charged before the guest has
    /// left: version 2 captures the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<Held>,
    /// Customer and card for what the holds don't cover, where it isn't the card that holds the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest_source: Option<(String, CardId)>,
}

/// A hold as it was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Held {
    /// Payment intent id.
    pub id: PaymentIntentId,
    /// What can be captured.
    pub capturable: Cents,
    /// Last four digits of its card.
    pub last4: Option<String>,
}

impl Held {
    /// The hold of a payment, if it is live.
    pub(crate) fn of(payment: &Payment) -> Option<Self> {
        Some(Self {
            id: payment.id.clone(),
            capturable: payment.hold.as_ref()?.capturable,
            last4: payment.last4.clone(),
        })
    }
}

impl Facts {
    /// What a second hold has to reserve; zero if the first one covers the balance. It is never less
    /// than a card can pay, and the first hold then pays less.
    pub(crate) fn rest(&self) -> Cents {
        let held = self.holds.first().map_or(Cents(0), |hold| hold.capturable);
        let lacking = self.balance - held;
        match lacking {
            Cents(..=0) => Cents(0),
            _ if lacking.needs_front_desk() => SMALLEST_CHARGE,
            _ => lacking,
        }
    }

    /// The hold that pays first, if there is something to pay.
    pub(crate) fn captured(&self) -> Option<Held> {
        let first = self.holds.first().filter(|_| self.balance > Cents(0));
        first.cloned()
    }

    /// What the first hold pays.
    pub(crate) fn first_part(&self) -> Cents {
        self.balance - self.rest()
    }
}

pub(crate) const PAY: StepId<Payment, Refunded> = StepId::new("pay");
pub(crate) const MOVE: StepId<CheckOutRecords, Reverted> = StepId::new("move");

/// Second hold, for what the first does not cover.
pub(crate) const EXTEND: StepId<Payment, ReleasedHold> = StepId::new("extend");
pub(crate) const CAPTURE: StepId<Payment> = StepId::new("capture");
pub(crate) const CAPTURE_REST: StepId<Payment> = StepId::new("capture_rest");
pub(crate) const RELEASE: StepId<ReleasedHold> = StepId::new("release");
pub(crate) const CHARGE: StepId<Charged> = StepId::new("charge");
pub(crate) const RECORD: StepId<CheckOutRecords> = StepId::new("record");

/// What became of charging the saved card in place of a hold.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Charged {
    /// Payment, if the card paid.
    pub payment: Option<Payment>,
    /// Why it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

/// Payments that this check-out took, in the order of its steps.
pub(crate) fn payments(progress: &Progress) -> Vec<Payment> {
    let charged = progress.output(CHARGE).and_then(|charged| charged.payment);
    let all = [
        progress.output(PAY),
        progress.output(CAPTURE),
        progress.output(CAPTURE_REST),
        charged,
    ];
    let taken = |payment: &Payment| payment.received > Cents(0);
    all.into_iter().flatten().filter(taken).collect()
}

/// Their sum.
pub(crate) fn paid(progress: &Progress) -> Cents {
    let all = payments(progress);
    all.iter().map(|payment| payment.received).sum()
}

/// What this check-out has to collect and could not, once that is known; only holds leave anything.
pub(crate) fn uncollected(progress: &Progress) -> Option<Cents> {
    let facts = progress.facts::<Facts>().filter(|f| !f.holds.is_empty())?;
    let tried = progress.forward(CHARGE)?;
    let known = matches!(tried.phase, Phase::Done | Phase::Skipped);
    Some(facts.balance - paid(progress)).filter(|left| known && *left > Cents(0))
}

/// What was reserved for this check-out, if anything was.
pub(crate) fn reserved(progress: &Progress) -> Option<Cents> {
    let facts = progress.facts::<Facts>().filter(|f| !f.holds.is_empty())?;
    let second = progress.output(EXTEND).map_or(Cents(0), |held| held.amount);
    let first: Cents = facts.holds.iter().map(|hold| hold.capturable).sum();
    Some(first + second)
}

/// What of it was released, or will be by its bank.
pub(crate) fn released(progress: &Progress) -> Option<Cents> {
    let captured = [CAPTURE, CAPTURE_REST].map(|step| progress.output(step));
    let captured: Cents = captured
        .into_iter()
        .flatten()
        .map(|paid| paid.received)
        .sum();
    reserved(progress).map(|reserved| reserved - captured)
}

/// The refund that was created or found.
pub(crate) fn refund(progress: &Progress) -> Option<Refund> {
    progress.undone(PAY).map(Refunded::total)
}

/// Whether a check-out stands: its pivot is journaled, and nothing was compensated.
pub(crate) fn is_completed(progress: &Progress) -> bool {
    progress.decision.is_none() && progress.is_done(MOVE)
}
