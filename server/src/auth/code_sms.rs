//! Delivery of sign-in codes to guests' phones.

use std::sync::Arc;

use dewy_domain::{hotel_profile::HotelProfile, ports::TextMessages, upstream_request::Reply};
use dewy_languages::Language;

/// Sends codes to phones. The caller never learns whether there is a phone or even such a guest:
/// the work runs in its own task, the same way for everybody.
#[derive(Clone, Debug)]
pub struct CodeSms {
    /// Sends the messages.
    pub texts: Arc<dyn TextMessages>,
    /// Hotel named in the message.
    pub hotel: HotelProfile,
}

/// Message text with the code, in that language or else the hotel's.
pub(super) fn message_text(hotel: &HotelProfile, code: &str, language: Option<Language>) -> String {
    let values = [("code", code.into()), ("hotel", hotel.name.as_str().into())];
    in_language(hotel, language).format("code-words", &values)
}

/// That language or else the hotel's.
pub(super) fn in_language(hotel: &HotelProfile, language: Option<Language>) -> Language {
    let language = language.or_else(|| Language::named(hotel.locale.tag()));
    language.unwrap_or_default()
}

impl CodeSms {
    /// Sends a code to a phone number in E.164, if any, in a task of its own.
    pub fn send(&self, phone: Option<String>, code: &str, language: Option<Language>) {
        let (this, code) = (self.clone(), code.to_owned());
        tokio::spawn(async move { this.deliver(phone.as_deref(), &code, language).await });
    }

    /// Sends a code to a phone number in E.164, if any. A lost code is not sent again; the guest
    /// requests a new one.
    pub async fn deliver(&self, phone: Option<&str>, code: &str, language: Option<Language>) {
        let words = message_text(&self.hotel, code, language);
        let Some(phone) = phone else {
            tracing::info!(
                "a sign-in code was not sent: no guest with that email has a phone number that can be texted"
            );
            return;
        };
        let sent = self.texts.send_text(&self.texts.text(phone, &words)).await;
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
