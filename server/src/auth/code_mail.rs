//! Delivery of codes to email addresses.

use std::sync::Arc;

use dewy_domain::{
    email_address::EmailAddress,
    hotel_profile::HotelProfile,
    ports::{Clock, Crm, Email, Entropy, Mail},
    upstream_request::Reply,
};
use dewy_languages::Language;

use super::code_sms::{message_text, reason};

/// Emails codes. As with texts, the caller never learns whether it was delivered: the work runs in
/// its own task. A lost code is not sent again; the guest requests a new one.
#[derive(Clone, Debug)]
pub struct CodeMail {
    /// The mail server.
    pub mail: Arc<dyn Mail>,
    /// Looks up guests.
    pub crm: Arc<dyn Crm>,
    /// Time of the message.
    pub clock: Arc<dyn Clock>,
    /// Source of the message's ID.
    pub entropy: Arc<dyn Entropy>,
    /// Hotel named in the message.
    pub hotel: HotelProfile,
}

impl CodeMail {
    /// Sends a code to an address.
    pub fn send(&self, email: EmailAddress, code: &str, language: Option<Language>) {
        let (this, words) = (self.clone(), message_text(&self.hotel, code, language));
        tokio::spawn(async move { this.deliver(email, words).await });
    }

    /// Sends a code to an address if it is a guest's.
    pub fn send_to_guest(&self, email: EmailAddress, code: &str, language: Option<Language>) {
        let (this, words) = (self.clone(), message_text(&self.hotel, code, language));
        tokio::spawn(async move {
            match this.crm.contact(&email).await {
                Reply::Done(Some(_)) => this.deliver(email, words).await,
                Reply::Done(None) => {
                    tracing::info!("a code was not emailed: no guest has that email")
                }
                other => tracing::warn!(
                    code = reason(&other),
                    "a guest could not be read, so no code was emailed"
                ),
            }
        });
    }

    async fn deliver(&self, to: EmailAddress, words: String) {
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
            text: format!("{words}\n"),
        };
        let Some(message) = self.mail.message(&email, &id, now) else {
            tracing::info!("a code was not emailed: no mail can be sent to the address");
            return;
        };
        match self.mail.send(&message).await {
            Reply::Done(()) => tracing::info!(id, "a code was emailed"),
            other => tracing::warn!(code = reason(&other), "a code was not emailed"),
        }
    }
}
