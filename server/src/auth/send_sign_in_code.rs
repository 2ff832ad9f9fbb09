//! Sign-in codes: to the phone on file, and to the email if no phone gets them.

use std::time::Duration;

use dewy_domain::{
    email_address::EmailAddress,
    ports::{CodeRoute, RequestedCode, SignInError, TextMessages as _},
};
use dewy_languages::Language;

use super::{
    SignInState,
    authenticator::RequestAuthenticator,
    code_sms::{CodeRecipient, CodeSms},
    known_guests::KnownGuest,
    one_time_codes::{CodeBinding, CodeOwner, SentCode},
    sign_in_limits::unavailable,
};
use crate::auth::browser_cookie::BrowserId;

/// Maximum number of guests with one email who get a code at once; whoever is not among them enters
/// their phone number.
const MAX_CODES: usize = 4;

/// Maximum time for a demo's page to learn whether the email is a guest's.
const DEMO_LOOKUP: Duration = Duration::from_secs(1);

impl RequestAuthenticator {
    /// Sends a code to a guest. Takes the same time whether or not the guest exists.
    pub(super) async fn send_sign_in_code(
        &self,
        email: &EmailAddress,
    ) -> Result<RequestedCode, SignInError> {
        self.codes_can_be_sent()?;
        let common = self.count_code(email, None).await?.then_some("");
        let code = self.new_code(email, CodeOwner::OnlyGuest, common).await?;
        let new = NewCode {
            email: email.clone(),
            browser: self.from.browser.id(),
            language: self.from.language,
            code: code.clone(),
        };
        tokio::spawn(new.deliver(self.sign_in_state.clone()));
        self.codes_are_not_refused(false)?;
        let is_common = code.is_common;
        if !self.sign_in_state.demo {
            return Ok(RequestedCode {
                demo_code: None,
                is_common,
            });
        }
        // A demo shows the code only where it opens something; elsewhere nobody learns who is a guest
        let guests = self.sign_in_state.guests.of(email);
        let guests = tokio::time::timeout(DEMO_LOOKUP, guests).await;
        let known = guests
            .ok()
            .and_then(Result::ok)
            .map(|guests| !guests.is_empty());
        Ok(RequestedCode {
            demo_code: known.unwrap_or(true).then_some(code.code),
            is_common,
        })
    }

    /// Whether a code goes to the email: always for someone new, otherwise where there is no carrier.
    pub(super) const fn has_code_by_email(&self, new: bool) -> bool {
        self.sign_in_state.code_mail.is_some()
            && (new || self.sign_in_state.code_delivery.is_none())
    }

    /// How a guest's code travels, as far as that is the same for everybody.
    pub(super) fn code_route(&self) -> CodeRoute {
        let sign_in_state = &self.sign_in_state;
        match (&sign_in_state.code_delivery, &sign_in_state.code_mail) {
            (None, Some(_)) => CodeRoute::Email,
            (Some(texts), Some(_)) if texts.texts.refuses_us() => CodeRoute::EmailForNow,
            (Some(_), Some(_)) => CodeRoute::PhoneThenEmail,
            (_, None) => CodeRoute::Phone,
        }
    }

    /// Whether codes reach anybody. The answer is the same for everybody, and better than a page
    /// that waits for a message that never arrives.
    pub(super) fn codes_can_be_sent(&self) -> Result<(), SignInError> {
        let sign_in_state = &self.sign_in_state;
        if sign_in_state.code_delivery.is_some()
            || sign_in_state.code_mail.is_some()
            || sign_in_state.demo
        {
            return Ok(());
        }
        tracing::warn!("a sign-in code can't be sent: neither Twilio nor email is configured");
        Err(SignInError::Broken)
    }

    /// Whether a carrier of codes takes messages at all. The answer is the same for everybody, as for
    /// codes that can't be sent; the code is tried all the same, which shows when it is over.
    pub(super) fn codes_are_not_refused(&self, new: bool) -> Result<(), SignInError> {
        let sign_in_state = &self.sign_in_state;
        let mail = sign_in_state.code_mail.as_ref();
        let by_mail = mail.is_some_and(|mail| !mail.mail.refuses_us());
        let texts = sign_in_state.code_delivery.as_ref();
        let texts = texts.filter(|_| !(new && mail.is_some()));
        let by_text = texts.is_some_and(|texts| !texts.texts.refuses_us());
        if !by_mail && !by_text && !sign_in_state.demo {
            tracing::warn!("sign-in codes can't be sent: the carrier refuses us");
            return Err(SignInError::Broken);
        }
        Ok(())
    }

    /// Creates a code for the browser that asks, or tells it the recipient's `common` one.
    pub(super) async fn new_code(
        &self,
        email: &EmailAddress,
        of: CodeOwner<'_>,
        common: Option<&str>,
    ) -> Result<SentCode, SignInError> {
        let browser = self.from.browser.id();
        let binding = CodeBinding { email, browser, of };
        let made = self.sign_in_state.codes.make(binding, common).await;
        made.map_err(unavailable)
    }
}

/// A code for whoever has an email. Nobody waits for its delivery, so that an answer takes the same
/// time whether or not there is such a guest.
struct NewCode {
    email: EmailAddress,
    browser: BrowserId,
    language: Option<Language>,
    code: SentCode,
}

impl NewCode {
    async fn deliver(self, state: SignInState) {
        let guests = match state.guests.of(&self.email).await {
            Ok(guests) => guests,
            Err(error) => {
                let code = error.code;
                tracing::warn!(
                    code,
                    "a guest could not be read, so no sign-in code was sent"
                );
                return;
            }
        };
        match (guests.as_slice(), &state.code_delivery, &state.code_mail) {
            ([], _, _) => tracing::info!("a code was not sent: no guest has that email"),
            ([only], Some(texts), _) => {
                let to = CodeRecipient {
                    phone: only.contact.phone.clone(),
                    email: Some(self.email),
                };
                texts.send(to, self.code, &state.codes, self.language);
            }
            (several, Some(texts), _) => self.text_each(several, texts, &state).await,
            ([_], None, Some(mail)) => mail.send(self.email, &self.code, self.language),
            // To the shared address it would prove nothing
            (_, None, Some(mail)) => mail.send_shared(self.email, &self.code, self.language),
            (_, None, None) => {}
        }
    }

    /// Texts each of several guests a code of their own: whose code is entered is who signs in.
    async fn text_each(&self, guests: &[KnownGuest], texts: &CodeSms, state: &SignInState) {
        let phones = guests
            .iter()
            .filter_map(|guest| guest.contact.phone.as_ref());
        for phone in phones.take(MAX_CODES) {
            let to = CodeRecipient {
                phone: Some(phone.clone()),
                email: None,
            };
            let binding = CodeBinding {
                email: &self.email,
                browser: self.browser,
                of: CodeOwner::OneOfSeveral(phone),
            };
            let common = self.code.is_common.then_some(phone.as_str());
            match state.codes.make(binding, common).await {
                Ok(code) => texts.send(to, code, &state.codes, self.language),
                Err(error) => tracing::error!(%error, "a sign-in code could not be stored"),
            }
        }
    }
}
