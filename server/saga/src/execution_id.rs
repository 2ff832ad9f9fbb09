//! Execution ids.

use std::{fmt, str::FromStr};

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

/// Execution id; as text `exe_` and 32 hex digits of a time-ordered UUID.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExecutionId(pub Uuid);

impl ExecutionId {
    /// When it was made, to the millisecond; `None` if the UUID is not a time-ordered one.
    #[must_use]
    pub fn made_at(self) -> Option<Timestamp> {
        let (seconds, nanos) = self.0.get_timestamp()?.to_unix();
        Timestamp::new(i64::try_from(seconds).ok()?, i32::try_from(nanos).ok()?).ok()
    }
}

impl fmt::Display for ExecutionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exe_{}", self.0.simple())
    }
}

impl fmt::Debug for ExecutionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an execution id looks like exe_ followed by 32 hex digits")]
pub struct NotAnExecutionId;

impl FromStr for ExecutionId {
    type Err = NotAnExecutionId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let hex = text
            .strip_prefix("exe_")
            .filter(|h| h.len() == 32)
            .ok_or(NotAnExecutionId)?;
        Uuid::try_parse(hex).map(Self).map_err(|_| NotAnExecutionId)
    }
}

impl Serialize for ExecutionId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ExecutionId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        let id = ExecutionId(Uuid::from_u128(7));
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(id.made_at(), None);
        let id: ExecutionId = "exe_01a21b4a76bb74e793c0fcc06ee9806d"
            .parse()
            .expect("an id");
        assert_eq!(id.made_at(), "2026-11-27T04:36:34.619Z".parse().ok());
        for wrong in [
            "",
            "exe_",
            "exe_7",
            "pi_00000000000000000000000000000007",
            "exe_0000000000000000000000000000000g",
        ] {
            assert_eq!(
                wrong.parse::<ExecutionId>(),
                Err(NotAnExecutionId),
                "{wrong}"
            );
        }
    }
}
