//! Resolved WHERE condition, evaluated on records.

use std::collections::BTreeSet;

use super::super::error::{ApiError, ApiResult};
use super::super::field_value::FieldValue;
use super::super::id::SfId;
use super::super::org_records::{OrgRecords, Record};
use super::super::schema::{Kind, Object};
use super::ast::{Compare, Filter, Item, Piece, Select};
use super::field_path::{FieldPath, is_text};
use super::{like_pattern, select};

/// Maximum number of semi-joins in one WHERE.
const MAX_JOINS: usize = 2;

/// Condition with resolved names, whose inner queries have been run.
#[derive(Debug)]
pub enum FilterTest {
    /// All are true.
    And(Vec<FilterTest>),
    /// At least one is true.
    Or(Vec<FilterTest>),
    /// It is false.
    Not(Box<FilterTest>),
    /// Comparison.
    Compare(FieldPath, Compare, FieldValue),
    /// Pattern.
    Like(FieldPath, Vec<Piece>),
    /// List; `true` for NOT IN.
    In(FieldPath, bool, Vec<FieldValue>),
    /// Result of a semi-join; `true` for NOT IN.
    Among(FieldPath, bool, BTreeSet<SfId>),
}

/// Scope for name resolution.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// All records, for inner queries.
    pub records: &'a OrgRecords,
    /// Selected object.
    pub object: &'static Object,
    /// Its alias.
    pub alias: Option<&'a str>,
}

impl FilterTest {
    /// Resolves the names and runs the inner queries.
    ///
    /// # Errors
    /// As in a real org.
    pub fn resolve(scope: Scope<'_>, filter: &Filter) -> ApiResult<Self> {
        let all = |parts: &[Filter]| {
            parts
                .iter()
                .map(|p| Self::resolve(scope, p))
                .collect::<ApiResult<Vec<_>>>()
        };
        let find = |path| FieldPath::find(scope.records, scope.object, scope.alias, path);
        Ok(match filter {
            Filter::And(parts)
                if parts
                    .iter()
                    .filter(|part| matches!(part, Filter::InSelect(..)))
                    .count()
                    > MAX_JOINS =>
            {
                return Err(ApiError::malformed(format!(
                    "a query may have at most {MAX_JOINS} semi join sub-selects"
                )));
            }
            Filter::And(parts) => Self::And(all(parts)?),
            Filter::Or(parts) => Self::Or(all(parts)?),
            Filter::Not(inner) => Self::Not(Box::new(Self::resolve(scope, inner)?)),
            Filter::Compare(path, operator, literal) => {
                let access = find(path)?;
                let value = access.literal(literal)?;
                let ordered = !matches!(operator, Compare::Equal | Compare::Unequal);
                if ordered && matches!(value, FieldValue::Bool(_) | FieldValue::Null) {
                    return Err(wrong_operator(&access));
                }
                Self::Compare(access, *operator, value)
            }
            Filter::Like(path, pattern) => {
                let access = find(path)?;
                access.need_filterable()?;
                if !is_text(access.field) {
                    return Err(wrong_operator(&access));
                }
                Self::Like(access, pattern.clone())
            }
            Filter::In(path, negated, literals) => {
                let access = find(path)?;
                let values = literals
                    .iter()
                    .map(|l| access.literal(l))
                    .collect::<ApiResult<_>>()?;
                Self::In(access, *negated, values)
            }
            Filter::InSelect(path, negated, inner) => {
                let access = find(path)?;
                let ids = semi_join(scope, &access, inner)?;
                Self::Among(access, *negated, ids)
            }
        })
    }

    /// Evaluates the condition on a record. As in SOQL, null is unequal to every value, and neither
    /// less nor greater than any.
    #[must_use]
    pub fn holds(&self, records: &OrgRecords, object: &'static Object, record: &Record) -> bool {
        match self {
            Self::And(parts) => parts.iter().all(|p| p.holds(records, object, record)),
            Self::Or(parts) => parts.iter().any(|p| p.holds(records, object, record)),
            Self::Not(inner) => !inner.holds(records, object, record),
            Self::Compare(access, operator, wanted) => {
                let value = access.read(records, object, record);
                let order = value.compare(wanted, access.field.case_sensitive);
                match operator {
                    Compare::Equal => order.is_eq(),
                    Compare::Unequal => order.is_ne(),
                    _ if value.is_null() => false,
                    Compare::Less => order.is_lt(),
                    Compare::AtMost => order.is_le(),
                    Compare::Greater => order.is_gt(),
                    Compare::AtLeast => order.is_ge(),
                }
            }
            Self::Like(access, pattern) => access
                .read(records, object, record)
                .as_text()
                .is_some_and(|text| like_pattern::matches(pattern, text)),
            Self::In(access, negated, wanted) => {
                let value = access.read(records, object, record);
                wanted
                    .iter()
                    .any(|w| value.compare(w, access.field.case_sensitive).is_eq())
                    != *negated
            }
            Self::Among(access, negated, ids) => {
                access
                    .read(records, object, record)
                    .as_id()
                    .is_some_and(|id| ids.contains(&id))
                    != *negated
            }
        }
    }
}

/// `Id IN (SELECT Booking__c FROM Case …)`: ids on both sides, one level, another object.
fn semi_join(scope: Scope<'_>, access: &FieldPath, inner: &Select) -> ApiResult<BTreeSet<SfId>> {
    let [Item::Path(path)] = inner.items.as_slice() else {
        return Err(ApiError::malformed(
            "a semi join sub-select must select exactly one field",
        ));
    };
    let object = select::object(scope.records, &inner.from)?;
    if object.index == scope.object.index {
        return Err(ApiError::malformed(
            "The inner and outer selects should not be on the same object type",
        ));
    }
    if !inner.order.is_empty() || inner.limit.is_some() || inner.offset > 0 {
        return Err(ApiError::malformed(
            "ORDER BY, LIMIT and OFFSET are not allowed in a semi join sub-select",
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
    let rows = select::matching(scope, inner)?;
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

fn wrong_operator(access: &FieldPath) -> ApiError {
    ApiError::bad(
        "INVALID_QUERY_FILTER_OPERATOR",
        format!("invalid operator on field '{}'", access.field.name),
    )
}
