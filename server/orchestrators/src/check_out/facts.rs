//! What a check-out works from, as journaled: ids, states and amounts, no names.

use dewy_domain::{
    money::{Cents, Currency},
    payment::{Payment, Refund},
    ports::{PaidBy, Trace},
    stay::Stay,
};
use dewy_saga::{Direction, Progress};
use serde::{Deserialize, Serialize};

use crate::{bridge, undo};

/// The prerequisites' result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// The stay as read.
    pub stay: Stay,
    /// What is charged.
    pub balance: Cents,
    /// In what.
    pub currency: Currency,
    /// The guest's customer, if there is one.
    pub customer: Option<String>,
    /// The card; none is needed when the balance is nothing.
    pub payment_method: Option<String>,
}

/// The facts of an execution.
pub(crate) fn facts(progress: &Progress) -> Option<Facts> {
    progress.facts.as_ref().and_then(bridge::read)
}

/// The payment that was taken.
pub(crate) fn payment(progress: &Progress) -> Option<Payment> {
    progress
        .done("pay", Direction::Forward)
        .and_then(bridge::read)
}

/// The payment as the CRM records it.
pub(crate) fn paid_by(progress: &Progress) -> Option<PaidBy> {
    payment(progress).map(undo::paid_by)
}

/// The refund that was made or found.
pub(crate) fn refund(progress: &Progress) -> Option<Refund> {
    undo::refund_of(progress.side("pay", Direction::Back))
}

/// What the CRM looked like after our write.
pub(crate) fn moved(progress: &Progress) -> Option<Trace> {
    progress
        .done("move", Direction::Forward)
        .and_then(bridge::read)
}
