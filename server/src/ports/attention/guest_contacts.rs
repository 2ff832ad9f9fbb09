//! Names and phone numbers of guests in an emergency: looked up in the background so that no page
//! waits, and refreshed regularly so that staff dial the current number.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use dewy_domain::{
    caller::{Caller, Interface, Role},
    ports::{Clock, Dispatcher},
    tool_catalog::SearchGuests,
    tool_output::{GuestListItem, ListResult},
};
use dewy_orchestrators::Hotel;
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

/// Pause before a failed look-up is repeated.
const PAUSE: SignedDuration = SignedDuration::from_secs(10);
/// Age from which a contact is looked up again.
const CONTACT_LIFETIME: SignedDuration = SignedDuration::from_secs(30);
/// Number of guests that are remembered.
const MAX_GUESTS: usize = 100;

/// What is known of a guest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Contact {
    pub name: Option<String>,
    pub phone: Option<String>,
}

/// Contacts by the guest's identity, as text.
#[derive(Clone, Debug)]
pub(super) struct Contacts {
    known: Arc<Mutex<BTreeMap<String, LookUp>>>,
    clock: Arc<dyn Clock>,
}

/// When the last look-up began, and what is known.
#[derive(Debug)]
struct LookUp {
    begun: Timestamp,
    found: Option<Contact>,
}

impl LookUp {
    /// Whether it is time for the next one.
    fn is_due(&self, now: Timestamp) -> bool {
        let wait = if self.found.is_some() {
            CONTACT_LIFETIME
        } else {
            PAUSE
        };
        now.duration_since(self.begun).abs() >= wait
    }
}

impl Contacts {
    /// Creates an empty cache.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let known = Arc::default();
        Self { known, clock }
    }

    /// Cached contacts of these guests; missing and stale ones are looked up for the next read.
    pub fn of(
        &self,
        hotel: &Arc<Hotel>,
        emails: impl Iterator<Item = String>,
    ) -> BTreeMap<String, Contact> {
        let now = self.clock.now();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() > MAX_GUESTS {
            known.clear();
        }
        let mut all = BTreeMap::new();
        for email in emails {
            let last = known.get(&email);
            let found = last.and_then(|last| last.found.clone());
            if let Some(contact) = &found {
                all.insert(email.clone(), contact.clone());
            }
            if last.is_some_and(|last| !last.is_due(now)) {
                continue;
            }
            known.insert(email.clone(), LookUp { begun: now, found });
            let (contacts, hotel) = (self.clone(), Arc::clone(hotel));
            tokio::spawn(async move { contacts.look_up(&hotel, email).await });
        }
        all
    }

    async fn look_up(&self, hotel: &Hotel, email: String) {
        let desk = Caller::staff("attention@localhost", Role::Manager, Interface::Form);
        let call = SearchGuests::call_with(json!({ "query": email, "limit": 1 }));
        let answer = hotel.dispatch(&desk, call).await;
        let Some(found) = answer.result::<ListResult<GuestListItem>>() else {
            return;
        };
        let guest = found.rows.into_iter().next();
        let contact = guest.map_or_else(Contact::default, |guest| Contact {
            name: Some(guest.name()).filter(|name| !name.is_empty()),
            phone: guest.phone.filter(|phone| !phone.is_empty()),
        });
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = known.get_mut(&email) {
            last.found = Some(contact);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outdated_contact_is_looked_up_again() {
        let begun = Timestamp::UNIX_EPOCH;
        let found = Some(Contact::default());
        let (known, unknown) = (LookUp { begun, found }, LookUp { begun, found: None });
        for (seconds, know, ask) in [(9, false, false), (11, false, true), (31, true, true)] {
            let now = begun + SignedDuration::from_secs(seconds);
            assert_eq!(
                (known.is_due(now), unknown.is_due(now)),
                (know, ask),
                "{seconds}"
            );
        }
    }
}
