//! Records that match a query, in order. A filter's inner queries are run here.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::error::{ApiError, ApiResult};
use super::super::field_value::FieldValue;
use super::super::id::SfId;
use super::super::org_records::{OrgRecords, Record};
use super::super::schema::{Kind, Object};
use super::ast::{Filter, Item, Order, Select};
use super::field_path::FieldPath;
use super::filter::{FilterTest, Scope};

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

/// Matching records in order, up to the LIMIT.
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
        .map(|f| FilterTest::resolve(scope, f, &semi_join))
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
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        (false, false) if order.descending => b.compare(a, false),
        (false, false) => a.compare(b, false),
    }
}

/// `Id IN (SELECT Booking__c FROM Case …)`: ids on both sides, one level, another object.
fn semi_join(scope: Scope<'_>, access: &FieldPath, inner: &Select) -> ApiResult<BTreeSet<SfId>> {
    let [Item::Path(path)] = inner.items.as_slice() else {
        return Err(ApiError::malformed(
            "a semi join sub-select must select exactly one field",
        ));
    };
    let object = object(scope.records, &inner.from)?;
    if object.index == scope.object.index {
        return Err(ApiError::malformed(
            "The inner and outer selects should not be on the same object type",
        ));
    }
    if !inner.order.is_empty() || inner.limit.is_some() {
        return Err(ApiError::malformed(
            "ORDER BY and LIMIT are not allowed in a semi join sub-select",
        ));
    }
    if inner.filter.as_ref().is_some_and(has_semi_join) {
        return Err(ApiError::malformed(
            "Nesting of semi join sub-selects is not supported",
        ));
    }
    if !access.hops.is_empty() {
        return Err(ApiError::malformed(
            "the left operand of a semi join must be a field of the object itself",
        ));
    }
    let selected = FieldPath::find(scope.records, object, inner.alias.as_deref(), path)?;
    for side in [access, &selected] {
        if !matches!(side.field.kind, Kind::Id | Kind::Reference(_)) {
            let message = format!(
                "Invalid field for a semi join: {}; it must be an id or a reference",
                side.field.name
            );
            return Err(ApiError::malformed(message));
        }
    }
    if of(access, scope.object) != of(&selected, object) {
        let message = format!(
            "The selected field '{}' in the subquery and the left operand field in the where expression in the outer \
             query '{}' should point to the same object type",
            selected.field.name, access.field.name
        );
        return Err(ApiError::malformed(message));
    }
    let scope = Scope {
        records: scope.records,
        object,
        alias: inner.alias.as_deref(),
    };
    let rows = matching(scope, inner)?;
    Ok(rows
        .iter()
        .filter_map(|r| selected.read(scope.records, object, r).as_id())
        .collect())
}

/// Object whose ids a field holds.
fn of(access: &FieldPath, object: &Object) -> &'static str {
    let owner = access
        .hops
        .last()
        .map_or(object.name, |hop| hop.object.name);
    access
        .field
        .reference()
        .map_or(owner, |reference| reference.to)
}

fn has_semi_join(filter: &Filter) -> bool {
    match filter {
        Filter::And(parts) | Filter::Or(parts) => parts.iter().any(has_semi_join),
        Filter::Not(inner) => has_semi_join(inner),
        Filter::InSelect(..) => true,
        Filter::Compare(..) | Filter::Like(..) | Filter::In(..) => false,
    }
}
