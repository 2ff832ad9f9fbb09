//! Executes a parsed query.

use std::cmp::Ordering;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::super::error::{ApiError, ApiResult};
use super::super::field_value::FieldValue;
use super::super::org_records::{OrgRecords, Record};
use super::super::schema::{Kind, Object};
use super::Found;
use super::ast::{Item, Order, Select};
use super::field_path::FieldPath;
use super::filter::{FilterTest, Scope};
use super::result_shape::ResultShape;

/// Object named by a query.
///
/// # Errors
/// `INVALID_TYPE` if there is none.
pub fn object(records: &OrgRecords, name: &str) -> ApiResult<&'static Object> {
    let there = |object: &&Object| records.currencies.is_some() || !object.needs_multi_currency();
    Object::named(name).filter(there).ok_or_else(|| {
        let message = format!(
            "sObject type '{name}' is not supported. If you are attempting to use a custom object, be sure to append \
             the '__c' after the entity name. Please reference your WSDL or the describe call for the appropriate names."
        );
        ApiError::bad("INVALID_TYPE", message)
    })
}

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

/// Matching records in order, after OFFSET and LIMIT.
///
/// # Errors
/// Errors of the filter or the order.
pub fn matching<'a>(scope: Scope<'a>, query: &Select) -> ApiResult<Vec<&'a Arc<Record>>> {
    matching_of(scope, query, |_| true)
}

/// Like [`matching`], limited to records accepted by `mine`.
///
/// # Errors
/// Errors of the filter or the order.
pub fn matching_of<'a>(
    scope: Scope<'a>,
    query: &Select,
    mine: impl Fn(&Record) -> bool,
) -> ApiResult<Vec<&'a Arc<Record>>> {
    let Scope {
        records: world,
        object,
        ..
    } = scope;
    let test = query
        .filter
        .as_ref()
        .map(|f| FilterTest::resolve(scope, f))
        .transpose()?;
    let keys = query
        .order
        .iter()
        .map(|o| Ok((key(scope, o)?, o)))
        .collect::<ApiResult<Vec<_>>>()?;
    let mut rows: Vec<_> = world
        .table(object)
        .values()
        .filter(|r| mine(r) && test.as_ref().is_none_or(|t| t.holds(world, object, r)))
        .collect();
    if !keys.is_empty() {
        rows.sort_by(|a, b| {
            let by_key = keys.iter().map(|(access, order)| {
                in_order(
                    &access.read(world, object, a),
                    &access.read(world, object, b),
                    order,
                )
            });
            by_key.fold(Ordering::Equal, Ordering::then)
        });
    }
    Ok(rows
        .into_iter()
        .skip(query.offset)
        .take(query.limit.unwrap_or(usize::MAX))
        .collect())
}

fn key(scope: Scope<'_>, order: &Order) -> ApiResult<FieldPath> {
    let access = FieldPath::find(scope.records, scope.object, scope.alias, &order.path)?;
    if matches!(access.field.kind, Kind::LongText(_)) {
        let message = format!(
            "field '{}' can not be sorted in a query call",
            access.field.name
        );
        return Err(ApiError::bad("INVALID_FIELD", message));
    }
    Ok(access)
}

fn in_order(a: &FieldValue, b: &FieldValue, order: &Order) -> Ordering {
    match (a.is_null(), b.is_null()) {
        (true, true) => Ordering::Equal,
        (true, false) if order.nulls_last => Ordering::Greater,
        (false, true) if order.nulls_last => Ordering::Less,
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) if order.descending => b.compare(a, false),
        (false, false) => a.compare(b, false),
    }
}
