//! Whose work a case is, by its type.

use dewy_domain::{caller::Role, ports::SignedIn};

use super::CaseRow;

/// One of the queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// All of them.
    All,
    /// Rooms and linen.
    Housekeeping,
    /// What is broken.
    Maintenance,
    /// What guests ask the desk for.
    Desk,
}

impl Queue {
    /// In the order they are shown.
    pub const EACH: [Self; 4] = [Self::All, Self::Housekeeping, Self::Maintenance, Self::Desk];

    /// As in addresses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Housekeeping => "housekeeping",
            Self::Maintenance => "maintenance",
            Self::Desk => "desk",
        }
    }

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::All => "All",
            Self::Housekeeping => "Housekeeping",
            Self::Maintenance => "Maintenance",
            Self::Desk => "Front desk",
        }
    }

    /// The one that is asked for, else that of whoever asks.
    pub fn chosen(asked: Option<&str>, who: &SignedIn) -> Self {
        let own = match who.caller.role {
            Some(Role::Housekeeping) => Self::Housekeeping,
            Some(Role::Maintenance) => Self::Maintenance,
            _ => Self::All,
        };
        asked
            .and_then(|name| Self::EACH.into_iter().find(|queue| queue.name() == name))
            .unwrap_or(own)
    }

    /// Whether the case belongs there; what has no known type is the desk's.
    pub fn has(self, case: &CaseRow) -> bool {
        let of = match case.kind.as_str() {
            "Housekeeping" => Self::Housekeeping,
            "Maintenance" | "Facilities" => Self::Maintenance,
            _ => Self::Desk,
        };
        self == Self::All || self == of
    }
}
