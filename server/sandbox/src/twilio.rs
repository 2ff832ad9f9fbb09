//! Twilio simulator: messages that are accepted now and delivered later. It has no idempotency
//! keys, because Twilio has none: the same request twice is two messages.
//!
//! ```text
//! queued ──1 s──→ sent ──2 s──→ delivered        numbers ending in 9999 are never reached: undelivered (30003)
//! ```
//!
//! | number | as a recipient |
//! |---|---|
//! | ends in `0000` | has unsubscribed: 21610 |
//! | `+15005550001` · `…0003` · `…0004` · `…0009` | Twilio's own test numbers: 21211 invalid · 21408 no such region · 21610 · 21614 not a mobile |
//!
//! Valid senders are `+12125550190` (the hotel's) and Twilio's `+15005550006`; any other sender
//! number returns 21606, and an invalid number 21212. Every account `AC…` exists, and any non-empty
//! token is accepted. Status callbacks are accepted and never called.

mod create_message;
mod error_body;
mod list_messages;
mod message;

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dewy_domain::ports::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::stored_row::{ChangedRow, Row};
use error_body::Refusal;
use message::Message;

const MESSAGES: &str = "messages";
const COUNTER: &str = "_counter";

/// State of the Twilio simulator: messages in the order they were accepted.
#[derive(Clone, Debug, Default)]
pub struct Twilio {
    seed: u64,
    counter: u64,
    messages: BTreeMap<u64, Message>,
    dirty: BTreeSet<u64>,
    counted: bool,
}

impl Twilio {
    /// Twilio without messages.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            counted: true,
            ..Self::default()
        }
    }

    /// Twilio restored from disk.
    #[must_use]
    pub fn restore(rows: Vec<Row>) -> Self {
        let mut twilio = Self::default();
        for row in rows {
            if row.table == COUNTER {
                let counter: Value = serde_json::from_str(&row.json).unwrap_or_default();
                twilio.seed = counter["seed"].as_u64().unwrap_or(0);
                twilio.counter = counter["counter"].as_u64().unwrap_or(0);
            } else if let Ok(message) = serde_json::from_str::<Message>(&row.json) {
                twilio.messages.insert(message.seq, message);
            }
        }
        twilio
    }

    /// After a reset no sid is reused: callers remember earlier messages.
    pub fn skip_to(&mut self, before: &Self) {
        self.counter = self.counter.max(before.counter);
    }

    /// All messages, for `/admin/state`, oldest first.
    #[must_use]
    pub fn state(&self, now: Timestamp) -> Value {
        json!({ "messages": self.messages.values().map(|message| message.shown(now)).collect::<Vec<_>>() })
    }

    /// Unsaved rows.
    pub fn drain_dirty(&mut self) -> Vec<ChangedRow> {
        let row = |table: &str, id: String, json: Option<String>| ChangedRow {
            table: table.to_owned(),
            id,
            json,
        };
        let mut rows: Vec<ChangedRow> = std::mem::take(&mut self.dirty)
            .into_iter()
            .map(|seq| {
                let message = self
                    .messages
                    .get(&seq)
                    .and_then(|message| serde_json::to_string(message).ok());
                row(MESSAGES, format!("{seq:012}"), message)
            })
            .collect();
        if std::mem::take(&mut self.counted) {
            let counter = json!({ "seed": self.seed, "counter": self.counter });
            rows.push(row(COUNTER, "0".to_owned(), Some(counter.to_string())));
        }
        rows
    }

    /// Discards unsaved changes where there is no disk.
    pub fn forget_dirty(&mut self) {
        self.dirty.clear();
        self.counted = false;
    }

    /// Answers one request at `now`; true when it created a message.
    pub fn handle(&mut self, request: &HttpRequest, now: Timestamp) -> (HttpResponse, bool) {
        let path = crate::stripe::path(&request.url);
        let rest = path
            .strip_prefix("/2010-04-01/Accounts/")
            .unwrap_or_default();
        let (account, what) = rest.split_once('/').unwrap_or((rest, ""));
        let made = match (authorised(request, account), request.method.as_str(), what) {
            (Err(refusal), ..) => Err(refusal),
            (Ok(()), "POST", "Messages.json") => self
                .create(account, &request.body, now)
                .map(|body| (201, body)),
            (Ok(()), "GET", "Messages.json") => self
                .list(account, &request.url, now)
                .map(|body| (200, body)),
            (Ok(()), "GET", what) => self.retrieve(account, what, now).map(|body| (200, body)),
            (Ok(()), method, what) => Err(Refusal::no_such(method, what)),
        };
        match made {
            Ok((status, body)) => (answer(status, &body), status == 201),
            Err(refusal) => (refusal.response(), false),
        }
    }

    /// Twilio's error for an injected `status`.
    #[must_use]
    pub fn fail(status: u16) -> HttpResponse {
        Refusal::of_status(status).response()
    }

    fn retrieve(&self, account: &str, what: &str, now: Timestamp) -> Result<Value, Refusal> {
        let sid = what
            .strip_prefix("Messages/")
            .and_then(|rest| rest.strip_suffix(".json"));
        let found = self
            .messages
            .values()
            .find(|one| Some(one.sid.as_str()) == sid && one.account == account);
        found
            .map(|message| message.shown(now))
            .ok_or_else(|| Refusal::no_such("GET", what))
    }
}

/// Basic authentication, by the account's sid and token, or by one of its API keys (`SK…`).
fn authorised(request: &HttpRequest, account: &str) -> Result<(), Refusal> {
    let encoded = request
        .header("authorization")
        .and_then(|value| value.strip_prefix("Basic "));
    let decoded = encoded
        .and_then(|text| STANDARD.decode(text.trim()).ok())
        .and_then(|raw| String::from_utf8(raw).ok());
    let pair = decoded.as_deref().and_then(|text| text.split_once(':'));
    let good = |(user, token): (&str, &str)| {
        let is_sid = user.len() == 34 && user.bytes().all(|b| b.is_ascii_alphanumeric());
        is_sid && !token.is_empty() && (user == account || user.starts_with("SK"))
    };
    if account.starts_with("AC") && pair.is_some_and(good) {
        Ok(())
    } else {
        Err(Refusal::unauthorised())
    }
}

fn answer(status: u16, body: &Value) -> HttpResponse {
    let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
    HttpResponse {
        status,
        headers,
        body: body.to_string().into_bytes(),
    }
}
