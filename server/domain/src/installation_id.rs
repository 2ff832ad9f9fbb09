//! Installation ids. An installation is one store and the processes that use it.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

/// Installation id; as text `ins_` and 32 hex digits of a time-ordered UUID. Objects we create in
/// shared systems carry it, so that each installation acts only on its own payments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstallationId(pub Uuid);

impl InstallationId {
    /// Creates the id with that number; for simulated runs, where it follows from the seed.
    #[must_use]
    pub const fn of_number(number: u128) -> Self {
        Self(Uuid::from_u128(number))
    }
}

impl fmt::Display for InstallationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ins_{}", self.0.simple())
    }
}

impl fmt::Debug for InstallationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an installation id looks like ins_ followed by 32 hex digits")]
pub struct NotAnInstallationId;

impl FromStr for InstallationId {
    type Err = NotAnInstallationId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let hex = text
            .strip_prefix("ins_")
            .filter(|h| h.len() == 32)
            .ok_or(NotAnInstallationId)?;
        Uuid::try_parse(hex)
            .map(Self)
            .map_err(|_| NotAnInstallationId)
    }
}

impl Serialize for InstallationId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for InstallationId {
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
        let id = InstallationId::of_number(7);
        assert_eq!(id.to_string(), "ins_00000000000000000000000000000007");
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(
            serde_json::from_str::<InstallationId>(&serde_json::to_string(&id).unwrap()).unwrap(),
            id
        );
        for wrong in [
            "",
            "ins_",
            "ins_7",
            "exe_00000000000000000000000000000007",
            "ins_0000000000000000000000000000000g",
        ] {
            assert_eq!(
                wrong.parse::<InstallationId>(),
                Err(NotAnInstallationId),
                "{wrong}"
            );
        }
    }
}
