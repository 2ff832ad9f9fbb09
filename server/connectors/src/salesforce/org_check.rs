//! Requirements for an org, compared with its own description (`describe`). For the operator,
//! before the first guest: reports everything missing at once.

use std::{collections::BTreeMap, fmt};

use serde::Deserialize;

use super::{
    OrgVocabulary, UnknownWords,
    used_fields::{
        Need, USED,
        Use::{self, Change, Make, MakeAndChange, Read},
    },
};

/// External id fields that make creates idempotent.
const KEYS: [(&str, &str); 3] = [
    ("SMS_Notification__c", "Twilio_Message_SID__c"),
    ("Case", "External_ID__c"),
    ("Contact", "Unique_Email__c"),
];

/// What an org's own description tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrgCheck {
    pub lacks: Vec<MissingRequirement>,
    /// Its words that we don't know.
    pub unknown_words: Vec<UnknownWords>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MissingRequirement {
    /// The object doesn't exist, or the user may not see it.
    Object(&'static str),
    /// The field doesn't exist, or the user may not see it.
    Field(&'static str, &'static str),
    /// The same for a field that is left out.
    Hidden(&'static str, &'static str),
    /// The user may read the field but not write it.
    Right(&'static str, &'static str),
    /// The field is not a unique external id.
    Key(&'static str, &'static str),
    /// The account of new contacts doesn't exist, or the user may not see it.
    Account(String),
    /// A configured word is not a value of the picklist.
    Word {
        /// API name.
        object: &'static str,
        /// API name.
        field: &'static str,
        /// Name in the setting.
        name: &'static str,
        /// Configured value.
        word: String,
        /// Values of the org.
        has: Vec<String>,
    },
}

impl fmt::Display for MissingRequirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Object(object) => {
                write!(f, "there is no object {object}, or our user can't see it")
            }
            Self::Field(object, field) => {
                write!(f, "{object} has no field {field}, or our user can't see it")
            }
            Self::Hidden(object, field) => {
                write!(
                    f,
                    "{object} has no field {field}, or our user can't see it: it is left out"
                )
            }
            Self::Right(object, field) => write!(f, "our user can't write {object}.{field}"),
            Self::Key(object, field) => write!(f, "{object}.{field} must be a unique external ID"),
            Self::Account(id) => {
                write!(
                    f,
                    "there is no account {id} (SALESFORCE_GUEST_ACCOUNT), or our user can't see it"
                )
            }
            Self::Word {
                object,
                field,
                name,
                word,
                has,
            } => {
                write!(
                    f,
                    "{object}.{field} has no value {word:?} ({name}); it has {}",
                    has.join(", ")
                )
            }
        }
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Described {
    fields: Vec<FieldRow>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct FieldRow {
    name: String,
    createable: bool,
    updateable: bool,
    #[serde(default)]
    external_id: bool,
    #[serde(default)]
    unique: bool,
    #[serde(default)]
    picklist_values: Vec<Value>,
}

#[derive(Debug, Deserialize)]
struct Value {
    value: String,
    active: bool,
}

pub(super) fn objects() -> impl Iterator<Item = &'static str> {
    USED.iter().map(|(object, _)| *object)
}

/// Missing requirements, given the org's description of each object; `None` for an unknown object.
pub(super) fn lacks(
    org: &BTreeMap<&'static str, Option<Described>>,
    vocabulary: &OrgVocabulary,
) -> Vec<MissingRequirement> {
    let mut lacks = Vec::new();
    for (object, fields) in USED {
        let Some(described) = org.get(object).and_then(Option::as_ref) else {
            lacks.push(MissingRequirement::Object(object));
            continue;
        };
        for (field, wanted, need) in fields {
            let missing = match need {
                Need::Required | Need::Core => MissingRequirement::Field(object, field),
                Need::Shown | Need::Optional => MissingRequirement::Hidden(object, field),
            };
            lacks.extend(
                described
                    .field(field)
                    .map_or(Some(missing), |row| row.lack(object, field, *wanted)),
            );
        }
    }
    for word in vocabulary.all() {
        let (object, field) = word.list.place();
        let row = org
            .get(object)
            .and_then(Option::as_ref)
            .filter(|described| described.shows(field));
        // A missing field is reported above.
        let has = row.map(|described| described.values(field).map(str::to_owned));
        let has: Option<Vec<String>> = has.map(Iterator::collect);
        if let Some(has) = has.filter(|has| !has.iter().any(|value| value == word.theirs)) {
            lacks.push(MissingRequirement::Word {
                object,
                field,
                name: word.name,
                word: word.theirs.to_owned(),
                has,
            });
        }
    }
    lacks
}

impl Described {
    /// Active values of a picklist.
    pub(super) fn values(&self, field: &str) -> impl Iterator<Item = &str> {
        let values = self
            .field(field)
            .map_or(&[][..], |row| row.picklist_values.as_slice());
        let active = values.iter().filter(|value| value.active);
        active.map(|value| value.value.as_str())
    }

    /// Whether our user sees the field.
    pub(super) fn shows(&self, field: &str) -> bool {
        self.field(field).is_some()
    }

    /// Whether our user may write the field as it is used.
    pub(super) fn lets_write(&self, field: &str, wanted: Use) -> bool {
        self.field(field).is_some_and(|row| row.may(wanted))
    }

    fn field(&self, name: &str) -> Option<&FieldRow> {
        self.fields
            .iter()
            .find(|row| row.name.eq_ignore_ascii_case(name))
    }
}

impl FieldRow {
    const fn may(&self, wanted: Use) -> bool {
        match wanted {
            Read => true,
            Make => self.createable,
            Change => self.updateable,
            MakeAndChange => self.createable && self.updateable,
        }
    }

    fn lack(
        &self,
        object: &'static str,
        field: &'static str,
        wanted: Use,
    ) -> Option<MissingRequirement> {
        if !self.may(wanted) {
            return Some(MissingRequirement::Right(object, field));
        }
        (KEYS.contains(&(object, field)) && !(self.external_id && self.unique))
            .then_some(MissingRequirement::Key(object, field))
    }
}
