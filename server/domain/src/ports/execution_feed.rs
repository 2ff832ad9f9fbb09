//! Executions as pages follow them.

use std::time::Duration;

use async_trait::async_trait;

use crate::{
    caller::Caller,
    checkout_pause::CheckoutPause,
    compensation_totals::CompensationTotals,
    error_code::ErrorCode,
    evidence::Evidence,
    execution_view::{ExecutionView, GuestActivity, MoneyCheck, RecordOwner},
    orphan_check_view::OrphanCheckView,
    ports::{Email, EmailStatus},
};

/// Subscription to executions.
#[async_trait]
pub trait ExecutionFeed: Send + Sync + std::fmt::Debug {
    /// An execution as this caller may see it.
    async fn execution(&self, caller: &Caller, id: &str) -> Option<ExecutionView>;

    /// The execution this caller started with that token, if any.
    async fn find_by_token(&self, caller: &Caller, token: &str) -> Option<ExecutionView>;

    /// A guest's activities, by them or on their behalf, latest first; empty for staff, who have
    /// `search_executions`.
    async fn activities(&self, caller: &Caller, at_most: usize) -> Vec<GuestActivity>;

    /// Returns the execution once it has more than `after` journal rows, or as it is after
    /// `at_most`.
    async fn changed(
        &self,
        caller: &Caller,
        id: &str,
        after: i64,
        at_most: Duration,
    ) -> Option<ExecutionView>;

    /// Due executions that only another release can continue, oldest first, for front desk and
    /// managers; `next` says why.
    async fn due_elsewhere(&self, caller: &Caller) -> Vec<ExecutionView>;

    /// A number that increases when any execution this caller may list changes. Returns once it
    /// differs from `after`, or after `at_most`. Lists are read with `search_executions` and
    /// `list_compensations`.
    async fn lists_changed(&self, caller: &Caller, after: i64, at_most: Duration) -> i64;

    /// An execution's money, read from the payment system now; `None` when none moved, the system
    /// does not answer, or the caller is not front desk staff.
    async fn money(&self, caller: &Caller, id: &str) -> Option<MoneyCheck>;

    /// An execution's evidence for people outside, for the front desk; `None` for others.
    async fn evidence(&self, caller: &Caller, id: &str) -> Option<Evidence> {
        let _ = (caller, id);
        None
    }

    /// Who looks after an execution, for the front desk; `None` if nobody ever did.
    async fn record_owner(&self, caller: &Caller, id: &str) -> Option<RecordOwner> {
        let _ = (caller, id);
        None
    }

    /// Makes the caller look after an execution, or nobody; false if the caller may not, or the store
    /// failed.
    async fn own_record(&self, caller: &Caller, id: &str, own: bool) -> bool {
        let _ = (caller, id, own);
        false
    }

    /// The orphan check's last run, for the front desk.
    async fn last_orphan_check(&self, caller: &Caller) -> Option<OrphanCheckView>;

    /// Money of compensations, for the front desk; `None` for others, or if the store failed.
    async fn compensation_totals(&self, caller: &Caller) -> Option<CompensationTotals>;

    /// The check-out pause and its reason, if any; for front desk and managers.
    async fn checkout_pause(&self, caller: &Caller) -> Option<CheckoutPause>;

    /// Lifts the check-out pause; false if the caller is no manager or the store failed.
    async fn lift_checkout_pause(&self, caller: &Caller) -> bool;

    /// Status of this check-out's receipt email.
    async fn email_status(&self, caller: &Caller, id: &str) -> EmailStatus {
        let _ = (caller, id);
        EmailStatus::Off
    }

    /// Emails a guest the receipt of their check-out, once; returns the execution that sends it.
    ///
    /// # Errors
    /// `EXECUTION_NOT_FOUND` for anything else, and the usual ones of a call that starts an execution.
    async fn email_receipt(
        &self,
        caller: &Caller,
        id: &str,
        email: Email,
    ) -> Result<String, ErrorCode> {
        let _ = (caller, id, email);
        Err(ErrorCode::ExecutionNotFound)
    }
}
