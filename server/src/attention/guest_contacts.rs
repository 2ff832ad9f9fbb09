//! Names and phone numbers of guests in an emergency: looked up once, in the background, so that no
//! page waits for it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use dewy_domain::{
    caller::{Caller, Interface, Role},
    ports::Dispatcher,
    tool::ToolCall,
};
use dewy_orchestrators::Hotel;
use serde_json::json;

/// Pause before a failed look-up is repeated.
const PAUSE: Duration = Duration::from_secs(10);
/// Number of guests that are remembered.
const MAX_GUESTS: usize = 100;

/// What is known of a guest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Contact {
    pub name: Option<String>,
    pub phone: Option<String>,
}

/// Contacts by email.
#[derive(Clone, Debug, Default)]
pub(super) struct Contacts(Arc<Mutex<BTreeMap<String, LookUp>>>);

/// When a look-up began, and what it found.
type LookUp = (Instant, Option<Contact>);

impl Contacts {
    /// Those known of these guests; the others are looked up for the next read.
    pub fn of(
        &self,
        hotel: &Arc<Hotel>,
        emails: impl Iterator<Item = String>,
    ) -> BTreeMap<String, Contact> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() > MAX_GUESTS {
            known.clear();
        }
        let mut found = BTreeMap::new();
        for email in emails {
            match known.get(&email) {
                Some((_, Some(contact))) => {
                    found.insert(email, contact.clone());
                }
                Some((begun, None)) if begun.elapsed() < PAUSE => {}
                _ => {
                    known.insert(email.clone(), (Instant::now(), None));
                    let (contacts, hotel) = (self.clone(), Arc::clone(hotel));
                    tokio::spawn(async move { contacts.look_up(&hotel, email).await });
                }
            }
        }
        found
    }

    async fn look_up(&self, hotel: &Hotel, email: String) {
        let desk = Caller::staff("attention@localhost", Role::Manager, Interface::Form);
        let call = ToolCall {
            tool: "search_guests".to_owned(),
            input: json!({ "query": email, "limit": 1 }),
            idempotency_token: None,
            wait: None,
        };
        let answer = hotel.dispatch(&desk, call).await;
        if answer.error().is_some() {
            return;
        }
        let body = answer.body(desk.persona);
        let guest = &body["data"]["guests"][0];
        let text = |name: &str| {
            let text = guest[name].as_str().unwrap_or_default();
            (!text.is_empty()).then(|| text.to_owned())
        };
        let names = [text("first_name"), text("last_name")];
        let name = names.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let contact = Contact {
            name: (!name.is_empty()).then_some(name),
            phone: text("phone"),
        };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(email, (Instant::now(), Some(contact)));
    }
}
