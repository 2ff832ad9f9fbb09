//! What watches the money when nobody calls: orphaned payments, reconciliation, the account, the pause.

pub(crate) mod account_monitor;
pub(crate) mod checkout_pause;
pub(crate) mod orphan_payments;
pub(crate) mod payment_monitor;
pub(crate) mod payment_reconciliation;
