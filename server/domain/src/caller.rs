//! Who is asking, and through which door.

use serde::{Deserialize, Serialize};

/// Which set of tools a caller sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Persona {
    /// A hotel guest, bound to one email.
    Guest,
    /// Somebody who works here.
    Staff,
}

impl Persona {
    /// As in URLs and tokens.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Guest => "guest",
            Self::Staff => "staff",
        }
    }
}

/// What a member of staff may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The desk.
    FrontDesk,
    /// Rooms.
    Housekeeping,
    /// Repairs.
    Maintenance,
    /// Everything, and refunds over the limit.
    Manager,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 4] = [Self::FrontDesk, Self::Housekeeping, Self::Maintenance, Self::Manager];

    /// As in commands and the database.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FrontDesk => "front_desk",
            Self::Housekeeping => "housekeeping",
            Self::Maintenance => "maintenance",
            Self::Manager => "manager",
        }
    }

    /// The role of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.name() == name)
    }
}

/// The door a call came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interface {
    /// A web page.
    Form,
    /// The concierge.
    Chat,
    /// The MCP endpoint.
    Mcp,
    /// The REST endpoint.
    Rest,
    /// The command line.
    Cli,
    /// The scheduler.
    Clock,
}

impl Interface {
    /// As in the journal and the audit trail.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Form => "form",
            Self::Chat => "chat",
            Self::Mcp => "mcp",
            Self::Rest => "rest",
            Self::Cli => "cli",
            Self::Clock => "clock",
        }
    }
}

/// An authenticated caller. Made only by what checked the credentials: a session, a token, the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// Guest or staff.
    pub persona: Persona,
    /// Email in lower case.
    pub email: String,
    /// Staff have one, guests none.
    pub role: Option<Role>,
    /// The door.
    pub interface: Interface,
}

impl Caller {
    /// A guest.
    #[must_use]
    pub fn guest(email: &str, interface: Interface) -> Self {
        Self { persona: Persona::Guest, email: email.to_lowercase(), role: None, interface }
    }

    /// A member of staff.
    #[must_use]
    pub fn staff(email: &str, role: Role, interface: Interface) -> Self {
        Self { persona: Persona::Staff, email: email.to_lowercase(), role: Some(role), interface }
    }

    /// The stable name within which idempotency tokens are unique: `guest:beth.gibbs@email.com`.
    #[must_use]
    pub fn key(&self) -> String {
        format!("{}:{}", self.persona.name(), self.email)
    }
}
