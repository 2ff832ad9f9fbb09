//! Guests as one person: an email address, and where several people share it, this one's contacts.

use std::fmt::{self, Display, Formatter};

use crate::email_address::EmailAddress;

/// Separates email and contacts in text. No email address contains it.
const SEPARATOR: char = ';';

/// The guest whose records are meant. Every place that looks up a guest's records needs one, and
/// [`Self::owns`] alone decides whether a record is theirs.
///
/// As text: `beth@example.com`, or `couple@example.com;0035e…` where the email is shared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GuestIdentity {
    email: EmailAddress,
    contacts: Vec<String>,
}

impl GuestIdentity {
    /// Whoever has this email: a guest who shares it with nobody, or anybody whom staff name by it.
    #[must_use]
    pub const fn whoever_has(email: EmailAddress) -> Self {
        Self {
            email,
            contacts: Vec::new(),
        }
    }

    /// The one guest who has these contacts, of several with this email. Without contacts it is
    /// whoever has the email.
    #[must_use]
    pub const fn one_of_several(email: EmailAddress, contacts: Vec<String>) -> Self {
        Self { email, contacts }
    }

    /// Email, lower case.
    #[must_use]
    pub const fn email(&self) -> &EmailAddress {
        &self.email
    }

    /// Record ids of the contacts whose records are theirs; empty for those of everybody with the
    /// email.
    #[must_use]
    pub fn contacts(&self) -> &[String] {
        &self.contacts
    }

    /// Whether others have the same email.
    #[must_use]
    pub const fn shares_email(&self) -> bool {
        !self.contacts.is_empty()
    }

    /// Whether a record with this email and contact is this guest's.
    #[must_use]
    pub fn owns(&self, email: Option<&str>, contact: Option<&str>) -> bool {
        email.is_some_and(|email| email.to_lowercase() == self.email.as_str())
            && (self.contacts.is_empty()
                || contact.is_some_and(|contact| self.contacts.iter().any(|own| own == contact)))
    }
}

impl Display for GuestIdentity {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.email)?;
        self.contacts
            .iter()
            .try_for_each(|contact| write!(f, "{SEPARATOR}{contact}"))
    }
}

/// Reads what [`Display`] wrote.
impl From<&str> for GuestIdentity {
    fn from(text: &str) -> Self {
        let mut parts = text.split(SEPARATOR);
        Self {
            email: parts.next().unwrap_or_default().into(),
            contacts: parts.map(ToOwned::to_owned).collect(),
        }
    }
}

impl From<String> for GuestIdentity {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_several_owns_only_the_records_of_their_contacts() {
        let email = || EmailAddress::from("couple@example.com");
        let anna = GuestIdentity::one_of_several(email(), vec!["003A".into(), "003B".into()]);
        let whoever = GuestIdentity::whoever_has(email());
        for (address, contact, of_anna, of_whoever) in [
            (Some("Couple@Example.com"), Some("003A"), true, true),
            (Some("couple@example.com"), Some("003B"), true, true),
            (Some("couple@example.com"), Some("003C"), false, true),
            (Some("couple@example.com"), None, false, true),
            (Some("other@example.com"), Some("003A"), false, false),
            (None, Some("003A"), false, false),
        ] {
            assert_eq!(
                anna.owns(address, contact),
                of_anna,
                "{address:?} {contact:?}"
            );
            assert_eq!(
                whoever.owns(address, contact),
                of_whoever,
                "{address:?} {contact:?}"
            );
        }
        assert_eq!(anna.to_string(), "couple@example.com;003A;003B");
        assert_eq!(GuestIdentity::from(anna.to_string()), anna);
        assert_eq!(GuestIdentity::from("Couple@example.com"), whoever);
        assert_eq!(whoever.to_string(), "couple@example.com");
    }
}
