//! Cases as on their page: queue and assignee are filters of the page, so the page's filter is
//! applied here.

use dewy_app::CaseFilter;
use dewy_domain::{ports::SignedIn, tool_catalog::SearchCasesOnBehalfOfStaff};

use super::{
    Files, ListQuery, Refused,
    lists::{CASES, GUEST_COLUMNS},
    table::table,
};

/// Cases that match the query, with the columns that the caller may see.
pub async fn read(files: &Files, user: &SignedIn, asked: &ListQuery) -> Result<String, Refused> {
    let filter = CaseFilter::of(|name| asked.get(name).map(String::as_str), user);
    let found = files
        .call::<SearchCasesOnBehalfOfStaff>(user, filter.input())
        .await?;
    let seen = if user.caller.is_front_desk() {
        CASES.len()
    } else {
        CASES.len() - GUEST_COLUMNS
    };
    Ok(table(&CASES[..seen], &filter.narrow(found.rows), found.cut))
}
