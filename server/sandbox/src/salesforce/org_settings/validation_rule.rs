//! Validation rules.

use serde::{Deserialize, Serialize};

use super::{Condition, need_field, object, spend};

/// Rule that rejects a save with `FIELD_CUSTOM_VALIDATION_EXCEPTION`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ValidationRule {
    /// Object whose saves are checked.
    pub object: String,
    /// Condition for rejection: records that have these values after the save.
    #[serde(default)]
    pub when: Condition,
    /// Message of the administrator.
    pub message: String,
    /// Field that shows the message; by default the top of the page.
    #[serde(default)]
    pub field: Option<String>,
    /// Remaining number of rejections; unlimited by default.
    #[serde(default)]
    pub count: Option<u32>,
}

impl ValidationRule {
    /// Whether it may reject once more; counts the rejection.
    pub fn spend(&mut self) -> bool {
        spend(&mut self.count)
    }

    pub(super) fn check(&self) -> Result<(), String> {
        let object = object(&self.object)?;
        self.when.check(object)?;
        self.field
            .iter()
            .try_for_each(|name| need_field(object, name))
    }
}
