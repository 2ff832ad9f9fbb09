//! Outcome of one request, and its journal form: `{"outcome": "done", "value": …}`,
//! `{"outcome": "refused", "fault": …}`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Fault;

/// Outcome of one request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "outcome",
    rename_all = "snake_case",
    bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>")
)]
pub enum Outcome<T = Value> {
    /// Applied (or, for a read, answered), with what later steps need from the response. A journal
    /// has ids and states of it, no names.
    Done(#[serde(with = "value")] T),
    /// Permanently refused; nothing was applied.
    Refused(#[serde(with = "fault")] Fault),
    /// Definitely not applied; may be sent again later.
    TryLater(#[serde(with = "fault")] Fault),
    /// May have been applied, or may yet be.
    Unknown(#[serde(with = "fault")] Fault),
    /// Accepted; now someone else must act (a bank, a guest). A step decides so, with what the wait
    /// needs (ids, the URL to act at); no connector answers it.
    Waiting(#[serde(with = "value")] Value),
}

impl<T> Outcome<T> {
    /// The outcome that follows from a value; every other one stays.
    pub fn and_then<U>(self, judge: impl FnOnce(T) -> Outcome<U>) -> Outcome<U> {
        match self {
            Self::Done(value) => judge(value),
            Self::Refused(fault) => Outcome::Refused(fault),
            Self::TryLater(fault) => Outcome::TryLater(fault),
            Self::Unknown(fault) => Outcome::Unknown(fault),
            Self::Waiting(value) => Outcome::Waiting(value),
        }
    }

    /// Maps the value of `Done`.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Outcome<U> {
        self.and_then(|value| Outcome::Done(f(value)))
    }

    /// Result where only the answer matters, as of a read; everything else is an error.
    ///
    /// # Errors
    /// The [`Fault`] of any outcome but `Done`.
    pub fn answered(self) -> Result<T, Fault> {
        match self {
            Self::Done(value) => Ok(value),
            Self::Refused(fault) => Err(Fault {
                permanent: true,
                ..fault
            }),
            Self::TryLater(fault) | Self::Unknown(fault) => Err(fault),
            Self::Waiting(value) => {
                Err(Fault::new("waiting", "someone else must act first").with(value))
            }
        }
    }
}

impl<T: Serialize> Outcome<T> {
    /// The outcome as it is journaled. What a step returns always serializes; otherwise the null
    /// would be refused when it is read.
    #[must_use]
    pub fn journaled(self) -> Outcome {
        self.map(|value| serde_json::to_value(value).unwrap_or_default())
    }
}

/// A value under the name `value`.
mod value {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Named<T> {
        value: T,
    }

    pub(super) fn serialize<T: Serialize, S: Serializer>(
        value: &T,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        Named { value }.serialize(to)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<T, D::Error> {
        Named::deserialize(from).map(|named| named.value)
    }
}

/// A fault under the name `fault`.
mod fault {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Named<T> {
        fault: T,
    }

    pub(super) fn serialize<T: Serialize, S: Serializer>(
        fault: &T,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        Named { fault }.serialize(to)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        from: D,
    ) -> Result<T, D::Error> {
        Named::deserialize(from).map(|named| named.fault)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_journal_form_names_the_outcome_beside_its_value_or_fault() {
        let fault = json!({ "code": "timeout", "message": "no answer", "retry_after_ms": 7 });
        for (form, outcome) in [
            (
                json!({ "outcome": "done", "value": { "outcome": 1, "value": null } }),
                Outcome::Done(json!({ "outcome": 1, "value": null })),
            ),
            (
                json!({ "outcome": "done", "value": null }),
                Outcome::Done(Value::Null),
            ),
            (
                json!({ "outcome": "waiting", "value": "a bank" }),
                Outcome::Waiting(json!("a bank")),
            ),
            (
                json!({ "outcome": "try_later", "fault": fault }),
                Outcome::TryLater(Fault {
                    retry_after_ms: Some(7),
                    ..Fault::new("timeout", "no answer")
                }),
            ),
        ] {
            assert_eq!(serde_json::to_value(&outcome).unwrap(), form);
            assert_eq!(serde_json::from_value::<Outcome>(form).unwrap(), outcome);
        }
    }
}
