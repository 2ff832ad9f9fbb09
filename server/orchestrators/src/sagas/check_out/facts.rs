//! Facts of a check-out, as journaled: ids, states and amounts, no names.

use dewy_domain::{
    card_id::CardId,
    money::{Cents, Currency},
    payment::{Customer, Payment, Refund},
    ports::CheckOutRecords,
    stay::Stay,
    tool_catalog::ProcessGuestCheckout,
};
use dewy_saga::{Progress, StepId};
use serde::{Deserialize, Serialize};

use crate::saga_parts::refund_and_revert::{Refunded, Reverted};

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
}

/// Customer of the payment system, as journaled.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Account {
    customer: String,
}

impl From<Customer> for Account {
    fn from(customer: Customer) -> Self {
        Self {
            customer: customer.id,
        }
    }
}

pub(crate) const CUSTOMER: StepId<Account> = StepId::new("customer");
pub(crate) const PAY: StepId<Payment, Refunded> = StepId::new("pay");
pub(crate) const MOVE: StepId<CheckOutRecords, Reverted> = StepId::new("move");

/// Customer that the check-out charges, found or created.
pub(crate) fn customer(progress: &Progress) -> Option<String> {
    progress.recorded(CUSTOMER).map(|account| account.customer)
}

/// The refund that was created or found.
pub(crate) fn refund(progress: &Progress) -> Option<Refund> {
    progress.undone(PAY).map(Refunded::total)
}

/// Whether a check-out stands: its pivot is journaled, and nothing was compensated.
pub(crate) fn is_completed(progress: &Progress) -> bool {
    progress.decision.is_none() && progress.is_done(MOVE)
}
