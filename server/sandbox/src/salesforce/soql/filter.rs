//! Resolved WHERE condition, evaluated on records.

use std::collections::BTreeSet;

use super::super::error::{ApiError, ApiResult};
use super::super::field_value::FieldValue;
use super::super::id::SfId;
use super::super::org_records::{OrgRecords, Record};
use super::super::schema::Object;
use super::ast::{Compare, Filter, Piece, Select};
use super::field_path::{FieldPath, is_text};
use super::like_pattern;

/// Maximum number of semi-joins in one WHERE.
const MAX_JOINS: usize = 2;

/// Condition with resolved names, whose inner queries have been run.
#[derive(Debug)]
pub enum FilterTest {
    /// All are true.
    And(Vec<FilterTest>),
    /// At least one is true.
    Or(Vec<FilterTest>),
    Not(Box<FilterTest>),
    Compare(FieldPath, Compare, FieldValue),
    /// Pattern.
    Like(FieldPath, Vec<Piece>),
    /// List; `true` for NOT IN.
    In(FieldPath, bool, Vec<FieldValue>),
    /// Result of a semi-join; `true` for NOT IN.
    Among(FieldPath, bool, BTreeSet<SfId>),
}

pub type SemiJoin<'a> = &'a dyn Fn(Scope<'_>, &FieldPath, &Select) -> ApiResult<BTreeSet<SfId>>;

/// Scope for name resolution.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// All records, for inner queries.
    pub records: &'a OrgRecords,
    /// Selected object.
    pub object: &'static Object,
    pub alias: Option<&'a str>,
}

impl FilterTest {
    /// Resolves the names; `semi_join` runs an inner query for the ids that a field may have.
    ///
    /// # Errors
    /// As in a real org.
    pub fn resolve(scope: Scope<'_>, filter: &Filter, semi_join: SemiJoin<'_>) -> ApiResult<Self> {
        let all = |parts: &[Filter]| {
            parts
                .iter()
                .map(|p| Self::resolve(scope, p, semi_join))
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
            Filter::Not(inner) => Self::Not(Box::new(Self::resolve(scope, inner, semi_join)?)),
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

fn wrong_operator(access: &FieldPath) -> ApiError {
    ApiError::bad(
        "INVALID_QUERY_FILTER_OPERATOR",
        format!("invalid operator on field '{}'", access.field.name),
    )
}
