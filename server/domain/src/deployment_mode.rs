//! Deployment modes.

use std::{fmt, str::FromStr};

/// Deployment mode, lowest first. A store never goes back to a lower one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeploymentMode {
    /// The sandbox replaces every outside system; demo accounts, codes and test cards are shown.
    #[default]
    Demo,
    /// Real accounts in test mode, mixed with sandboxed systems as configured.
    Trial,
    /// Real guests and real money; no sandbox.
    Live,
}

impl DeploymentMode {
    /// Every mode, lowest first.
    pub const ALL: [Self; 3] = [Self::Demo, Self::Trial, Self::Live];

    /// Name in `DEWY_MODE` and in the store.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Demo => "demo",
            Self::Trial => "trial",
            Self::Live => "live",
        }
    }
}

impl fmt::Display for DeploymentMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a mode is demo, trial or live")]
pub struct NotAMode;

impl FromStr for DeploymentMode {
    type Err = NotAMode;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|mode| mode.name() == text)
            .ok_or(NotAMode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_round_trip_and_are_ordered() {
        for mode in DeploymentMode::ALL {
            assert_eq!(mode.to_string().parse(), Ok(mode));
        }
        assert_eq!("LIVE".parse::<DeploymentMode>(), Err(NotAMode));
        assert!(
            DeploymentMode::Demo < DeploymentMode::Trial
                && DeploymentMode::Trial < DeploymentMode::Live
        );
    }
}
