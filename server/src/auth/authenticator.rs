//! Sign-in and sign-out for people, one [`RequestAuthenticator`] per request.

use async_trait::async_trait;
use dewy_domain::{
    access_refusal::needs_operator,
    caller::{Caller, Interface, Persona},
    email_address::EmailAddress,
    guest_identity::GuestIdentity,
    payment_card_number::without_card_numbers,
    ports::{
        AcceptedCode, Authenticator, CodeRoute, Registration, RegistrationError, RequestedCode,
        SessionView, SignInError, SignedIn,
    },
};
use dewy_languages::Language;
use dewy_store::{SUBJECT_KEY, Store};
use serde::{Deserialize, Serialize};
use tower_sessions::{Expiry, Session, cookie::time};

use super::{
    RequestOrigin, demo_accounts,
    known_guests::KnownGuest,
    request_user::RequestUser,
    session::SESSION_TIME,
    sign_in_limits::{guest_key, staff_key, unavailable},
    sign_in_state::SignInState,
    tokens::staff_role,
    user_sessions::BROWSER,
};
use crate::config::wall_screen_access::WallScreen;

/// Session key that holds who signed in.
pub const USER_KEY: &str = "who";
/// Maximum size of data kept for an anonymous session; enough for the form drafts of an expired
/// session.
const MAX_ANONYMOUS_BYTES: usize = 8192;
/// Lifetime of that data: as long as a code is valid.
const ANONYMOUS_LIFETIME: time::Duration = time::Duration::minutes(15);

/// Content of a session. Role and permissions are looked up on every request, never stored here.
#[derive(Debug, Serialize, Deserialize)]
struct SessionUser {
    persona: Persona,
    email: EmailAddress,
    /// A guest's own contacts, if others had the same email when they signed in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    contacts: Vec<String>,
    first_name: String,
    /// Empty in sessions of older releases.
    #[serde(default)]
    last_name: String,
}

#[derive(Clone, Debug)]
pub struct RequestAuthenticator {
    pub(super) sign_in_state: SignInState,
    pub(super) session: Session,
    pub(super) from: RequestOrigin,
    request: Option<String>,
    known: RequestUser,
    /// Whether this is a person's visit, which renews the session's lifetime.
    visit: bool,
}

impl RequestAuthenticator {
    #[must_use]
    pub fn new(sign_in_state: SignInState, session: Session, from: RequestOrigin) -> Self {
        Self {
            sign_in_state,
            session,
            from,
            request: None,
            known: RequestUser::default(),
            visit: false,
        }
    }

    /// Looks up who this is once for all parts of a page. A person's `visit` renews the session.
    #[must_use]
    pub fn cached_for_page(mut self, visit: bool) -> Self {
        self.known = RequestUser::for_one_page();
        self.visit = visit;
        self
    }

    #[must_use]
    pub fn in_request(mut self, request: Option<String>) -> Self {
        self.request = request;
        self
    }

    /// Whether the session is still valid, checked against the store: for long-lived requests.
    pub async fn is_still_valid(&self) -> bool {
        match self.session.id() {
            None => self.from.wall,
            // A brief store failure must not end a stream.
            Some(id) => {
                let lives = self
                    .sign_in_state
                    .store
                    .session_is_valid(&id)
                    .await
                    .unwrap_or(true);
                // A screen on the wall has no session of its own
                lives || (self.from.wall && self.is_stranger().await)
            }
        }
    }

    pub(super) async fn guests(
        &self,
        email: &EmailAddress,
    ) -> Result<Vec<KnownGuest>, SignInError> {
        let read = self.sign_in_state.guests.of(email).await;
        read.map_err(|error| {
            tracing::warn!(
                code = error.code,
                "a guest could not be read during sign-in"
            );
            match needs_operator(&error.code) {
                true => SignInError::Broken,
                false => SignInError::Unavailable,
            }
        })
    }

    /// Whether the guest signed in as the only one with their email, which others have by now.
    async fn is_ambiguous(&self, guest: &GuestIdentity) -> bool {
        let guests = &self.sign_in_state.guests;
        !guest.shares_email() && guests.is_shared_now(guest.email()).await == Some(true)
    }

    /// Lets the data of an anonymous session expire soon.
    pub(super) fn expire_soon(&self) {
        self.session
            .set_expiry(Some(Expiry::OnInactivity(ANONYMOUS_LIFETIME)));
    }

    /// Whether the session is anonymous: its data must be small and short-lived.
    async fn is_stranger(&self) -> bool {
        !matches!(self.session.get_value(USER_KEY).await, Ok(Some(_)))
    }

    /// Drops the whole session, including its id, so that a session planted before the sign-in
    /// can't become a signed-in one (session fixation).
    pub(super) async fn start_session(&self, signed_in: &SignedIn) -> Result<(), SignInError> {
        let SignedIn {
            caller,
            first_name,
            last_name,
        } = signed_in;
        let user = SessionUser {
            persona: caller.persona,
            email: caller.email.as_str().into(),
            contacts: caller.contacts.clone(),
            first_name: first_name.clone(),
            last_name: last_name.clone(),
        };
        self.known.set(None);
        let renewed = async {
            self.session.clear().await;
            self.session.cycle_id().await?;
            self.session
                .set_expiry(Some(Expiry::OnInactivity(SESSION_TIME)));
            self.session.insert(SUBJECT_KEY, caller.key()).await?;
            self.session
                .insert(BROWSER, &self.from.browser_name)
                .await?;
            self.session.insert(USER_KEY, user).await
        };
        renewed.await.map_err(|error| {
            tracing::error!(%error, "a session could not be stored");
            SignInError::Unavailable
        })?;
        self.from.browser.remember(&match caller.persona {
            Persona::Guest => guest_key(&caller.email),
            Persona::Staff => staff_key(&caller.email),
        });
        let language = self.from.language.map(Language::tag);
        self.keep_language(caller, language).await;
        Ok(())
    }
}

#[async_trait]
impl Authenticator for RequestAuthenticator {
    async fn colleagues(&self) -> Vec<String> {
        let staff = self
            .signed_in()
            .await
            .is_some_and(|user| user.caller.persona == Persona::Staff);
        if !staff {
            return Vec::new();
        }
        let emails = self.sign_in_state.store.staff_emails().await;
        emails.map_err(unavailable).unwrap_or_default()
    }

    async fn signed_in(&self) -> Option<SignedIn> {
        if let Some(known) = self.known.get() {
            return Some(known);
        }
        let user = self
            .session
            .get::<SessionUser>(USER_KEY)
            .await
            .unwrap_or_else(|error| {
                tracing::error!(%error, "a session could not be read");
                None
            });
        let Some(user) = user else {
            return self.from.wall.then(WallScreen::reader);
        };
        let caller = match user.persona {
            Persona::Guest => {
                let guest = GuestIdentity::one_of_several(user.email, user.contacts);
                if self.is_ambiguous(&guest).await {
                    // Whose session it is only a new code can tell
                    self.sign_out().await;
                    return None;
                }
                Caller::one_guest(&guest, Interface::Form)
            }
            Persona::Staff => {
                let role = staff_role(&self.sign_in_state.store, &user.email)
                    .await
                    .map_err(unavailable)
                    .ok()??;
                Caller::staff(user.email.as_str(), role, Interface::Form)
            }
        };
        let mut caller = caller.in_request(self.request.clone());
        if let Some(id) = self.session.id() {
            let (sessions, now) = (
                &self.sign_in_state.user_sessions,
                self.sign_in_state.clock.now(),
            );
            if !self.from.speculative {
                sessions.note(&id, now).await;
            }
            if self.visit && sessions.is_renewal_due(&id, now) {
                // Stored with this answer, so that its lifetime begins anew
                self.session
                    .set_expiry(Some(Expiry::OnInactivity(SESSION_TIME)));
            }
            caller = caller.by_credential(format!("session:{}", Store::session_name(&id)));
        }
        let user = SignedIn {
            caller,
            first_name: user.first_name,
            last_name: user.last_name,
        };
        self.known.set(Some(&user));
        Some(user)
    }

    async fn send_code(&self, email: &EmailAddress) -> Result<RequestedCode, SignInError> {
        self.send_sign_in_code(email).await
    }

    fn code_route(&self) -> CodeRoute {
        self.code_route()
    }

    async fn send_registration_code(
        &self,
        entered: &Registration,
    ) -> Result<RequestedCode, RegistrationError> {
        self.send_to_newcomer(entered).await
    }

    async fn enter_code(
        &self,
        email: &EmailAddress,
        code: &str,
    ) -> Result<AcceptedCode, SignInError> {
        self.accept_code(email, code).await
    }

    async fn finish_registration(&self) -> Result<SignedIn, SignInError> {
        self.start_newcomer_session().await
    }

    async fn enter_password(
        &self,
        email: &EmailAddress,
        password: &str,
    ) -> Result<SignedIn, SignInError> {
        self.accept_password(email, password).await
    }

    async fn sign_out(&self) {
        self.known.set(None);
        if let Err(error) = self.session.flush().await {
            tracing::error!(%error, "a session could not be ended");
        }
    }

    async fn sessions(&self) -> Vec<SessionView> {
        self.list_own_sessions().await
    }

    async fn revoke(&self, name: &str) -> bool {
        self.revoke_own_session(name).await
    }

    async fn revoke_others(&self) {
        self.revoke_other_sessions().await;
    }

    async fn prefer_language(&self, language: &str) {
        if let Some(user) = self.signed_in().await {
            self.keep_language(&user.caller, Some(language)).await;
        }
    }

    async fn own_phone(&self, may_read: bool) -> Option<String> {
        let user = self.signed_in().await?;
        let guest = user.caller.calling_guest()?;
        let email = &user.caller.email;
        let guests = match may_read {
            true => self.guests(email).await.ok()?,
            false => self.sign_in_state.guests.remembered(email)?,
        };
        let own = guests.into_iter().find(|one| one.identity == guest)?;
        own.contact.phone
    }

    async fn save_in_session(&self, key: &str, text: String) {
        if self.from.speculative {
            return;
        }
        if self.is_stranger().await {
            if text.len() > MAX_ANONYMOUS_BYTES {
                return;
            }
            self.expire_soon();
        }
        let text = without_card_numbers(&text);
        if let Err(error) = self.session.insert(&session_key(key), text).await {
            tracing::error!(%error, "a session could not be stored");
        }
    }

    async fn take_from_session(&self, key: &str) -> Option<String> {
        let key = session_key(key);
        // Removing a value stores the session, and nobody may ever see a speculative page
        if self.from.speculative || matches!(self.session.get_value(&key).await, Ok(None)) {
            return None;
        }
        if self.is_stranger().await {
            self.expire_soon();
        }
        self.session.remove(&key).await.unwrap_or_else(|error| {
            tracing::error!(%error, "a session could not be read");
            None
        })
    }

    fn demo_accounts(&self) -> Vec<(String, String)> {
        if self.sign_in_state.demo {
            demo_accounts::accounts()
        } else {
            Vec::new()
        }
    }
}

fn session_key(key: &str) -> String {
    format!("aside:{key}")
}
