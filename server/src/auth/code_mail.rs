//! Delivery of codes to email addresses.

use std::sync::Arc;

use dewy_domain::{
    email_address::EmailAddress,
    hotel_profile::HotelProfile,
    ports::{Clock, Email, Entropy, Mail},
    upstream_request::Outcome,
};
use dewy_languages::Language;

use super::{
    code_sms::{language_of, message_text, reason},
    one_time_codes::SentCode,
};

/// Emails codes. As with texts, the caller never learns whether it was delivered: the work runs in
/// its own task. A lost code is not sent again; the guest requests a new one.
#[derive(Clone, Debug)]
pub struct CodeMail {
    /// The mail server.
    pub mail: Arc<dyn Mail>,
    /// Time of the message.
    pub clock: Arc<dyn Clock>,
    /// Source of the message's ID.
    pub entropy: Arc<dyn Entropy>,
    /// Hotel named in the message.
    pub hotel: HotelProfile,
}

impl CodeMail {
    /// Sends a code to an address, in a task of its own.
    pub fn send(&self, email: EmailAddress, code: &SentCode, language: Option<Language>) {
        self.send_words(email, code, message_text(&self.hotel, code, language));
    }

    /// Tells those who share an address how to sign in: a code to it would not tell who enters it.
    pub fn send_shared(&self, email: EmailAddress, code: &SentCode, language: Option<Language>) {
        let values = [("hotel", self.hotel.name.as_str().into())];
        let words = language_of(&self.hotel, language).format("code-shared-email", &values);
        self.send_words(email, code, words);
    }

    fn send_words(&self, email: EmailAddress, code: &SentCode, words: String) {
        if !code.is_sent {
            let this = self.clone();
            tokio::spawn(async move { this.deliver(email, words).await });
        }
    }

    /// Sends these words; the first sentence is the subject.
    pub(super) async fn deliver(&self, to: EmailAddress, words: String) {
        let now = self.clock.now();
        let id = format!("code_{}", self.entropy.uuid_v7(now).simple());
        let marked_up = words.replace('&', "&amp;").replace('<', "&lt;");
        let email = Email {
            to: to.into(),
            // The code is in its first words, where a phone shows it
            subject: words
                .split_inclusive('.')
                .next()
                .unwrap_or_default()
                .to_owned(),
            html: format!("<!DOCTYPE html><p>{marked_up}</p>\n"),
            calendar: None,
            text: format!("{words}\n"),
        };
        let Some(message) = self.mail.message(&email, &id, now) else {
            tracing::info!("a code was not emailed: no mail can be sent to the address");
            return;
        };
        match self.mail.send(&message).await {
            Outcome::Done(()) => tracing::info!(id, "a code was emailed"),
            other => tracing::warn!(code = reason(&other), "a code was not emailed"),
        }
    }
}
