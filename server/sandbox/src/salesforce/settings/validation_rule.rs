//! Validation rules.

use serde::{Deserialize, Serialize};

use super::{Condition, need_field, object};

/// A rule that refuses a save with `FIELD_CUSTOM_VALIDATION_EXCEPTION`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValidationRule {
    /// The object whose saves are checked.
    pub object: String,
    /// What is refused: records that have these values after the save.
    #[serde(default)]
    pub when: Condition,
    /// The administrator's words.
    pub message: String,
    /// The field that the message stands at; the top of the page by default.
    #[serde(default)]
    pub field: Option<String>,
    /// How many more saves it refuses; unlimited by default.
    #[serde(default)]
    pub count: Option<u32>,
}

impl ValidationRule {
    /// Whether it may refuse once more; counts the refusal.
    pub fn spend(&mut self) -> bool {
        match &mut self.count {
            None => true,
            Some(0) => false,
            Some(left) => {
                *left -= 1;
                true
            }
        }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        let object = object(&self.object)?;
        self.when.check(object)?;
        self.field
            .iter()
            .try_for_each(|name| need_field(object, name))
    }
}
