//! Cases, as the orchestrators need them.

use async_trait::async_trait;

use crate::{
    call::{Call, Reply},
    case::{Case, CaseChange, CaseOrder, CaseQuery},
};

/// The hotel's cases.
#[async_trait]
pub trait Cases: Send + Sync + std::fmt::Debug {
    /// The cases that fit, in one query, newest first.
    async fn cases(&self, query: &CaseQuery) -> Reply<Vec<Case>>;

    /// One composite: the case made under our unique reference, then the case as it is. Where it
    /// was made before, it is `Refused` with the code `duplicate`.
    fn open_case(&self, order: &CaseOrder) -> Call;

    /// One composite: a guard on the case's status, the fields under its stamp, the comment where
    /// there is none that we have not read, then the case as it is.
    fn change_case(&self, there: &Case, change: &CaseChange) -> Call;

    /// Sends [`Cases::open_case`] or [`Cases::change_case`]. A failed guard is `Refused` with the
    /// code `guard_failed`.
    async fn send_case(&self, call: &Call) -> Reply<Case>;

    /// Writes the case's own external id again under its stamp, so that a straggler of ours fails
    /// its own guard. Sent with `Crm::send_touch`.
    fn touch_case(&self, there: &Case) -> Call;
}
