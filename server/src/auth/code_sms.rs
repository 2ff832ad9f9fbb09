//! Delivery of sign-in codes to guests' phones, and by email where a text does not arrive.
//!
//! ```text
//! no phone, refused, no answer ────────────────────────────────┐
//! accepted ─► reported undelivered, by callback or when asked ─┼─► the same code to the same contact's email, if it is still open
//!          └─► not even sent after 45 seconds ─────────────────┘
//! ```
//! Callbacks are the quick way; without them, and where one is lost, the carrier is asked.

use std::{sync::Arc, time::Duration};

use dewy_domain::{
    email_address::EmailAddress,
    hotel_profile::HotelProfile,
    ports::{Clock, TextMessages},
    text_status::{TextStage, TextStatus},
    upstream_request::Outcome,
};
use dewy_languages::Language;

use super::{
    code_mail::CodeMail,
    one_time_codes::{CODE_LIFETIME, Codes, SentCode},
};
use crate::ports::text_delivery::TextDelivery;

/// Ages of a text at which the carrier is asked about it, unless it has told.
const QUESTIONS: [Duration; 5] = [
    Duration::from_secs(10),
    Duration::from_secs(25),
    LATEST_SENT,
    Duration::from_secs(120),
    Duration::from_secs(300),
];

/// Age at which a text that was not even sent counts as lost: a person waits.
const LATEST_SENT: Duration = Duration::from_secs(45);

/// Sends codes to phones. The caller never learns whether there is a phone or even such a guest:
/// the work runs in its own task, the same way for everybody.
#[derive(Clone, Debug)]
pub struct CodeSms {
    /// Sends the messages, and knows what became of them.
    pub texts: Arc<TextDelivery>,
    /// Where codes go that no phone gets.
    pub mail: Option<CodeMail>,
    pub clock: Arc<dyn Clock>,
    /// Hotel named in the message.
    pub hotel: HotelProfile,
}

/// Whom a code is for.
#[derive(Clone, Debug)]
pub struct CodeRecipient {
    /// Number in E.164, if there is one that can be texted.
    pub phone: Option<String>,
    /// Email of the contact that has the phone; `None` for someone new, whose phone is to be proven.
    pub email: Option<EmailAddress>,
}

/// Message text with the code, in that language or else the hotel's.
pub(super) fn message_text(
    hotel: &HotelProfile,
    code: &SentCode,
    language: Option<Language>,
) -> String {
    let values = [
        ("code", code.code.as_str().into()),
        ("hotel", hotel.name.as_str().into()),
    ];
    let words = match code.is_common {
        true => "code-words-common",
        false => "code-words",
    };
    language_of(hotel, language).format(words, &values)
}

/// That language or else the hotel's.
pub(super) fn language_of(hotel: &HotelProfile, language: Option<Language>) -> Language {
    let language = language.or_else(|| Language::named(hotel.locale.tag()));
    language.unwrap_or_default()
}

impl CodeSms {
    /// Sends a code, in a task of its own. A lost code is not sent again; the guest requests a new
    /// one.
    pub fn send(
        &self,
        to: CodeRecipient,
        code: SentCode,
        codes: &Codes,
        language: Option<Language>,
    ) {
        if code.is_sent {
            return;
        }
        let (this, codes) = (self.clone(), codes.clone());
        self.until_shutdown(async move { this.deliver(to, &code, &codes, language).await });
    }

    /// Works in a task of its own. It may take as long as a code is good, and keeps the store open.
    fn until_shutdown(&self, work: impl Future<Output = ()> + Send + 'static) {
        let stopping = self.texts.stopping.clone();
        tokio::spawn(async move {
            tokio::select! {
                biased;
                () = stopping.cancelled() => {}
                () = work => {}
            }
        });
    }

    async fn deliver(
        &self,
        to: CodeRecipient,
        code: &SentCode,
        codes: &Codes,
        language: Option<Language>,
    ) {
        let Some(phone) = to.phone else {
            tracing::info!("a sign-in code was not texted: there is no number for it");
            return self.by_email(to.email, None, code, language).await;
        };
        // Nobody waits for a carrier that is known to refuse us; the text shows when that is over
        let refused = self.texts.refuses_us();
        if refused {
            let email = to.email.clone();
            self.by_email(email, Some(&phone), code, language).await;
        }
        let words = message_text(&self.hotel, code, language);
        let call = self.texts.text(&phone, &words, CODE_LIFETIME);
        let arrived = match self.texts.send_text(&call).await {
            Outcome::Done(message) => {
                tracing::info!(sid = message.sid, "a sign-in code was sent");
                self.arrives(&message.sid, &phone).await
            }
            other => {
                tracing::warn!(code = reason(&other), "a sign-in code was not sent");
                false
            }
        };
        if !arrived && !refused && codes.is_open(code).await {
            self.by_email(to.email, Some(&phone), code, language).await;
        }
    }

    /// Waits until it is known whether a text arrives, at most as long as its code is good.
    async fn arrives(&self, sid: &str, phone: &str) -> bool {
        let began = self.clock.uptime();
        let mut questions = QUESTIONS.iter().peekable();
        loop {
            let age = self.clock.uptime().saturating_sub(began);
            if age >= CODE_LIFETIME {
                return true;
            }
            let told = self.texts.known(sid).await.map(|(status, _)| status);
            let over = told.is_some_and(|status| status.stage() == TextStage::Final);
            let status = match questions.next_if(|at| !over && age >= **at) {
                Some(_) => self
                    .texts
                    .ask(sid, phone)
                    .await
                    .map(|(status, _)| status)
                    .or(told),
                None => told,
            };
            let stage = status.map(TextStatus::stage);
            match status {
                Some(TextStatus::Delivered) => return true,
                Some(status) if status.never_arrived() => return false,
                _ if age >= LATEST_SENT && stage < Some(TextStage::Sent) => return false,
                _ => {}
            }
            let pause = if age < LATEST_SENT { 1 } else { 5 };
            self.clock.sleep(Duration::from_secs(pause)).await;
        }
    }

    /// Sends the code by email, and says which number it was for.
    async fn by_email(
        &self,
        email: Option<EmailAddress>,
        phone: Option<&str>,
        code: &SentCode,
        language: Option<Language>,
    ) {
        let Some((mail, email)) = self.mail.as_ref().zip(email) else {
            return;
        };
        let mut words = message_text(&self.hotel, code, language);
        if let Some(phone) = phone {
            let digits = phone.get(phone.len().saturating_sub(2)..);
            let values = [("digits", digits.unwrap_or_default().into())];
            let why = language_of(&self.hotel, language).format("code-not-texted", &values);
            words = format!("{words} {why}");
        }
        mail.deliver(email, words).await;
    }
}

pub(super) fn reason<T>(reply: &Outcome<T>) -> &str {
    match reply {
        Outcome::Refused(error) | Outcome::TryLater(error) | Outcome::Unknown(error) => &error.code,
        Outcome::Done(_) | Outcome::Waiting(_) => "done",
    }
}
