//! Sign-in codes: to the phone on file, or to the email if no phone gets them.

use std::time::Duration;

use dewy_domain::{email_address::EmailAddress, ports::SignInError};

use super::{
    authenticator::RequestAuthenticator, one_time_codes::CodeBinding, sign_in_limits::unavailable,
};

/// Maximum time for a demo's page to learn whether the email is a guest's.
const DEMO_LOOKUP: Duration = Duration::from_secs(1);

impl RequestAuthenticator {
    /// Sends a code to a guest. Takes the same time whether or not the guest exists.
    pub(super) async fn send_sign_in_code(
        &self,
        email: &EmailAddress,
    ) -> Result<Option<String>, SignInError> {
        self.codes_can_be_sent()?;
        self.count_code(email, None).await?;
        let code = self.new_code(email, None).await?;
        let (to, language) = (email.clone(), self.from.language);
        match (
            &self.sign_in_state.code_delivery,
            &self.sign_in_state.code_mail,
        ) {
            (Some(texts), _) => texts.send(to, &code, language),
            (None, Some(mail)) => mail.send_to_guest(to, &code, language),
            (None, None) => {}
        }
        self.codes_are_not_refused(false)?;
        if !self.sign_in_state.demo {
            return Ok(None);
        }
        // A demo shows the code only where it opens something; elsewhere nobody learns who is a guest
        let known = self.sign_in_state.crm.knows_guest(email);
        let known = tokio::time::timeout(DEMO_LOOKUP, known).await;
        let known = known.ok().and_then(|known| known.answered().ok());
        Ok(known.unwrap_or(true).then_some(code))
    }

    /// Whether a code goes to the email: always for someone new, otherwise where there is no carrier.
    pub(super) const fn has_code_by_email(&self, new: bool) -> bool {
        self.sign_in_state.code_mail.is_some()
            && (new || self.sign_in_state.code_delivery.is_none())
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
        Err(SignInError::Unavailable)
    }

    /// Whether the carrier of a code takes messages at all. The answer is the same for everybody, as
    /// for codes that can't be sent; the code is tried all the same, which shows when it is over.
    pub(super) fn codes_are_not_refused(&self, new: bool) -> Result<(), SignInError> {
        let sign_in_state = &self.sign_in_state;
        let mail = sign_in_state.code_mail.as_ref();
        let texts = sign_in_state.code_delivery.as_ref();
        let mail = mail.filter(|_| new || texts.is_none());
        let refused = texts.is_some_and(|texts| texts.texts.refuses_us())
            || mail.is_some_and(|mail| mail.mail.refuses_us());
        if refused && !sign_in_state.demo {
            tracing::warn!("sign-in codes can't be sent: the carrier refuses us");
            return Err(SignInError::Unavailable);
        }
        Ok(())
    }

    /// Creates a code for the browser that asks.
    pub(super) async fn new_code(
        &self,
        email: &EmailAddress,
        phone: Option<&str>,
    ) -> Result<String, SignInError> {
        let made = self.sign_in_state.codes.make(CodeBinding {
            email,
            browser: self.from.browser.id(),
            phone,
        });
        made.await.map_err(unavailable)
    }
}
