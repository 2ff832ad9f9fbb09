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

/// Runs a query: its records as in a response, before paging. `base` is the prefix of record URLs, such as `/services/data/v62.0`.
///
/// # Errors
/// `MALFORMED_QUERY`, `INVALID_FIELD`, `INVALID_TYPE` and similar.
pub fn run(records: &OrgRecords, text: &str, base: &str) -> ApiResult<Vec<Value>> {
    let query = parser::parse(text)?;
    select::run(records, &query, base)
}
