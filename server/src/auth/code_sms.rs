//! Delivery of sign-in codes to guests' phones.

use std::sync::Arc;

use dewy_domain::{
    email_address::EmailAddress,
    hotel_profile::HotelProfile,
    ports::{Crm, TextMessages},
    upstream_request::Reply,
};
use dewy_languages::Language;

/// Sends codes to phones. The caller never learns whether there is a phone or even such a guest:
/// the work runs in its own task, the same way for everybody.
#[derive(Clone, Debug)]
pub struct CodeSms {
    /// Looks up phone numbers.
    pub crm: Arc<dyn Crm>,
    /// Sends the messages.
    pub texts: Arc<dyn TextMessages>,
    /// Hotel named in the message.
    pub hotel: HotelProfile,
}

/// Message text with the code, in that language or else the hotel's.
pub(super) fn message_text(hotel: &HotelProfile, code: &str, language: Option<Language>) -> String {
    let language = language.or_else(|| Language::named(hotel.locale.tag()));
    let values = [("code", code.into()), ("hotel", hotel.name.as_str().into())];
    language.unwrap_or_default().format("code-words", &values)
}

impl CodeSms {
    /// Sends a code. A lost code is not sent again; the guest requests a new one.
    pub fn send(&self, email: EmailAddress, code: &str, language: Option<Language>) {
        let this = self.clone();
        let words = message_text(&self.hotel, code, language);
        tokio::spawn(async move {
            match this.crm.contact(&email).await {
                Reply::Done(contact) => this.text(contact.and_then(|c| c.phone), &words).await,
                other => tracing::warn!(
                    code = reason(&other),
                    "a guest could not be read, so no sign-in code was sent"
                ),
            }
        });
    }

    /// Sends a code to a phone number in E.164 that is already known, if any.
    pub fn send_to(&self, phone: Option<String>, code: &str, language: Option<Language>) {
        let this = self.clone();
        let words = message_text(&self.hotel, code, language);
        tokio::spawn(async move { this.text(phone, &words).await });
    }

    async fn text(&self, phone: Option<String>, words: &str) {
        let Some(phone) = phone else {
            tracing::info!(
                "a sign-in code was not sent: no guest with that email has a phone number that can be texted"
            );
            return;
        };
        let sent = self.texts.send_text(&self.texts.text(&phone, words)).await;
        match &sent {
            Reply::Done(message) => tracing::info!(sid = message.sid, "a sign-in code was sent"),
            other => tracing::warn!(code = reason(other), "a sign-in code was not sent"),
        }
    }
}

pub(super) fn reason<T>(reply: &Reply<T>) -> &str {
    match reply {
        Reply::Done(_) => "done",
        Reply::Refused(error) | Reply::TryLater(error) | Reply::Unknown(error) => &error.code,
    }
}
