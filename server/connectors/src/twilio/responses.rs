//! Interpretation of Twilio's responses; pure. ADR 4 has the table.

use dewy_domain::{
    ports::{HttpResponse, SentText},
    upstream_request::{Fault, Outcome, System},
};
use jiff::{Timestamp, fmt::rfc2822::DateTimeParser};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::json;

use crate::{
    access_alarms,
    exchange_result::{Response, malformed_response, parsed, retry_after_ms, successful_body},
};

#[derive(Debug)]
pub(super) struct Page {
    pub(super) items: Vec<SentText>,
    /// Path and query of the next page.
    pub(super) next: Option<String>,
}

#[derive(Debug, Deserialize)]
struct MessageRow {
    sid: String,
    status: String,
    body: Option<String>,
    error_code: Option<u32>,
    date_created: String,
}

#[derive(Debug, Deserialize)]
struct PageRow {
    messages: Vec<MessageRow>,
    next_page_uri: Option<String>,
}

/// Where the sender was looked for: a list, or the Messaging Service itself.
#[derive(Debug, Deserialize)]
struct SenderRow {
    sid: Option<String>,
    #[serde(default)]
    incoming_phone_numbers: Vec<NumberRow>,
    #[serde(default)]
    short_codes: Vec<serde::de::IgnoredAny>,
}

#[derive(Debug, Deserialize)]
struct NumberRow {
    capabilities: Capabilities,
}

#[derive(Debug, Deserialize)]
struct Capabilities {
    sms: bool,
}

#[derive(Debug, Deserialize)]
struct TwilioError {
    code: u32,
}

impl MessageRow {
    fn sent(self) -> Option<SentText> {
        let at: Timestamp = DateTimeParser::new()
            .parse_timestamp(&self.date_created)
            .ok()?;
        Some(SentText {
            sid: self.sid,
            status: self.status,
            error_code: self.error_code,
            body: self.body.unwrap_or_default(),
            at,
        })
    }
}

/// Accepted message.
pub(super) fn sent(response: &Response) -> Outcome<SentText> {
    object::<MessageRow>(response).and_then(|row| {
        row.sent().map_or_else(
            || malformed_response("a message without a date"),
            Outcome::Done,
        )
    })
}

/// Whether the account has the sender, and it takes texts.
pub(super) fn has_sender(response: &Response) -> Outcome<bool> {
    object::<SenderRow>(response).map(|row| {
        row.sid.is_some()
            || !row.short_codes.is_empty()
            || row
                .incoming_phone_numbers
                .iter()
                .any(|n| n.capabilities.sms)
    })
}

pub(super) fn page(response: &Response) -> Outcome<Page> {
    object::<PageRow>(response).and_then(|row| {
        let items: Option<Vec<SentText>> = row.messages.into_iter().map(MessageRow::sent).collect();
        match items {
            Some(items) => Outcome::Done(Page {
                items,
                next: row.next_page_uri,
            }),
            None => malformed_response("a message without a date"),
        }
    })
}

fn object<T: DeserializeOwned>(response: &Response) -> Outcome<T> {
    successful_body(response, failure).and_then(parsed)
}

fn failure<T>(response: &HttpResponse) -> Outcome<T> {
    let code = serde_json::from_slice::<TwilioError>(&response.body)
        .ok()
        .map(|fault| fault.code);
    match (response.status, code) {
        // Too many at once; 21611: the sender's queue is full
        (429, _) | (400..500, Some(20429 | 21611)) => {
            Outcome::TryLater(twilio_error(response, "twilio_20429", code))
        }
        // A rejected token says nothing about an earlier attempt; the operator has to fix it.
        (401 | 403, Some(_)) => Outcome::TryLater(twilio_error(response, "unauthorized", code)),
        (status @ 500.., _) => {
            Outcome::Unknown(twilio_error(response, &format!("http_{status}"), code))
        }
        // Our account or sender, which the operator has to fix, or this message
        (400..500, Some(number)) => access_alarms::refusal(
            System::Twilio,
            twilio_error(response, &format!("twilio_{number}"), code),
        ),
        (status, _) => {
            malformed_response(format_args!("status {status} without Twilio's own error"))
        }
    }
}

/// Twilio's own message is left out: it repeats the number.
fn twilio_error(response: &HttpResponse, code: &str, number: Option<u32>) -> Fault {
    let details = json!({ "status": response.status, "twilio_code": number });
    let words = match number {
        Some(number) => format!("status {}, Twilio's code {number}", response.status),
        None => format!("status {}", response.status),
    };
    Fault {
        details,
        retry_after_ms: retry_after_ms(response),
        ..Fault::new(code, words)
    }
}
