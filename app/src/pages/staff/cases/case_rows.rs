//! Cases as returned by `search_cases_on_behalf_of_staff`.

use dewy_domain::{
    tool_catalog::SearchCasesOnBehalfOfStaff,
    tool_output::{CaseListItem, ListResult},
    vocabulary::CaseStatus,
};
use jiff::Timestamp;

use crate::pages::{prelude::*, staff::staff_reads::read_tool};

/// Limit of the tool.
const MAX_CASES: u32 = 200;

/// Result of `search_cases_on_behalf_of_staff`, newest first.
pub type Cases = ListResult<CaseListItem>;

/// Next statuses of a case, with the labels of their buttons.
pub const fn next_statuses(status: &CaseStatus) -> &'static [(CaseStatus, &'static str)] {
    use CaseStatus::{Closed, InProgress, New};
    match status {
        New => &[(InProgress, "Start work")],
        Closed => &[(InProgress, "Open again")],
        // Whether an org's own status means that work has begun is unknown
        InProgress | CaseStatus::Other(_) => &[(Closed, "Done")],
    }
}

/// Sort key of a case: urgent cases first.
pub fn case_rank(case: &CaseListItem) -> (u8, Timestamp) {
    (case.priority.rank(), case.created_at)
}

/// Matching cases, up to the limit of the tool.
pub async fn cases(
    ctx: &PageContext,
    user: &SignedIn,
    mut input: Value,
    here: &str,
) -> Result<Result<Cases, FormDraft>, PageError> {
    input["limit"] = json!(MAX_CASES);
    read_tool::<SearchCasesOnBehalfOfStaff>(ctx, user, input, here).await
}

/// Case with that number, whatever its age.
pub async fn find(
    ctx: &PageContext,
    user: &SignedIn,
    number: &str,
    here: &str,
) -> Result<CaseListItem, PageError> {
    // An invalid number can't exist
    if number.is_empty() || number.len() > 10 || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(PageError::NotFound);
    }
    let found =
        read_tool::<SearchCasesOnBehalfOfStaff>(ctx, user, json!({ "case_number": number }), here)
            .await?;
    let found = found.map_err(|draft| {
        PageError::Error(ErrorPage {
            status: 502,
            title: draft.title,
            message: draft.message,
            links: Vec::new(),
        })
    })?;
    found.rows.into_iter().next().ok_or(PageError::NotFound)
}
