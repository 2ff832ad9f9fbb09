//! State behind every sign-in, shared by the authenticators of all requests.

use std::sync::Arc;

use dewy_connectors::Country;
use dewy_domain::ports::{Clock, Crm, Entropy};
use dewy_store::Store;

use crate::config::installation_key::InstallationKey;

use super::{
    code_mail::CodeMail, code_sms::CodeSms, known_guests::KnownGuests, one_time_codes::Codes,
    passwords::Passwords, user_sessions::UserSessions,
};

/// State shared by all requests.
#[derive(Clone, Debug)]
pub struct SignInState {
    pub(super) store: Store,
    pub(super) installation_key: InstallationKey,
    pub(super) guests: KnownGuests,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) codes: Codes,
    pub(super) passwords: Passwords,
    pub(super) user_sessions: UserSessions,
    pub(super) code_delivery: Option<CodeSms>,
    pub(super) code_mail: Option<CodeMail>,
    pub(super) demo: bool,
    pub(super) country: Country,
}

impl SignInState {
    /// `demo` shows codes and accounts on the page.
    #[must_use]
    pub fn new(
        store: Store,
        installation_key: InstallationKey,
        crm: Arc<dyn Crm>,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        demo: bool,
    ) -> Self {
        let codes = Codes {
            store: store.clone(),
            key: installation_key.clone(),
            clock: Arc::clone(&clock),
            entropy,
        };
        let user_sessions = UserSessions::new(store.clone());
        Self {
            store,
            installation_key,
            guests: KnownGuests::new(crm, Arc::clone(&clock)),
            clock,
            codes,
            passwords: Passwords::default(),
            user_sessions,
            code_delivery: None,
            code_mail: None,
            demo,
            country: Country::default(),
        }
    }

    /// Country of phone numbers that someone new enters without a country code.
    #[must_use]
    pub const fn in_country(mut self, country: Country) -> Self {
        self.country = country;
        self
    }

    /// The guests behind emails.
    #[must_use]
    pub fn guests(&self) -> KnownGuests {
        self.guests.clone()
    }

    /// Sends codes to guests' phones as well. Without it they are only shown, and only in a demo.
    #[must_use]
    pub fn with_code_delivery(mut self, code_delivery: CodeSms) -> Self {
        self.code_delivery = Some(code_delivery);
        self
    }

    /// Sends codes of new guests to their address, and those of others if no phone gets them.
    #[must_use]
    pub fn with_mail(mut self, code_mail: Option<CodeMail>) -> Self {
        self.code_mail = code_mail;
        self
    }
}
