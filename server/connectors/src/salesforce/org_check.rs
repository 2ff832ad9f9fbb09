//! Requirements for an org, compared with its own description (`describe`). For the operator,
//! before the first guest: reports everything missing at once.

use std::{collections::BTreeMap, fmt};

use serde::Deserialize;

use super::{OrgVocabulary, UnknownWords};

/// How a field is used; an API user with read-only access sees it anyway, so the permission is
/// checked too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Read,
    Make,
    Change,
    MakeAndChange,
}

use Use::{Change, Make, MakeAndChange, Read};

/// Every object and field named by a request, apart from those that every object has.
const USED: [(&str, &[(&str, Use)]); 8] = [
    (
        "Contact",
        &[
            ("Contact_Type__c", Make),
            ("Email", Make),
            ("Employee_ID__c", Read),
            ("FirstName", Make),
            ("LastName", Make),
            ("Loyalty_Number__c", Read),
            ("MobilePhone", Make),
            ("Phone", Read),
            ("Unique_Email__c", MakeAndChange),
        ],
    ),
    (
        "Opportunity",
        &[
            ("Amount", MakeAndChange),
            ("Arrival_Date__c", MakeAndChange),
            ("CloseDate", MakeAndChange),
            ("Departure_Date__c", MakeAndChange),
            ("Name", Make),
            ("Payment_ID__c", Change),
            ("StageName", MakeAndChange),
        ],
    ),
    (
        "Hotel_Room__c",
        &[
            ("Accessible__c", Read),
            ("Bed_Configuration__c", Read),
            ("Current_Guest__c", Change),
            ("Floor__c", Read),
            ("Max_Occupancy__c", Read),
            ("Nightly_Rate__c", Read),
            ("Room_Number__c", Read),
            ("Room_Type__c", Read),
            ("Square_Footage__c", Change),
            ("Status__c", Change),
            ("View_Type__c", Read),
        ],
    ),
    (
        "Booking__c",
        &[
            ("Check_In_Date__c", MakeAndChange),
            ("Check_Out_Date__c", MakeAndChange),
            ("External_ID__c", MakeAndChange),
            ("Name", Read),
            ("Number_of_Guests__c", MakeAndChange),
            ("Opportunity__c", Make),
            ("Primary_Guest__c", MakeAndChange),
            ("Room__c", MakeAndChange),
            ("Special_Requests__c", MakeAndChange),
            ("Status__c", MakeAndChange),
        ],
    ),
    (
        "Case",
        &[
            ("Booking__c", Make),
            ("CaseNumber", Read),
            ("ContactId", MakeAndChange),
            ("Description", MakeAndChange),
            ("External_ID__c", MakeAndChange),
            ("IsClosed", Read),
            ("Origin", Make),
            ("Priority", MakeAndChange),
            ("Room__c", MakeAndChange),
            ("Status", Change),
            ("Subject", MakeAndChange),
            ("Type", MakeAndChange),
        ],
    ),
    ("CaseComment", &[("CommentBody", Make), ("ParentId", Make)]),
    (
        "Payment_Transaction__c",
        &[
            ("Amount__c", Make),
            ("External_ID__c", Make),
            ("Last_4_Digits__c", Make),
            ("Name", Read),
            ("Opportunity__c", Make),
            ("Payment_Method__c", Make),
            ("Receipt_URL__c", Make),
            ("Status__c", MakeAndChange),
            ("Stripe_Transaction_ID__c", Make),
            ("Transaction_Date__c", Make),
            ("Transaction_Type__c", Make),
        ],
    ),
    (
        "SMS_Notification__c",
        &[
            ("Direction__c", Make),
            ("Message_Body__c", Make),
            ("Opportunity__c", Make),
            ("Sent_Date__c", Make),
            ("Status__c", Make),
            ("To_Phone_Number__c", Make),
            ("Twilio_Message_SID__c", Make),
        ],
    ),
];

/// External id fields that make creates idempotent.
const KEYS: [(&str, &str); 3] = [
    ("SMS_Notification__c", "Twilio_Message_SID__c"),
    ("Case", "External_ID__c"),
    ("Contact", "Unique_Email__c"),
];

/// What an org's own description tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrgCheck {
    /// What it lacks.
    pub lacks: Vec<MissingRequirement>,
    /// Its words that we don't know.
    pub unknown_words: Vec<UnknownWords>,
}

/// Missing requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MissingRequirement {
    /// The object doesn't exist, or the user may not see it.
    Object(&'static str),
    /// The field doesn't exist, or the user may not see it.
    Field(&'static str, &'static str),
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

/// Description of an object by the org.
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

/// Objects to describe.
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
        for (field, wanted) in fields {
            lacks.extend(
                described
                    .field(field)
                    .map_or(Some(MissingRequirement::Field(object, field)), |row| {
                        row.lack(object, field, *wanted)
                    }),
            );
        }
    }
    for word in vocabulary.all() {
        let (object, field) = word.list.place();
        let row = org
            .get(object)
            .and_then(Option::as_ref)
            .filter(|described| described.has(field));
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
    /// Whether it has this field.
    pub(super) fn has(&self, field: &str) -> bool {
        self.field(field).is_some()
    }

    /// Active values of a picklist.
    pub(super) fn values(&self, field: &str) -> impl Iterator<Item = &str> {
        let values = self
            .field(field)
            .map_or(&[][..], |row| row.picklist_values.as_slice());
        let active = values.iter().filter(|value| value.active);
        active.map(|value| value.value.as_str())
    }

    fn field(&self, name: &str) -> Option<&FieldRow> {
        self.fields
            .iter()
            .find(|row| row.name.eq_ignore_ascii_case(name))
    }
}

impl FieldRow {
    fn lack(
        &self,
        object: &'static str,
        field: &'static str,
        wanted: Use,
    ) -> Option<MissingRequirement> {
        let may = match wanted {
            Read => true,
            Make => self.createable,
            Change => self.updateable,
            MakeAndChange => self.createable && self.updateable,
        };
        if !may {
            return Some(MissingRequirement::Right(object, field));
        }
        (KEYS.contains(&(object, field)) && !(self.external_id && self.unique))
            .then_some(MissingRequirement::Key(object, field))
    }
}
