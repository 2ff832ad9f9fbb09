//! Duplicate rules.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::super::field_value::FieldValue;
use super::super::org_records::{OrgRecords, Record};
use super::super::schema::Object;
use super::condition::value;
use super::{need_field, object};

/// Rule that rejects records similar to an existing one, with `DUPLICATES_DETECTED`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DuplicateRule {
    pub name: String,
    /// Object whose saves are checked.
    pub object: String,
    /// Groups of fields: a record matches when all fields of one group are non-empty and equal,
    /// ignoring case.
    pub matching: Vec<Vec<String>>,
    /// Whether the rule only alerts, so that `Sforce-Duplicate-Rule-Header: allowSave=true` saves
    /// the record anyway.
    #[serde(default = "yes")]
    pub alert: bool,
    /// Message for the person who enters the record.
    #[serde(default = "standard_message")]
    pub message: String,
}

fn yes() -> bool {
    true
}

fn standard_message() -> String {
    "Use one of these records?".to_owned()
}

impl DuplicateRule {
    /// Rule that is active in every new org. The real matching is fuzzier.
    #[must_use]
    pub fn standard_contact() -> Self {
        let group = |last: &str| ["FirstName", "LastName", last].map(str::to_owned).to_vec();
        Self {
            name: "Standard_Contact_Duplicate_Rule".to_owned(),
            object: "Contact".to_owned(),
            matching: vec![group("Email"), group("Phone"), group("MobilePhone")],
            alert: true,
            message: standard_message(),
        }
    }

    #[must_use]
    pub fn matches<'w>(
        &self,
        records: &'w OrgRecords,
        object: &'static Object,
        record: &Record,
    ) -> Vec<&'w Record> {
        let of = |record: &Record, name: &str| value(records, object, record, name);
        let same = |one: &FieldValue, other: &FieldValue| {
            !one.is_null() && one.compare(other, false).is_eq()
        };
        let others = records
            .table(object)
            .values()
            .filter(|other| other.id != record.id);
        let equal = |other: &Record| {
            let all = |group: &Vec<String>| {
                group
                    .iter()
                    .all(|name| same(&of(record, name), &of(other, name)))
            };
            self.matching.iter().any(all)
        };
        others
            .filter(|other| equal(other))
            .map(AsRef::as_ref)
            .collect()
    }

    /// `duplicateResult` of the error.
    #[must_use]
    pub fn result(&self, object: &Object, found: &[&Record], base: &str) -> Value {
        let records = found.iter().map(|record| {
            let url = format!("{base}/sobjects/{}/{}", object.name, record.id);
            json!({
                "additionalInformation": [], "fieldDiffs": [], "matchConfidence": 100.0,
                "record": {"attributes": {"type": object.name, "url": url}, "Id": record.id.as_str()},
            })
        });
        json!({
            "allowSave": self.alert, "duplicateRule": self.name, "duplicateRuleEntityType": object.name,
            "errorMessage": self.message,
            "matchResults": [{
                "entityType": object.name, "errors": [], "matchEngine": "FuzzyMatchEngine",
                "matchRecords": records.collect::<Vec<_>>(),
                "rule": format!("Standard_{}_Match_Rule_v1_1", object.name), "size": found.len(), "success": true,
            }],
        })
    }

    pub(super) fn check(&self) -> Result<(), String> {
        let object = object(&self.object)?;
        self.matching
            .iter()
            .flatten()
            .try_for_each(|name| need_field(object, name))
    }
}
