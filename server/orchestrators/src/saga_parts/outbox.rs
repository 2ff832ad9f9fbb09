//! The outbox: what follows from an end, such as a message owed to a guest, is written as a
//! projection in the same transaction. A worker starts its executions and then deletes the row.
//! ```text
//! check-in ends ─┐
//! check-out ends ─┼─► row (text, exe_…:check_out) ─► send_text execution (token = the row's key) ─► row dropped
//! refund stands ─┘
//! booking ends ─────► row (confirmation, exe_…:confirmation) ─► send_email execution ─► row dropped
//! check-out ends ───► row (receipt, exe_…:receipt) ─► send_email execution ─► row dropped
//! check-out ends ───► row (ended_stay, exe_…) ─► manage_cases execution per open case ─► row dropped
//! send_text ends ───► row (sent_text, SM…) ─► the text's end, once it is known, in the CRM ─► row dropped
//! ```

use dewy_domain::{
    booking_number::BookingNumber, email_address::EmailAddress, locale::Locale, sentence::Sentence,
};
use dewy_saga::{Context, End, ExecutionId, journal::Projection};
use jiff::{SignedDuration, Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

use crate::saga_parts::{
    engine_conversions::{self, guest_of},
    settings::Settings,
};

/// Kind of the rows.
pub(crate) const TEXT: &str = "text";

/// Kind of the rows of receipts to be emailed.
pub(crate) const RECEIPT: &str = "receipt";

/// Kind of the rows of confirmations to be emailed.
pub(crate) const CONFIRMATION: &str = "confirmation";

/// Kind of the rows of stays whose cases are to be ended.
pub(crate) const ENDED_STAY: &str = "ended_stay";

/// Kind of the rows of sent texts whose end the CRM is to show.
pub(crate) const SENT_TEXT: &str = "sent_text";

/// Kinds of the rows whose work can be done at once; the outbox is empty when there are none.
pub const OUTBOX_KINDS: [&str; 4] = [TEXT, RECEIPT, CONFIRMATION, ENDED_STAY];

/// Pause after the first failure.
const FIRST_PAUSE: SignedDuration = SignedDuration::from_secs(30);

const LONGEST_PAUSE: SignedDuration = SignedDuration::from_hours(1);

/// Pause of a row that fails at this age: as long as it has waited, so that the pause doubles.
pub(crate) fn pause_at(age: SignedDuration) -> SignedDuration {
    age.clamp(FIRST_PAUSE, LONGEST_PAUSE)
}

/// Row of an email, as stored.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct OwedEmail {
    /// Guest.
    pub guest_email: EmailAddress,
    /// Check-out or booking: `exe_…`.
    pub of: String,
}

/// Row of a text, as stored; also the input of its execution.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct OwedText {
    /// Guest; empty without an email.
    pub guest_email: EmailAddress,
    /// Record id of the contact of the stay: several may have the email. `None` where no stay is
    /// known, and with an email in rows of older releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact_id: Option<String>,
    /// The text.
    pub body: Sentence,
    /// What it is about: `check_out`.
    pub what: String,
    /// Execution that owes it: `exe_…`.
    pub of: String,
    /// Since when it is owed; missing in rows of older releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owed_at: Option<Timestamp>,
}

/// Row of an ended stay, as stored.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct EndedStay {
    /// Booking of the stay.
    pub booking_number: BookingNumber,
}

/// Outbox row of a stay that ended with this execution.
pub(crate) fn ended_stay(id: ExecutionId, booking_number: BookingNumber) -> Projection {
    Projection {
        kind: ENDED_STAY.to_owned(),
        key: id.to_string(),
        body: engine_conversions::value(&EndedStay { booking_number }),
    }
}

/// Outbox row for the email of this kind about a completed execution, if a mail server is configured.
pub(crate) fn email(
    kind: &'static str,
    mail: bool,
) -> impl Fn(Context<'_>) -> Option<Projection> + Send + Sync + 'static {
    move |cx| {
        let (ended, _, _) = cx.progress.ended.as_ref()?;
        let email = guest_of(&cx).email?;
        let id = cx.id.to_string();
        (mail && *ended == End::Completed).then(|| Projection {
            kind: kind.to_owned(),
            key: format!("{id}:{kind}"),
            body: engine_conversions::value(&OwedEmail {
                guest_email: email,
                of: id,
            }),
        })
    }
}

/// The text of a message; `None` if there is none to send.
type Text = fn(Context<'_>, &Settings) -> Option<Sentence>;

/// The text an execution owes its guest after this end.
pub(crate) fn after(
    end: End,
    what: &'static str,
    settings: &Settings,
    text: Text,
) -> impl Fn(Context<'_>) -> Option<Projection> + Send + Sync + 'static {
    let owed = owed_text(what, settings, text);
    move |cx: Context<'_>| {
        let (ended, _, _) = cx.progress.ended.as_ref()?;
        if *ended == end { owed(cx) } else { None }
    }
}

/// The text an execution owes its guest once it is known.
pub(crate) fn owed_text(
    what: &'static str,
    settings: &Settings,
    text: Text,
) -> impl Fn(Context<'_>) -> Option<Projection> + Send + Sync + 'static {
    let settings = settings.clone();
    move |cx: Context<'_>| {
        let guest = guest_of(&cx);
        if guest.email.is_none() && guest.contact_id.is_none() {
            return None;
        }
        let body = text(cx, &settings)?;
        let id = cx.id.to_string();
        Some(Projection {
            kind: TEXT.to_owned(),
            key: format!("{id}:{what}"),
            body: engine_conversions::value(&OwedText {
                guest_email: guest.email.unwrap_or_else(|| "".into()),
                contact_id: guest.contact_id,
                body,
                what: what.to_owned(),
                of: id.clone(),
                owed_at: Some(cx.now),
            }),
        })
    }
}

/// A date as written in a text message before translation: `Sat, Nov 28, 2026`.
pub(crate) fn day_text(date: Date) -> String {
    Locale::default().day(date)
}
