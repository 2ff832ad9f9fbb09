//! Conditions of flows and rules.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::field_value::FieldValue;
use super::super::org_records::{OrgRecords, Record};
use super::super::schema::Object;
use super::need_field;

/// Required field values, all of them; the empty condition always holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Condition(pub BTreeMap<String, Value>);

impl Condition {
    #[must_use]
    pub fn holds(&self, records: &OrgRecords, object: &'static Object, record: &Record) -> bool {
        self.0.iter().all(|(name, wanted)| {
            object.field(name).is_some_and(|(_, column)| {
                records.value(object, record, column).to_json() == *wanted
            })
        })
    }

    /// Whether it holds now and did not before the write: the meaning of "only when a record is
    /// updated to meet the condition requirements" in Flow Builder.
    #[must_use]
    pub fn begins(
        &self,
        records: &OrgRecords,
        object: &'static Object,
        before: Option<&Record>,
        after: &Record,
    ) -> bool {
        let held =
            !self.0.is_empty() && before.is_some_and(|before| self.holds(records, object, before));
        !held && self.holds(records, object, after)
    }

    pub(super) fn check(&self, object: &'static Object) -> Result<(), String> {
        self.0.keys().try_for_each(|name| need_field(object, name))
    }
}

/// Value of a field, for comparisons.
#[must_use]
pub fn value(
    records: &OrgRecords,
    object: &'static Object,
    record: &Record,
    name: &str,
) -> FieldValue {
    object.field(name).map_or(FieldValue::Null, |(_, column)| {
        records.value(object, record, column)
    })
}
