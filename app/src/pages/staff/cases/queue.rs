//! Queue responsible for a case, by its type.

use dewy_domain::{tool_output::CaseListItem, vocabulary::CaseType};

use crate::pages::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    All,
    Housekeeping,
    Maintenance,
    /// Guest requests for the front desk.
    Desk,
}

impl Queue {
    /// In display order.
    pub const ALL_QUEUES: [Self; 4] =
        [Self::All, Self::Housekeeping, Self::Maintenance, Self::Desk];

    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Housekeeping => "housekeeping",
            Self::Maintenance => "maintenance",
            Self::Desk => "desk",
        }
    }

    /// Label.
    pub const fn word(self) -> &'static str {
        match self {
            Self::All => "All",
            Self::Housekeeping => "Housekeeping",
            Self::Maintenance => "Maintenance",
            Self::Desk => "Front desk",
        }
    }

    /// Requested queue, or else the user's own.
    pub fn selected(asked: Option<&str>, user: &SignedIn) -> Self {
        let own = match user.caller.role {
            Some(Role::Housekeeping) => Self::Housekeeping,
            Some(Role::Maintenance) => Self::Maintenance,
            _ => Self::All,
        };
        asked
            .and_then(|name| {
                Self::ALL_QUEUES
                    .into_iter()
                    .find(|queue| queue.name() == name)
            })
            .unwrap_or(own)
    }

    /// Whether the case belongs to the queue; an unknown type belongs to the front desk.
    pub fn has(self, case: &CaseListItem) -> bool {
        let of = match case.kind {
            CaseType::Housekeeping => Self::Housekeeping,
            CaseType::Maintenance | CaseType::Facilities => Self::Maintenance,
            _ => Self::Desk,
        };
        self == Self::All || self == of
    }
}
