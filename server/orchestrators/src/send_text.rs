//! The text message saga: sends one message through the carrier, which has no idempotency keys,
//! then records it in the CRM.
//!
//! ```text
//! send   look up the guest's phone; + one POST; after an unknown outcome search for the text, and send again only when no late effect is possible
//! note   + a row with the message's sid
//! ```

mod note;
mod send;

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::ports::{Crm, Texts};
use dewy_saga::{
    Activity, Context, Definition, Direction, End, ExecutionId, Fault, Kind, Patience, Progress,
    Read, Saga, State, Step, journal::Record,
};
use serde_json::{Value, json};

use crate::{bridge, presentation::Presentation, settings::Settings, tool_answer};

/// Definition of the text message saga.
pub static SEND_TEXT: Definition = Definition {
    name: "send_text",
    version: 1,
    title: "Text the guest",
    steps: &[
        Step {
            name: "send",
            title: "Send the message",
            undo_title: None,
            kind: Kind::Retriable,
            money: false,
            patience: Patience::UntilKnown,
            why_no_undo: "what was said cannot be unsaid",
        },
        Step {
            name: "note",
            title: "Write it down with the stay",
            undo_title: None,
            kind: Kind::Retriable,
            money: false,
            patience: Patience::UntilKnown,
            why_no_undo: "it records what happened",
        },
    ],
    looks: &[],
};

/// The text message saga with its ports.
pub struct SendText {
    send: send::Send,
    note: note::Note,
}

impl SendText {
    /// Creates the saga.
    #[must_use]
    pub fn new(crm: Arc<dyn Crm>, texts: Arc<dyn Texts>, settings: Settings) -> Self {
        Self {
            send: send::Send {
                crm: Arc::clone(&crm),
                texts,
                on: settings.texts,
            },
            note: note::Note { crm, settings },
        }
    }
}

/// A number in the carrier's format: `+` and digits. The CRM port knows the hotel's country; an
/// unrecognized number is not guessed.
pub(crate) fn e164(phone: &str) -> Option<String> {
    let mut digits: String = phone
        .chars()
        .filter(|c| c.is_ascii_digit() || *c == '+')
        .collect();
    if let Some(rest) = digits.strip_prefix("00") {
        digits = format!("+{rest}");
    }
    let valid = digits
        .strip_prefix('+')
        .is_some_and(|d| (8..=15).contains(&d.len()) && d.chars().all(|c| c.is_ascii_digit()));
    valid.then_some(digits)
}

#[async_trait]
impl Saga for SendText {
    fn definition(&self) -> &'static Definition {
        &SEND_TEXT
    }

    async fn read(&self, _: Context<'_>) -> Read {
        // No lookups here: a message that is owed must not be refused because an outside system is
        // unavailable.
        Read::Ready {
            facts: json!({}),
            claims: Vec::new(),
            labels: Vec::new(),
        }
    }

    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity> {
        match (step, way) {
            ("send", Direction::Forward) => Some(&self.send),
            ("note", Direction::Forward) => Some(&self.note),
            _ => None,
        }
    }

    fn answer(&self, cx: Context<'_>, end: End, reason: Option<&str>) -> Value {
        let sent = cx.progress.done("send", Direction::Forward);
        match end {
            End::Completed => tool_answer::settled(json!({
                "sent": sent.is_some_and(|v| v["sid"].is_string()),
                "message": sent.map(|v| v["sid"].clone()),
                "why": cx.progress.side("send", Direction::Forward).and_then(|s| s.value.as_ref()).map(|v| v["why"].clone()),
            })),
            _ => tool_answer::failed(
                tool_answer::with_staff(end),
                json!({ "reason": reason, "sent": sent.is_some() }),
            ),
        }
    }

    fn answer_held(&self, by: ExecutionId) -> Value {
        tool_answer::held(by)
    }

    fn answer_unavailable(&self, fault: &Fault) -> Value {
        tool_answer::unavailable(fault)
    }
}

/// Presentation of the text message saga.
pub(crate) struct Labels;

impl Presentation for Labels {
    fn summary(
        &self,
        record: &Record,
        progress: &Progress,
        body: Option<&Value>,
        _: &Settings,
    ) -> String {
        let code = progress
            .done("send", Direction::Forward)
            .and_then(|v| v["refused"].as_str());
        match (record.state, code) {
            (_, Some(code)) => format!("The carrier does not deliver to this number ({code})."),
            (State::Completed, None) => match body.and_then(|b| b["data"]["why"].as_str()) {
                Some(why) => format!("No message was sent: {why}."),
                None => "The message was handed to the carrier.".to_owned(),
            },
            (State::Retrying, None) => {
                "The carrier did not answer clearly; we look for the message before sending it again.".to_owned()
            }
            _ => "A message to the guest is on its way.".to_owned(),
        }
    }

    fn ids(&self, progress: &Progress) -> Vec<(String, String)> {
        let sid = progress
            .done("send", Direction::Forward)
            .and_then(|v| v["sid"].as_str());
        sid.map(|sid| ("Message".to_owned(), sid.to_owned()))
            .into_iter()
            .collect()
    }
}

/// Recipient.
pub(crate) fn to(cx: &Context<'_>) -> Option<String> {
    let request = cx
        .progress
        .side("send", Direction::Forward)?
        .request
        .as_ref()?;
    request.payload["beside"]["to"].as_str().map(str::to_owned)
}

/// The sent message, as the first step received it.
pub(crate) fn sent(cx: &Context<'_>) -> Option<dewy_domain::ports::Sent> {
    cx.progress
        .done("send", Direction::Forward)
        .and_then(bridge::read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_made_dialable_or_left_alone() {
        assert_eq!(e164("+1 (555) 010-0302").as_deref(), Some("+15550100302"));
        assert_eq!(e164("(555) 010-0302"), None);
        assert_eq!(e164("0044 20 7946 0018").as_deref(), Some("+442079460018"));
        assert_eq!(e164("020 7946 0018"), None);
        assert_eq!(e164("n/a"), None);
        assert_eq!(e164("+1"), None);
    }
}
