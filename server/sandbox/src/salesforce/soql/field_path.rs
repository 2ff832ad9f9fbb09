//! Resolves names to columns: the path to a field over parents, and the value a filter compares it
//! with.

use super::super::error::{ApiError, ApiResult};
use super::super::field_value::FieldValue;
use super::super::id::SfId;
use super::super::org_records::{OrgRecords, Record};
use super::super::schema::{Column, Field, Kind, Object};
use super::ast::{Literal, Path};

/// Maximum number of parents in a path.
const MAX_PARENTS: usize = 5;

/// Path from a record to a value.
#[derive(Debug)]
pub struct FieldPath {
    /// References to follow, with the object each leads to.
    pub hops: Vec<ParentStep>,
    /// Field at the end of the path.
    pub field: &'static Field,
    /// Its location in that object.
    pub column: Column,
}

#[derive(Clone, Copy, Debug)]
pub struct ParentStep {
    /// Canonical name of the relationship.
    pub name: &'static str,
    /// Reference.
    pub column: Column,
    pub object: &'static Object,
}

impl FieldPath {
    /// Resolves a path. It may start with the object's name or alias.
    ///
    /// # Errors
    /// `INVALID_FIELD` for an unknown name.
    pub fn find(
        records: &OrgRecords,
        object: &'static Object,
        alias: Option<&str>,
        path: &Path,
    ) -> ApiResult<Self> {
        let mut parts = path.0.as_slice();
        if let [first, _, ..] = parts
            && (first.eq_ignore_ascii_case(object.name)
                || alias.is_some_and(|a| first.eq_ignore_ascii_case(a)))
            && object.parent(first).is_none()
        {
            parts = &parts[1..];
        }
        let Some((last, relationships)) = parts.split_last() else {
            return Err(no_column("", object));
        };
        if relationships.len() > MAX_PARENTS {
            let message = format!("{path}: more than {MAX_PARENTS} levels of relationships");
            return Err(ApiError::bad("INVALID_FIELD", message));
        }
        let mut here = object;
        let mut hops = Vec::new();
        for name in relationships {
            let (reference, column, parent) =
                here.parent(name).ok_or_else(|| no_relationship(name))?;
            let lookup = here.columns().find(|(_, own)| *own == column);
            if lookup.is_some_and(|(field, _)| !records.permissions.shows(here, field)) {
                return Err(no_relationship(name));
            }
            hops.push(ParentStep {
                name: reference.parent,
                column,
                object: parent,
            });
            here = parent;
        }
        let (field, column) = here
            .field(last)
            .filter(|(f, _)| records.has(f) && records.permissions.shows(here, f))
            .ok_or_else(|| no_column(last, here))?;
        Ok(Self {
            hops,
            field,
            column,
        })
    }

    /// Value for a record; null when a parent on the path is missing.
    #[must_use]
    pub fn read(
        &self,
        records: &OrgRecords,
        object: &'static Object,
        record: &Record,
    ) -> FieldValue {
        let mut here = object;
        let mut record = record;
        for hop in &self.hops {
            let parent = records
                .value(here, record, hop.column)
                .as_id()
                .and_then(|id| records.get(hop.object, id));
            let Some(parent) = parent else {
                return FieldValue::Null;
            };
            here = hop.object;
            record = parent;
        }
        records.value(here, record, self.column)
    }

    /// Value of a literal, if its type fits the field.
    ///
    /// # Errors
    /// `INVALID_FIELD` for missing or unexpected quotes.
    pub fn literal(&self, literal: &Literal) -> ApiResult<FieldValue> {
        self.need_filterable()?;
        let (wanted, quotes) = wanted(self.field.kind);
        Ok(match (wanted, literal) {
            (_, Literal::Null) => FieldValue::Null,
            ("id", Literal::Text(text)) if text.is_empty() => FieldValue::Null,
            ("id", Literal::Text(text)) => FieldValue::Id(SfId::parse(text).ok_or_else(|| {
                ApiError::bad(
                    "INVALID_QUERY_FILTER_OPERATOR",
                    format!("invalid ID field: {text}"),
                )
            })?),
            ("string", Literal::Text(text)) => FieldValue::text(text),
            ("boolean", Literal::Bool(yes)) => FieldValue::Bool(*yes),
            ("double" | "currency", Literal::Number(number)) => FieldValue::Number(*number),
            ("date", Literal::Date(date)) => FieldValue::Date(*date),
            ("dateTime", Literal::DateTime(moment)) => FieldValue::DateTime(*moment),
            _ => {
                let message = format!(
                    "value of filter criterion for field '{}' must be of type {wanted} and should {quotes} enclosed in quotes",
                    self.field.name
                );
                return Err(ApiError::bad("INVALID_FIELD", message));
            }
        })
    }

    /// Checks that the field can be filtered; long text can only be selected.
    ///
    /// # Errors
    /// `INVALID_FIELD` if it can't.
    pub fn need_filterable(&self) -> ApiResult<()> {
        if matches!(self.field.kind, Kind::LongText(_)) {
            let message = format!(
                "field '{}' can not be filtered in a query call",
                self.field.name
            );
            return Err(ApiError::bad("INVALID_FIELD", message));
        }
        Ok(())
    }
}

/// Type of literal for a field, and whether it is quoted.
fn wanted(kind: Kind) -> (&'static str, &'static str) {
    use super::super::schema::Computed;
    match kind {
        Kind::Id | Kind::Reference(_) => ("id", "be"),
        Kind::Bool
        | Kind::Computed(
            Computed::OpportunityClosed | Computed::OpportunityWon | Computed::CaseClosed,
        ) => ("boolean", "not be"),
        Kind::Number(..)
        | Kind::Computed(Computed::BookingNights | Computed::OpportunityNights) => {
            ("double", "not be")
        }
        Kind::Currency(..) => ("currency", "not be"),
        Kind::Date => ("date", "not be"),
        Kind::DateTime => ("dateTime", "not be"),
        _ => ("string", "be"),
    }
}

/// Whether the field holds text, so that LIKE applies.
#[must_use]
pub fn is_text(field: &Field) -> bool {
    wanted(field.kind).0 == "string"
}

fn no_relationship(name: &str) -> ApiError {
    let message = format!(
        "Didn't understand relationship '{name}' in field path. If you are attempting to use a custom relationship, be \
         sure to append the '__r' after the custom relationship name. Please reference your WSDL or the describe call \
         for the appropriate names."
    );
    ApiError::bad("INVALID_FIELD", message)
}

fn no_column(name: &str, object: &Object) -> ApiError {
    let message = format!(
        "No such column '{name}' on entity '{}'. If you are attempting to use a custom field, be sure to append the \
         '__c' after the custom field name. Please reference your WSDL or the describe call for the appropriate names.",
        object.name
    );
    ApiError::bad("INVALID_FIELD", message)
}
