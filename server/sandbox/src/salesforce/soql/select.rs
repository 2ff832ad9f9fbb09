//! Executes a parsed query.

use serde_json::{Map, Value, json};

use super::super::error::{ApiError, ApiResult};
use super::super::org_records::OrgRecords;
use super::Found;
use super::ast::{Item, Select};
use super::field_path::FieldPath;
use super::filter::Scope;
use super::matching::{matching, object};
use super::result_shape::ResultShape;

/// Runs a whole query.
///
/// # Errors
/// As in a real org.
pub fn run(records: &OrgRecords, query: &Select, base: &str) -> ApiResult<Found> {
    let object = object(records, &query.from)?;
    let scope = Scope {
        records,
        object,
        alias: query.alias.as_deref(),
    };
    if query.items.iter().any(|i| matches!(i, Item::Count(..))) {
        return count(scope, query);
    }
    let shape = ResultShape::resolve(records, object, query, false)?;
    let rows = matching(scope, query)?;
    let records = rows
        .iter()
        .map(|r| shape.show(records, object, r, base))
        .collect::<ApiResult<Vec<_>>>()?;
    Ok(Found {
        total: records.len(),
        records,
    })
}

/// `COUNT()` returns only a total; `COUNT(field)` one record of counts.
fn count(scope: Scope<'_>, query: &Select) -> ApiResult<Found> {
    let mut columns = Vec::new();
    for item in &query.items {
        match item {
            Item::Count(None, None) if query.items.len() == 1 => {
                return Ok(Found {
                    total: matching(scope, query)?.len(),
                    records: Vec::new(),
                });
            }
            Item::Count(Some(path), alias) => {
                let name = alias
                    .clone()
                    .unwrap_or_else(|| format!("expr{}", columns.len()));
                columns.push((
                    name,
                    FieldPath::find(scope.records, scope.object, scope.alias, path)?,
                ));
            }
            Item::Path(path) => {
                return Err(ApiError::malformed(format!(
                    "Field must be grouped or aggregated: {path}"
                )));
            }
            _ => return Err(ApiError::malformed("unexpected token: 'COUNT'")),
        }
    }
    if !query.order.is_empty() || query.limit.is_some() {
        return Err(ApiError::malformed(
            "Ordered or limited aggregate queries need GROUP BY, which is not supported",
        ));
    }
    let rows = matching(scope, query)?;
    let mut counts =
        Map::from_iter([("attributes".to_owned(), json!({"type": "AggregateResult"}))]);
    for (name, access) in columns {
        let there = rows
            .iter()
            .filter(|r| !access.read(scope.records, scope.object, r).is_null())
            .count();
        counts.insert(name, json!(there));
    }
    Ok(Found {
        total: 1,
        records: vec![Value::Object(counts)],
    })
}
