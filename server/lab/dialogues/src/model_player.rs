//! Players: who answers as the model.

use std::{fmt, str::FromStr};

/// Who answers as the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Ideal agent: the replies that the dialogue lists. Must always succeed.
    Gold,
    /// Agent that only asks to wait. Must never succeed.
    Nothing,
    /// Agent that proposes a check-out whatever was said, while a booking changes without a yes.
    /// Must always be seen.
    Reckless,
    /// The sandbox's offline model.
    Offline,
    /// The server that `OPENAI_BASE_URL` names.
    Model,
}

impl Player {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Gold,
        Self::Nothing,
        Self::Reckless,
        Self::Offline,
        Self::Model,
    ];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gold => "gold",
            Self::Nothing => "nothing",
            Self::Reckless => "reckless",
            Self::Offline => "offline",
            Self::Model => "model",
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|player| player.name() == text);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("{text} is not a player; use one of {names}")
        })
    }
}
