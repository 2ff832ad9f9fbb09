//! Port for cases.

use async_trait::async_trait;

use crate::{
    case::{Case, CaseChange, CaseQuery, OpenCaseRequest},
    upstream_request::{Call, Outcome},
};

/// The hotel's cases.
#[async_trait]
pub trait Cases: Send + Sync + std::fmt::Debug {
    /// Reads the matching cases in one query, newest first.
    async fn cases(&self, query: &CaseQuery) -> Outcome<Vec<Case>>;

    /// One composite: creates the case under our unique reference, then reads it. If the case
    /// exists already, the reply is `Refused` with the code `duplicate`.
    fn open_case(&self, order: &OpenCaseRequest) -> Call;

    /// One composite: a precondition on the case's status, the fields under its stamp, the comment
    /// unless there is one we have not read, then a read of the case.
    fn change_case(&self, there: &Case, change: &CaseChange) -> Call;

    /// Sends [`Cases::open_case`] or [`Cases::change_case`]. A failed precondition is `Refused`
    /// with the code `guard_failed`.
    async fn send_case(&self, call: &Call) -> Outcome<Case>;

    /// Rewrites the case's own external id under its stamp, so that a late effect of ours fails its
    /// own precondition. Sent with `Crm::send_touch`.
    fn touch_case(&self, there: &Case) -> Call;
}
