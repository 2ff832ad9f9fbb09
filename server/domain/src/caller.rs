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
    pub const ALL: [Self; 4] = [
        Self::FrontDesk,
        Self::Housekeeping,
        Self::Maintenance,
        Self::Manager,
    ];

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

    /// Whether whoever has this role deals with guests, and so sees who they are.
    #[must_use]
    pub const fn knows_guests(self) -> bool {
        matches!(self, Self::FrontDesk | Self::Manager)
    }

    /// Whether whoever has this role may act in that one: a manager in all, the desk in all but a
    /// manager's, others in their own.
    #[must_use]
    pub fn covers(self, other: Self) -> bool {
        match self {
            Self::Manager => true,
            Self::FrontDesk => other != Self::Manager,
            Self::Housekeeping | Self::Maintenance => self == other,
        }
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

/// What a call can be traced back to. It decides nothing; the audit trail keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Which credential let the caller in, by a name that gives nothing away: `token:tok_…`,
    /// `session:…`.
    pub credential: Option<String>,
    /// The id of the request, as in the log and in the answer's header.
    pub request: Option<String>,
}

/// An authenticated caller. Made only by what checked the credentials: a session, a token, the
/// command line.
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
    /// The credential is good for reading only: no tool that writes exists for this caller.
    #[serde(default)]
    pub read_only: bool,
    /// What the call can be traced back to.
    #[serde(default)]
    pub origin: Origin,
}

impl Caller {
    /// A guest.
    #[must_use]
    pub fn guest(email: &str, interface: Interface) -> Self {
        Self::of(Persona::Guest, email, None, interface)
    }

    /// A member of staff.
    #[must_use]
    pub fn staff(email: &str, role: Role, interface: Interface) -> Self {
        Self::of(Persona::Staff, email, Some(role), interface)
    }

    fn of(persona: Persona, email: &str, role: Option<Role>, interface: Interface) -> Self {
        Self {
            persona,
            email: email.to_lowercase(),
            role,
            interface,
            read_only: false,
            origin: Origin::default(),
        }
    }

    /// The same, good for reading only if so.
    #[must_use]
    pub const fn reading_only(mut self, read_only: bool) -> Self {
        self.read_only = read_only;
        self
    }

    /// The same, let in by that credential.
    #[must_use]
    pub fn by_credential(mut self, credential: String) -> Self {
        self.origin.credential = Some(credential);
        self
    }

    /// The same, in that request.
    #[must_use]
    pub fn in_request(mut self, request: Option<String>) -> Self {
        self.origin.request = request;
        self
    }

    /// The stable name within which idempotency tokens are unique: `guest:beth.gibbs@email.com`.
    #[must_use]
    pub fn key(&self) -> String {
        format!("{}:{}", self.persona.name(), self.email)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_acts_above_their_role() {
        let covered = |role: Role| {
            Role::ALL
                .into_iter()
                .filter(|other| role.covers(*other))
                .count()
        };
        assert_eq!(Role::ALL.map(covered), [3, 1, 1, 4]);
        assert!(!Role::FrontDesk.covers(Role::Manager));
    }
}
