//! Callers: who makes a call, and through which interface.

use crate::{email_address::EmailAddress, guest_identity::GuestIdentity};
use serde::{Deserialize, Serialize};

/// The kind of caller, which determines the tools they see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Persona {
    /// A hotel guest, tied to one email address, and to their own contacts if others share it.
    Guest,
    /// A hotel employee.
    Staff,
}

impl Persona {
    /// Name in URLs and tokens.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Guest => "guest",
            Self::Staff => "staff",
        }
    }
}

/// What a staff member may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    FrontDesk,
    /// Housekeeping: rooms.
    Housekeeping,
    /// Maintenance: repairs.
    Maintenance,
    /// Everything, including refunds over the limit.
    Manager,
}

impl Role {
    pub const ALL: [Self; 4] = [
        Self::FrontDesk,
        Self::Housekeeping,
        Self::Maintenance,
        Self::Manager,
    ];

    /// Name in commands and the database.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FrontDesk => "front_desk",
            Self::Housekeeping => "housekeeping",
            Self::Maintenance => "maintenance",
            Self::Manager => "manager",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.name() == name)
    }

    /// Whether this role works with guests and their money, and so sees who they are.
    #[must_use]
    pub const fn knows_guests(self) -> bool {
        matches!(self, Self::FrontDesk | Self::Manager)
    }

    /// Whether this role may act in the other one: managers in all, the front desk in all but the
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

/// The interface a call came through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interface {
    /// A web page.
    Form,
    Chat,
    Mcp,
    Rest,
    /// The command line.
    Cli,
    /// The scheduler.
    Clock,
}

impl Interface {
    /// Name in the journal and the audit log.
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

/// What a call can be traced back to. No decision depends on it; the audit log stores it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// Credential used, by a name that reveals nothing: `token:tok_…`, `session:…`.
    pub credential: Option<String>,
    /// Request id, as in the log and the response header.
    pub request: Option<String>,
}

/// An authenticated caller. Created only by code that checked the credentials: a session, a token,
/// the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// Guest or staff.
    pub persona: Persona,
    /// Email address in lower case.
    pub email: EmailAddress,
    /// Record ids of a guest's own contacts if others have the same email; otherwise empty, and in
    /// callers stored by older releases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<String>,
    /// Role; guests have none.
    pub role: Option<Role>,
    /// Interface the call came through.
    pub interface: Interface,
    /// The credential is read-only: this caller sees no tool that writes.
    #[serde(default)]
    pub read_only: bool,
    /// What the call can be traced back to.
    #[serde(default)]
    pub origin: Origin,
}

impl Caller {
    /// Whether this is staff who work with guests and their money.
    #[must_use]
    pub fn is_front_desk(&self) -> bool {
        self.persona == Persona::Staff && self.role.is_some_and(Role::knows_guests)
    }

    /// Creates a guest caller who shares their email with nobody.
    #[must_use]
    pub fn guest(email: &str, interface: Interface) -> Self {
        Self::of(Persona::Guest, email, None, interface)
    }

    /// Creates a guest caller who may share their email with others.
    #[must_use]
    pub fn one_guest(guest: &GuestIdentity, interface: Interface) -> Self {
        Self {
            contacts: guest.contacts().to_vec(),
            ..Self::guest(guest.email(), interface)
        }
    }

    /// Creates a staff caller.
    #[must_use]
    pub fn staff(email: &str, role: Role, interface: Interface) -> Self {
        Self::of(Persona::Staff, email, Some(role), interface)
    }

    fn of(persona: Persona, email: &str, role: Option<Role>, interface: Interface) -> Self {
        Self {
            persona,
            email: email.into(),
            contacts: Vec::new(),
            role,
            interface,
            read_only: false,
            origin: Origin::default(),
        }
    }

    /// Returns this caller with the read-only flag set as given.
    #[must_use]
    pub const fn reading_only(mut self, read_only: bool) -> Self {
        self.read_only = read_only;
        self
    }

    /// Returns this caller with the credential's name.
    #[must_use]
    pub fn by_credential(mut self, credential: String) -> Self {
        self.origin.credential = Some(credential);
        self
    }

    /// Returns this caller with the request id.
    #[must_use]
    pub fn in_request(mut self, request: Option<String>) -> Self {
        self.origin.request = request;
        self
    }

    /// This person, among all with the same email.
    #[must_use]
    pub fn identity(&self) -> GuestIdentity {
        GuestIdentity::one_of_several(self.email.clone(), self.contacts.clone())
    }

    /// The guest, if a guest is calling; staff may act for any guest.
    #[must_use]
    pub fn calling_guest(&self) -> Option<GuestIdentity> {
        (self.persona == Persona::Guest).then(|| self.identity())
    }

    /// The guest whose records are meant: guests themselves, whatever they name; for staff whoever
    /// has the email that they name, if any.
    #[must_use]
    pub fn guest_meant(&self, named: Option<EmailAddress>) -> Option<GuestIdentity> {
        self.calling_guest()
            .or_else(|| named.map(GuestIdentity::whoever_has))
    }

    /// The stable name that scopes idempotency tokens, conversations and sessions:
    /// `guest:beth.gibbs@email.com`, with the contacts if others have the same email.
    #[must_use]
    pub fn key(&self) -> String {
        format!("{}:{}", self.persona.name(), self.identity())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_mean_themselves_whatever_they_name() {
        let anna = GuestIdentity::from("couple@example.com;003A");
        let guest = Caller::one_guest(&anna, Interface::Form);
        assert_eq!(guest.key(), "guest:couple@example.com;003A");
        for named in [
            None,
            Some("couple@example.com".into()),
            Some("b@example.com".into()),
        ] {
            assert_eq!(guest.guest_meant(named), Some(anna.clone()));
        }
        let desk = Caller::staff("desk@example.com", Role::FrontDesk, Interface::Form);
        let whoever = GuestIdentity::from("couple@example.com");
        assert_eq!(
            desk.guest_meant(Some("couple@example.com".into())),
            Some(whoever)
        );
        assert_eq!(desk.guest_meant(None), None);
        // As an older release stored it
        let stored = serde_json::json!({ "persona": "guest", "email": "a@b.c", "role": null, "interface": "chat" });
        let read: Caller = serde_json::from_value(stored).unwrap();
        assert_eq!(read.key(), "guest:a@b.c");
    }

    #[test]
    fn callers_never_exceed_their_role() {
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
