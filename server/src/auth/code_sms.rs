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

    /// Sends a code to a phone number that is already known, if any.
    pub fn send_to(&self, phone: Option<String>, code: &str, language: Option<Language>) {
        let this = self.clone();
        let words = message_text(&self.hotel, code, language);
        tokio::spawn(async move { this.text(phone, &words).await });
    }

    async fn text(&self, phone: Option<String>, words: &str) {
        let Some(phone) = phone.as_deref().and_then(international) else {
            tracing::info!(
                "a sign-in code was not sent: no guest with that email has an international phone number"
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

/// Number in E.164 (`+15550100`), if it is written in international form: the country of a short
/// number would be a guess.
fn international(text: &str) -> Option<String> {
    let plain: String = text
        .chars()
        .filter(|c| c.is_ascii_digit() || *c == '+')
        .collect();
    let digits = plain
        .strip_prefix('+')
        .or_else(|| plain.strip_prefix("00"))?;
    let fits = (7..=15).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_digit())
        && !digits.starts_with('0');
    fits.then(|| format!("+{digits}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_international_numbers_are_used() {
        for (text, number) in [
            ("+1 (555) 010-0123", Some("+15550100123")),
            ("0049 30 901820", Some("+4930901820")),
            ("+493090182o", Some("+493090182")),
            ("555-0100", None),
            ("", None),
            ("+1", None),
            ("+0123456789", None),
            ("++15550100123", None),
            ("+12345678901234567", None),
        ] {
            assert_eq!(international(text).as_deref(), number, "{text}");
        }
    }
}
