//! Sign-in and out for people, one [`DoormanOf`] per request.

use std::{net::IpAddr, sync::Arc};

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Interface, Persona},
    ports::{Clock, Crm, DoorError, Doorman, Entropy, SignedIn},
};
use dewy_store::{SUBJECT_KEY, Store};
use serde::{Deserialize, Serialize};
use tower_sessions::Session;

use super::{
    codes::Codes,
    demo::{DEMO_GUESTS, DEMO_PASSWORD, DEMO_STAFF},
    limits::{self, unavailable},
    passwords::Passwords,
    tokens::staff_role,
};

/// Under this key a session knows who signed in.
const WHO: &str = "who";

/// What all requests share.
#[derive(Clone, Debug)]
pub struct Door {
    store: Store,
    crm: Arc<dyn Crm>,
    clock: Arc<dyn Clock>,
    codes: Codes,
    passwords: Passwords,
    demo: bool,
}

impl Door {
    /// `demo` shows codes and accounts: only while no system is live.
    #[must_use]
    pub fn new(store: Store, crm: Arc<dyn Crm>, clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>, demo: bool) -> Self {
        let codes = Codes { store: store.clone(), clock: Arc::clone(&clock), entropy };
        Self { store, crm, clock, codes, passwords: Passwords::default(), demo }
    }
}

/// What a session keeps. Neither role nor right: those are looked up each time.
#[derive(Debug, Serialize, Deserialize)]
struct Who {
    persona: Persona,
    email: String,
    first_name: String,
}

/// The doorman of one request.
#[derive(Clone, Debug)]
pub struct DoormanOf {
    door: Door,
    session: Session,
    ip: IpAddr,
}

impl DoormanOf {
    /// For the session and address of a request.
    #[must_use]
    pub const fn new(door: Door, session: Session, ip: IpAddr) -> Self {
        Self { door, session, ip }
    }

    /// A session that somebody planted before the sign-in must not become a signed-in one: all of it is dropped, its id too.
    async fn let_in(&self, signed_in: &SignedIn) -> Result<(), DoorError> {
        let SignedIn { caller, first_name } = signed_in;
        let who = Who { persona: caller.persona, email: caller.email.clone(), first_name: first_name.clone() };
        let renewed = async {
            self.session.clear().await;
            self.session.cycle_id().await?;
            self.session.insert(SUBJECT_KEY, caller.key()).await?;
            self.session.insert(WHO, who).await
        };
        renewed.await.map_err(|error| {
            tracing::error!(%error, "a session was not kept");
            DoorError::Unavailable
        })
    }
}

#[async_trait]
impl Doorman for DoormanOf {
    async fn who(&self) -> Option<SignedIn> {
        let who = self.session.get::<Who>(WHO).await.unwrap_or_else(|error| {
            tracing::error!(%error, "a session was not read");
            None
        })?;
        let caller = match who.persona {
            Persona::Guest => Caller::guest(&who.email, Interface::Form),
            Persona::Staff => {
                let role = staff_role(&self.door.store, &who.email).await.map_err(unavailable).ok()??;
                Caller::staff(&who.email, role, Interface::Form)
            }
        };
        Some(SignedIn { caller, first_name: who.first_name })
    }

    async fn send_code(&self, email: &str) -> Result<Option<String>, DoorError> {
        let Door { store, clock, .. } = &self.door;
        limits::address(store, clock.as_ref(), limits::CODES_PER_ADDRESS, self.ip).await?;
        if !self.door.demo {
            // The same for everybody, and honest: better than a page that waits for a message that never comes.
            tracing::warn!(
                "a sign-in code cannot be sent: this release sends no text messages, and a live system is configured"
            );
            return Err(DoorError::Unavailable);
        }
        match self.door.codes.make(&normal(email)).await.map_err(unavailable)? {
            Some(code) => Ok(Some(code)),
            None => Err(DoorError::TooMany { wait: std::time::Duration::from_secs(3600) }),
        }
    }

    async fn enter_code(&self, email: &str, code: &str) -> Result<SignedIn, DoorError> {
        let Door { store, clock, crm, codes, .. } = &self.door;
        let email = normal(email);
        limits::address(store, clock.as_ref(), limits::GUESSES_PER_ADDRESS, self.ip).await?;
        limits::account(store, clock.as_ref(), limits::GUESSES_PER_ACCOUNT, &email).await?;
        // Asked first and always: a code is not used up while the guest cannot be read, and an unknown one takes as long.
        let contact = crm.contact(&email).await.answered().map_err(|trouble| {
            tracing::warn!(code = trouble.code, "a guest could not be read at the door");
            DoorError::Unavailable
        })?;
        let digits: String = code.chars().filter(|c| !c.is_whitespace()).collect();
        let right = codes.check(&email, &digits).await.map_err(unavailable)?;
        let contact = contact.filter(|_| right).ok_or(DoorError::NoMatch)?;
        let signed_in = SignedIn { caller: Caller::guest(&email, Interface::Form), first_name: contact.first_name };
        self.let_in(&signed_in).await?;
        Ok(signed_in)
    }

    async fn enter_password(&self, email: &str, password: &str) -> Result<SignedIn, DoorError> {
        let Door { store, clock, passwords, .. } = &self.door;
        let email = normal(email);
        limits::address(store, clock.as_ref(), limits::PASSWORDS_PER_ADDRESS, self.ip).await?;
        limits::account(store, clock.as_ref(), limits::PASSWORDS_PER_ACCOUNT, &email).await?;
        let account = store.staff_by_email(&email).await.map_err(unavailable)?;
        // A disabled account is compared all the same, so that the time does not tell it from a wrong password.
        let fits = passwords.fits(password, account.as_ref().map(|a| a.password_hash.as_str())).await;
        let role = staff_role(store, &email).await.map_err(unavailable)?;
        let role = role.filter(|_| fits).ok_or(DoorError::NoMatch)?;
        let signed_in = SignedIn { caller: Caller::staff(&email, role, Interface::Form), first_name: String::new() };
        self.let_in(&signed_in).await?;
        Ok(signed_in)
    }

    async fn sign_out(&self) {
        if let Err(error) = self.session.flush().await {
            tracing::error!(%error, "a session was not ended");
        }
    }

    async fn put_aside(&self, key: &str, text: String) {
        if let Err(error) = self.session.insert(&aside(key), text).await {
            tracing::error!(%error, "a session was not kept");
        }
    }

    async fn take_aside(&self, key: &str) -> Option<String> {
        self.session.remove(&aside(key)).await.unwrap_or_else(|error| {
            tracing::error!(%error, "a session was not read");
            None
        })
    }

    fn demo_accounts(&self) -> Vec<(String, String)> {
        if !self.door.demo {
            return Vec::new();
        }
        let staff = DEMO_STAFF.iter().map(|(email, _)| ((*email).to_owned(), DEMO_PASSWORD.to_owned()));
        let guests = DEMO_GUESTS.iter().map(|email| ((*email).to_owned(), String::new()));
        staff.chain(guests).collect()
    }
}

fn aside(key: &str) -> String {
    format!("aside:{key}")
}

/// As the CRM and the store know an address; what is too long to be one is cut, and matches nobody.
fn normal(email: &str) -> String {
    email.trim().to_lowercase().chars().take(254).collect()
}
