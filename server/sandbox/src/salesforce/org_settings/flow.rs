//! Record-triggered flows.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Condition, need_field, object, spend};

/// Flow built by an administrator: changes fields when a record is saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flow {
    /// Object whose saves start it.
    pub object: String,
    /// When it runs.
    pub timing: FlowTiming,
    /// Saves that start it: those that make this condition true.
    #[serde(default)]
    pub when: Condition,
    /// Lookup whose record is changed, such as `Room__c`; by default the saved record itself.
    #[serde(default)]
    pub target: Option<String>,
    pub fields: Map<String, Value>,
    /// Remaining number of runs; unlimited by default.
    #[serde(default)]
    pub count: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FlowTiming {
    /// Before the row is written: part of the same write, with its stamp and user.
    BeforeSave,
    /// After it, in the same transaction: a separate write, a second later, by the same user.
    AfterSave,
    /// After the transaction, by the automated process user: not visible in the response.
    Asynchronous,
}

impl Flow {
    /// Whether it may run once more; counts the run.
    pub fn spend(&mut self) -> bool {
        spend(&mut self.count)
    }

    pub(super) fn check(&self) -> Result<(), String> {
        let saved = object(&self.object)?;
        self.when.check(saved)?;
        let changed = match &self.target {
            None => saved,
            Some(_) if self.timing == FlowTiming::BeforeSave => {
                return Err("a flow before the save changes the saved record alone".to_owned());
            }
            Some(lookup) => {
                let field = saved.field(lookup).and_then(|(field, _)| field.reference());
                object(
                    field
                        .ok_or_else(|| format!("{} has no lookup {lookup}", saved.name))?
                        .to,
                )?
            }
        };
        self.fields
            .keys()
            .try_for_each(|name| need_field(changed, name))
    }
}
