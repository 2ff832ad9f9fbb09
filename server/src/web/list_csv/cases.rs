//! Cases as on their page: queue and assignee are filters of the page, so the page's filter is
//! applied here.

use dewy_app::{CaseFilter, is_front_desk};
use dewy_domain::{
    error_code::ErrorCode,
    ports::SignedIn,
    tool_output::{CaseListItem, ListResult},
};
use serde_json::{Value, json};

use super::{
    Files, ListQuery, Refused,
    lists::{CASES, CREW_CASES, List},
};

/// Cases that match the query, with the columns that the caller may see.
pub async fn read(
    files: &Files,
    user: &SignedIn,
    asked: &ListQuery,
) -> Result<(List, Value), Refused> {
    let filter = CaseFilter::of(|name| asked.get(name).map(String::as_str), user);
    let data = files
        .call(user, "search_cases_on_behalf_of_staff", filter.input())
        .await?;
    let list = if is_front_desk(user) {
        CASES
    } else {
        CREW_CASES
    };
    let mut found: ListResult<CaseListItem> =
        serde_json::from_value(data).map_err(|_| ErrorCode::Internal)?;
    found.rows = filter.narrow(found.rows);
    Ok((list, json!(found)))
}
