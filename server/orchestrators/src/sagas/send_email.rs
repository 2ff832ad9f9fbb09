//! The email saga: sends one email. A mail server can't be asked whether it delivered an email, so
//! after an unknown outcome the same bytes are sent again: the `Message-ID` is derived from the
//! execution, so mailboxes recognize a duplicate.
//!
//! ```text
//! send   build the message with this execution's Message-ID; + DATA; after an unknown outcome the same bytes
//! ```

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    email_address::EmailAddress,
    ports::{Email, Mail},
    sentence::Sentence,
    tool_answer::FinalAnswer,
};
use dewy_saga::{
    Activity, Context, End, Outcome, Plan, Request, Saga, State, StepId, journal::ExecutionRecord,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::saga_parts::{
    engine_conversions,
    hotel_dependencies::HotelDependencies,
    presentation::{Presentation, Presented},
    reconciled_write::missing_fact,
    tool_answer,
};

/// Name of the email saga.
pub const SEND_EMAIL: &str = "send_email";

const SEND: StepId<Delivery> = StepId::new("send");

/// Reason recorded when no mail server is configured.
pub(crate) const NO_MAIL: &str = "email is not configured";

/// Reason recorded when the mail server was removed after an attempt.
const GIVEN_UP: &str = "email is not configured any more, and no attempt is known to have arrived";

/// Deadline of the whole exchange, in which each command has one of its own.
const DEADLINE: Duration = Duration::from_secs(60);

/// Input of an email's execution: the email, or the reason why there is none.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct EmailInput {
    /// The guest whose activity shows it.
    pub guest_email: EmailAddress,
    /// The complete email.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<Email>,
    /// Why none is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsent: Option<String>,
    /// The execution that the email is about.
    pub of: String,
}

/// The email saga. It has no prerequisites: the email is complete when it is asked for.
pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    Saga::new(SEND_EMAIL, 1, "Email the guest")
        .retriable(SEND, "Send the email", Send(parts.mail.clone()))
        .no_undo("a sent email cannot be recalled")
        .until_known()
        .answer(answer)
}

/// Delivery result of an email, as journaled.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Delivery {
    /// The server's code, if it does not deliver to this address.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    /// Why none was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

struct Send(Option<Arc<dyn Mail>>);

#[async_trait]
impl Activity for Send {
    type Output = Delivery;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let unsent = |why: &str| Some(Plan::Skip(json!({ "why": why })));
        // Ended without an email: it says why
        let email = match engine_conversions::read(cx.input) {
            Some(EmailInput {
                unsent: Some(why), ..
            }) => return unsent(&why),
            Some(EmailInput {
                email: Some(email), ..
            }) => email,
            _ => return Some(Plan::Refuse(missing_fact("the email"))),
        };
        let Some(mail) = &self.0 else {
            return unsent(NO_MAIL);
        };
        match mail.message(&email, &cx.id.to_string(), cx.now) {
            Some(call) => Some(Plan::Send(engine_conversions::request(
                &call,
                DEADLINE,
                Value::Null,
            ))),
            None => unsent("no mail can be sent to this address"),
        }
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome<Delivery> {
        // Nobody will ever send it; an attempt whose outcome is unknown may have
        let Some(mail) = &self.0 else {
            return Outcome::Done(Delivery {
                why: Some(GIVEN_UP.to_owned()),
                ..Delivery::default()
            });
        };
        let send = |call| async move { mail.send(&call).await };
        match engine_conversions::send(request, send).await {
            // The server will not deliver to this address: an outcome, not a fault
            Outcome::Refused(fault) => Outcome::Done(Delivery {
                refused: Some(fault.code),
                ..Delivery::default()
            }),
            sent => sent.and_then(|()| Outcome::Done(Delivery::default())),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct EmailResult {
    /// Whether the mail server accepted it.
    sent: bool,
}

/// Whether a finished email was accepted by the mail server, by its answer.
pub(crate) fn is_sent(record: &ExecutionRecord) -> bool {
    let answer = record.answer.as_ref();
    let answer = answer.and_then(engine_conversions::read);
    matches!(answer, Some(FinalAnswer::Done { data, .. })
        if engine_conversions::read::<EmailResult>(&data).is_some_and(|email| email.sent))
}

fn answer(cx: Context<'_>, end: End, reason: Option<&str>) -> Value {
    if end != End::Completed {
        let details = json!({ "reason": reason, "sent": cx.output(SEND).is_some() });
        return tool_answer::failed(tool_answer::attention_error_code(end), details);
    }
    let sent = cx.output(SEND);
    let sent = sent.is_some_and(|sent| sent.refused.is_none() && sent.why.is_none());
    tool_answer::succeeded(EmailResult { sent })
}

pub(crate) struct Labels;

impl Presentation for Labels {
    fn summary(&self, of: Presented<'_>) -> Sentence {
        let (record, progress) = (of.record, of.progress);
        let sent = progress.recorded(SEND);
        let (refused, why) = sent.map_or((None, None), |sent| (sent.refused, sent.why));
        match (record.state, refused, why) {
            (_, Some(code), _) => {
                format!("The mail server does not deliver to this address ({code}).").into()
            }
            (_, _, Some(why)) => {
                format!("No email was sent: {}.", why.trim_end_matches('.')).into()
            }
            (State::Completed, ..) => "The email was handed to the mail server.".into(),
            (State::Retrying, ..) => {
                "The mail server did not take the email yet; it is sent again, as the same message."
                    .into()
            }
            _ => "An email to the guest is on its way.".into(),
        }
    }
}
