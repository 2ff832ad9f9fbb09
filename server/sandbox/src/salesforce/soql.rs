//! Subset of SOQL that a hotel needs: text → [`lexer`] → [`parser`] → [`ast`] → [`select`] (names
//! resolved, types checked) → records. Valid but unsupported SOQL returns `MALFORMED_QUERY`, never
//! a guess.

mod ast;
mod field_path;
mod filter;
mod lexer;
mod like_pattern;
mod matching;
mod parser;
mod result_shape;
mod select;

use serde_json::Value;

use super::error::ApiResult;
use super::org_records::OrgRecords;

/// Result of a query, before paging.
#[derive(Debug, Default)]
pub struct Found {
    /// Total number; a bare `COUNT()` has a total and no records.
    pub total: usize,
    /// Records as in a response.
    pub records: Vec<Value>,
}

/// Runs a query. `base` is the prefix of record URLs, such as `/services/data/v62.0`.
///
/// # Errors
/// `MALFORMED_QUERY`, `INVALID_FIELD`, `INVALID_TYPE` and similar.
pub fn run(records: &OrgRecords, text: &str, base: &str) -> ApiResult<Found> {
    let query = parser::parse(text)?;
    select::run(records, &query, base)
}
