//! The text message saga: sends one message through the carrier, which has no idempotency keys,
//! then records it in the CRM.
//!
//! ```text
//! send   look up the guest's phone; + one POST; after an unknown outcome search for the text, and send again only when no late effect is possible;
//!        what is too old is not sent any more
//! note   + a row with the message's sid; its end follows when the carrier reports it
//! ```

mod post_to_carrier;
mod record_message;

use std::sync::Arc;

use dewy_domain::{
    answer_body::AnswerBody, email_address::EmailAddress, ports::SentText, sentence::Sentence,
};
use dewy_saga::{Context, End, Progress, Saga, State, StepId, journal::Projection};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::saga_parts::{
    engine_conversions,
    hotel_dependencies::HotelDependencies,
    outbox::SENT_TEXT,
    presentation::{Presentation, Presented},
    tool_answer,
};

/// Name of the text message saga.
pub const SEND_TEXT: &str = "send_text";

const SEND: StepId<Delivery> = StepId::new("send");
const NOTE: StepId<Noted> = StepId::new("note");

/// The text message saga. It has no prerequisites: a message that is owed must not be refused
/// because an outside system is unavailable.
pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    let crm = || Arc::clone(&parts.crm);
    let send = post_to_carrier::Send {
        crm: crm(),
        texts: Arc::clone(&parts.texts),
        on: parts.settings.text_messages_enabled,
    };
    let note = record_message::Note {
        crm: crm(),
        settings: parts.settings.clone(),
    };
    Saga::new(SEND_TEXT, 1, "Text the guest")
        .retriable(SEND, "Send the message", send)
        .no_undo("a sent message cannot be recalled")
        .until_known()
        .retriable(NOTE, "Log the message with the stay", note)
        .no_undo("it records what happened")
        .until_known()
        .projection(sent_text)
        .answer(answer)
}

/// Outbox row of a text that the CRM has, until it also has the text's end.
fn sent_text(cx: Context<'_>) -> Option<Projection> {
    let (ended, _, _) = cx.progress.ended.as_ref()?;
    let sid = cx.output(NOTE).filter(|_| *ended == End::Completed)?.id?;
    Some(Projection {
        kind: SENT_TEXT.to_owned(),
        key: sid,
        body: json!({}),
    })
}

/// Input: the message, as the outbox stores it.
#[derive(Debug, Deserialize)]
struct Message<'a> {
    guest_email: EmailAddress,
    /// Record id of the guest's contact, if known.
    contact_id: Option<String>,
    body: &'a str,
    /// Since when it is owed.
    owed_at: Option<Timestamp>,
}

impl<'a> Message<'a> {
    fn of(cx: &Context<'a>) -> Option<Self> {
        Self::deserialize(cx.input).ok()
    }
}

/// Delivery result of a message, as journaled.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Delivery {
    /// The message, as the carrier took it.
    Sent(SentText),
    /// The carrier's code, if it refuses the message.
    Refused { refused: String },
    /// Why none was sent.
    Unsent { why: String },
}

impl Delivery {
    fn unsent(why: &str) -> Self {
        let why = why.to_owned();
        Self::Unsent { why }
    }

    /// The message's id at the carrier.
    fn sid(self) -> Option<String> {
        match self {
            Self::Sent(sent) => Some(sent.sid),
            _ => None,
        }
    }
}

/// Row of a message in the CRM, as journaled.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Noted {
    /// Id of the message, if it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// Why it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// Result of the text message saga.
#[derive(Serialize, Deserialize)]
struct TextResult {
    /// Whether the carrier accepted it.
    sent: bool,
    /// Its id at the carrier.
    message: Option<String>,
    /// Why none was sent.
    why: Option<String>,
}

fn answer(cx: Context<'_>, end: End, reason: Option<&str>) -> Value {
    let sent = cx.output(SEND);
    if end != End::Completed {
        let details = json!({ "reason": reason, "sent": sent.is_some() });
        return tool_answer::failed(tool_answer::attention_error_code(end), details);
    }
    let message = sent.and_then(Delivery::sid);
    let why = match cx.progress.recorded(SEND) {
        Some(Delivery::Unsent { why }) => Some(why),
        _ => None,
    };
    tool_answer::succeeded(TextResult {
        sent: message.is_some(),
        message,
        why,
    })
}

pub(crate) struct Labels;

impl Presentation for Labels {
    fn summary(&self, of: Presented<'_>) -> Sentence {
        let (record, progress, body) = (of.record, of.progress, of.body);
        let code = match progress.output(SEND) {
            Some(Delivery::Refused { refused }) => Some(refused),
            _ => None,
        };
        match (record.state, code) {
            (_, Some(code)) => format!("The carrier refuses this message ({code}).").into(),
            (State::Completed, None) => {
                let result = body.and_then(AnswerBody::result::<TextResult>);
                match result.and_then(|text| text.why) {
                    Some(why) => format!("No message was sent: {why}.").into(),
                    None => "The message was handed to the carrier.".into(),
                }
            }
            (State::Retrying, None) => {
                "The carrier's answer is unclear; we check for the message before sending it again."
                    .into()
            }
            _ => "A message to the guest is on its way.".into(),
        }
    }

    fn ids(&self, progress: &Progress) -> Vec<(String, String)> {
        let sid = progress.output(SEND).and_then(Delivery::sid);
        sid.map(|sid| ("Message".to_owned(), sid))
            .into_iter()
            .collect()
    }
}

/// What is stored with the message: its recipient.
#[derive(Serialize, Deserialize)]
struct Recipient {
    to: String,
}

pub(crate) fn to(cx: &Context<'_>) -> Option<String> {
    let request = cx.progress.forward(SEND)?.request.as_ref()?;
    engine_conversions::stored_with_call::<Recipient>(request).map(|recipient| recipient.to)
}

/// The sent message, as the first step received it.
pub(crate) fn sent(cx: &Context<'_>) -> Option<SentText> {
    match cx.output(SEND)? {
        Delivery::Sent(sent) => Some(sent),
        _ => None,
    }
}
