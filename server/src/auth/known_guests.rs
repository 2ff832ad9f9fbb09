//! The guests behind an email. Several persons may share one, such as a couple: contacts with the
//! same phone number, or with none, are one guest, and others are somebody else.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use dewy_domain::{
    email_address::EmailAddress,
    guest_identity::GuestIdentity,
    ports::{Clock, Contact, Crm},
    upstream_request::Fault,
};
use jiff::{SignedDuration, Timestamp};

/// How long it is known who has an email.
const LIFETIME: SignedDuration = SignedDuration::from_mins(1);
/// Pause before the next read after a failed one.
const PAUSE: SignedDuration = SignedDuration::from_mins(1);
/// Maximum time that a page waits for a look-up.
const PAGE_WAIT: Duration = Duration::from_secs(2);
/// More guests than are signed in at once; bounds the memory.
const MAX_EMAILS: usize = 4096;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownGuest {
    /// Their contacts, if others have the same email.
    pub identity: GuestIdentity,
    /// Their oldest contact.
    pub contact: Contact,
}

/// The guests with this email, by their oldest contact.
#[must_use]
pub fn guests_of(email: &EmailAddress, contacts: Vec<Contact>) -> Vec<KnownGuest> {
    let mut guests: Vec<(Contact, Vec<String>)> = Vec::new();
    for contact in contacts {
        let is_same = |(of, _): &&mut (Contact, _)| number(of) == number(&contact);
        match guests.iter_mut().find(is_same) {
            Some((_, ids)) => ids.push(contact.id),
            None => {
                let ids = vec![contact.id.clone()];
                guests.push((contact, ids));
            }
        }
    }
    let shared = guests.len() > 1;
    let known = |(contact, ids)| KnownGuest {
        identity: if shared {
            GuestIdentity::one_of_several(email.clone(), ids)
        } else {
            GuestIdentity::whoever_has(email.clone())
        },
        contact,
    };
    guests.into_iter().map(known).collect()
}

/// Number that tells guests apart: also one that can't be texted, such as an extension.
fn number(contact: &Contact) -> Option<&String> {
    contact.phone.as_ref().or(contact.stored_phone.as_ref())
}

/// Reads the guests behind emails, and remembers them.
#[derive(Clone, Debug)]
pub struct KnownGuests {
    crm: Arc<dyn Crm>,
    clock: Arc<dyn Clock>,
    last: Arc<Mutex<HashMap<EmailAddress, LookUp>>>,
}

/// The last read, and what is known.
#[derive(Clone, Debug)]
struct LookUp {
    due: Timestamp,
    guests: Option<Vec<KnownGuest>>,
}

impl LookUp {
    fn is_shared(&self) -> Option<bool> {
        self.guests.as_ref().map(|guests| guests.len() > 1)
    }
}

impl KnownGuests {
    /// Creates an empty cache.
    #[must_use]
    pub fn new(crm: Arc<dyn Crm>, clock: Arc<dyn Clock>) -> Self {
        let last = Arc::default();
        Self { crm, clock, last }
    }

    /// The guests with this email, by their oldest contact.
    ///
    /// # Errors
    /// The CRM did not answer.
    pub async fn of(&self, email: &EmailAddress) -> Result<Vec<KnownGuest>, Fault> {
        let read = self.crm.contacts(email).await.answered();
        let guests = read.map(|contacts| guests_of(email, contacts));
        match &guests {
            Ok(guests) => self.note(email, Some(guests.clone()), LIFETIME),
            Err(_) => self.note(email, self.remembered(email), PAUSE),
        }
        guests
    }

    /// The guests with this email as they were last read; reads nothing.
    #[must_use]
    pub fn remembered(&self, email: &EmailAddress) -> Option<Vec<KnownGuest>> {
        self.last(email)?.guests
    }

    fn note(
        &self,
        email: &EmailAddress,
        guests: Option<Vec<KnownGuest>>,
        lifetime: SignedDuration,
    ) {
        let now = self.clock.now();
        let due = now + lifetime;
        let mut known = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        make_room(&mut known, now);
        known.insert(email.clone(), LookUp { due, guests });
    }

    /// Whether several guests have this email, at most a minute old; `None` if unknown because the
    /// CRM does not answer.
    pub async fn is_shared(&self, email: &EmailAddress) -> Option<bool> {
        match self.last(email) {
            Some(last) if last.guests.is_some() && last.due > self.clock.now() => last.is_shared(),
            last => match self.of(email).await {
                Ok(guests) => Some(guests.len() > 1),
                Err(_) => last.and_then(|last| last.is_shared()),
            },
        }
    }

    /// As [`Self::is_shared`], without delaying pages for long while the CRM does not answer.
    pub async fn is_shared_now(&self, email: &EmailAddress) -> Option<bool> {
        if let Some(last) = self.last(email).filter(|last| last.due > self.clock.now()) {
            return last.is_shared();
        }
        let read = tokio::time::timeout(PAGE_WAIT, self.is_shared(email)).await;
        read.unwrap_or_else(|_| {
            let last = self.last(email);
            let is_shared = last.as_ref().and_then(LookUp::is_shared);
            self.note(email, last.and_then(|last| last.guests), PAUSE);
            is_shared
        })
    }

    fn last(&self, email: &EmailAddress) -> Option<LookUp> {
        let known = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(email).cloned()
    }
}

/// Removes what is over or, if nothing is, the oldest: emails that strangers make up don't keep others
/// out.
fn make_room(known: &mut HashMap<EmailAddress, LookUp>, now: Timestamp) {
    if known.len() < MAX_EMAILS {
        return;
    }
    known.retain(|_, last| last.due > now);
    let oldest = known.iter().min_by_key(|(_, last)| last.due);
    if let (MAX_EMAILS.., Some((oldest, _))) = (known.len(), oldest) {
        let oldest = oldest.clone();
        known.remove(&oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_up_emails_neither_fill_the_memory_nor_keep_others_out() {
        let email = |n: usize| EmailAddress::from(format!("guest{n}@example.com"));
        let now = Timestamp::UNIX_EPOCH;
        let look_up = |minutes| LookUp {
            due: now + SignedDuration::from_mins(minutes),
            guests: None,
        };
        let mut known = HashMap::new();
        for n in 0..2 * MAX_EMAILS {
            make_room(&mut known, now);
            // Later ones last longer
            known.insert(email(n), look_up(1 + i64::try_from(n).unwrap()));
            assert!(known.len() <= MAX_EMAILS);
        }
        assert_eq!(known.len(), MAX_EMAILS);
        assert!(
            known.contains_key(&email(MAX_EMAILS)) && !known.contains_key(&email(MAX_EMAILS - 1))
        );
        // What is over goes first, and all of it
        let later = now + SignedDuration::from_mins(i64::try_from(MAX_EMAILS).unwrap() + 100);
        make_room(&mut known, later);
        assert_eq!(known.len(), MAX_EMAILS - 100);
    }

    fn contact(id: &str, phone: Option<&str>) -> Contact {
        Contact {
            id: id.to_owned(),
            first_name: String::new(),
            last_name: String::new(),
            phone: phone
                .filter(|phone| !phone.contains('x'))
                .map(ToOwned::to_owned),
            stored_phone: phone.map(ToOwned::to_owned),
        }
    }

    #[test]
    fn contacts_with_one_phone_or_none_are_one_guest() {
        let email = EmailAddress::from("couple@example.com");
        let identities = |contacts: &[(&str, Option<&str>)]| -> Vec<String> {
            let contacts = contacts.iter().map(|(id, phone)| contact(id, *phone));
            let guests = guests_of(&email, contacts.collect());
            guests
                .iter()
                .map(|guest| guest.identity.to_string())
                .collect()
        };
        let (one, two) = (Some("+12125550100"), Some("+12125550101"));
        assert_eq!(identities(&[]), [""; 0]);
        assert_eq!(identities(&[("A", one)]), ["couple@example.com"]);
        assert_eq!(
            identities(&[("A", one), ("B", one)]),
            ["couple@example.com"]
        );
        assert_eq!(
            identities(&[("A", None), ("B", None)]),
            ["couple@example.com"]
        );
        assert_eq!(
            identities(&[("A", one), ("B", two), ("C", one), ("D", None)]),
            [
                "couple@example.com;A;C",
                "couple@example.com;B",
                "couple@example.com;D"
            ]
        );
        // Neither can be texted
        let (four, seven) = (Some("+12125550100 x4"), Some("+12125550100 x7"));
        assert_eq!(
            identities(&[("A", four), ("B", seven), ("C", four)]),
            ["couple@example.com;A;C", "couple@example.com;B"]
        );
    }
}
