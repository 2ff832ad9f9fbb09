//! Executes a parsed query.

use serde_json::Value;

use super::super::error::ApiResult;
use super::super::org_records::OrgRecords;
use super::ast::Select;
use super::filter::Scope;
use super::matching::{matching, object};
use super::result_shape::ResultShape;

/// Runs a whole query.
///
/// # Errors
/// As in a real org.
pub fn run(records: &OrgRecords, query: &Select, base: &str) -> ApiResult<Vec<Value>> {
    let object = object(records, &query.from)?;
    let scope = Scope {
        records,
        object,
        alias: query.alias.as_deref(),
    };
    let shape = ResultShape::resolve(records, object, query, false)?;
    let rows = matching(scope, query)?;
    rows.iter()
        .map(|r| shape.show(records, object, r, base))
        .collect()
}
