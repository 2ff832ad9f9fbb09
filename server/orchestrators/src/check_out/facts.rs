//! Facts of a check-out, as journaled: ids, states and amounts, no names.

use dewy_domain::{
    money::{Cents, Currency},
    payment::{Payment, Refund},
    ports::{PaidBy, Trace},
    stay::Stay,
};
use dewy_saga::{Direction, Progress};
use serde::{Deserialize, Serialize};

use crate::{bridge, undo};

/// Result of the prerequisites.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Stay as read.
    pub stay: Stay,
    /// Amount to charge.
    pub balance: Cents,
    /// Currency.
    pub currency: Currency,
    /// Customer id of the guest, if any.
    pub customer: Option<String>,
    /// Card to charge; none is needed when the balance is zero.
    pub payment_method: Option<String>,
}

/// Facts of an execution.
pub(crate) fn facts(progress: &Progress) -> Option<Facts> {
    progress.facts.as_ref().and_then(bridge::read)
}

/// The captured payment.
pub(crate) fn payment(progress: &Progress) -> Option<Payment> {
    progress
        .done("pay", Direction::Forward)
        .and_then(bridge::read)
}

/// The payment as the CRM records it.
pub(crate) fn paid_by(progress: &Progress) -> Option<PaidBy> {
    payment(progress).map(undo::paid_by)
}

/// The refund that was created or found.
pub(crate) fn refund(progress: &Progress) -> Option<Refund> {
    undo::refund_of(progress.side("pay", Direction::Back))
}

/// State of the CRM after our write.
pub(crate) fn moved(progress: &Progress) -> Option<Trace> {
    progress
        .done("move", Direction::Forward)
        .and_then(bridge::read)
}
