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
//! | `+15005550001` · `…0002` · `…0003` · `…0004` · `…0009` | Twilio's own test numbers: 21211 invalid · 21612 unroutable · 21408 no such region · 21610 · 21614 not a mobile |
//! | ends in `8888` | stays in the queue until its validity period is over: failed (30036) |
//!
//! Valid senders are `+12125550190` (the hotel's), Twilio's `+15005550006`, and the Messaging Service
//! `MG` with zeros and a 1; any other is refused. Every account `AC…` exists, and any non-empty token
//! is accepted. A status callback is signed by the token of the request (with an API key, by
//! `sandbox`) and attempted once. Parameters are those that Twilio's own client declares
//! (`vendor_params.json`); one that is not simulated is refused, as is an unknown one.

mod create_message;
mod error_body;
mod list_messages;
mod message;
mod senders;
mod status_callback;
mod vendor_params;

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dewy_domain::ports::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::json_response::answer;
use crate::stored_row::{ChangedRow, Row};
use error_body::Refusal;
use message::Message;

const MESSAGES: &str = "messages";
const COUNTER: &str = "_counter";
/// Account that the Messaging Service names.
const SERVICES_ACCOUNT: &str = "AC00000000000000000000000000000000";
/// Token of the accounts that are used by API keys.
const KEYS_ACCOUNT_TOKEN: &str = "sandbox";

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
        let service = path.strip_prefix("/v1/Services/");
        let rest = path
            .strip_prefix("/2010-04-01/Accounts/")
            .unwrap_or_default();
        let (account, what) = rest.split_once('/').unwrap_or((rest, ""));
        let user = authorised(request, service.is_none().then_some(account));
        let made = match (user, request.method.as_str(), what) {
            (Err(refusal), ..) => Err(refusal),
            (Ok(_), "GET", _) if service.is_some() => {
                senders::service(service.unwrap_or_default(), SERVICES_ACCOUNT)
                    .map(|body| (200, body))
            }
            (Ok(token), "POST", "Messages.json") => self
                .create(account, &token, &request.body, now)
                .map(|body| (201, body)),
            (Ok(_), "GET", "Messages.json") => self
                .list(account, &request.url, now)
                .map(|body| (200, body)),
            (Ok(_), "GET", "IncomingPhoneNumbers.json") => {
                Ok((200, senders::numbers(account, &request.url)))
            }
            (Ok(_), "GET", "SMS/ShortCodes.json") => Ok((200, senders::short_codes(account))),
            (Ok(_), "GET", what) => self.retrieve(account, what, now).map(|body| (200, body)),
            (Ok(_), method, what) => Err(Refusal::no_such(method, what)),
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

/// Basic authentication, by the account's sid and token, or by one of its API keys (`SK…`); returns
/// the account's token. Without an account any will do.
fn authorised(request: &HttpRequest, account: Option<&str>) -> Result<String, Refusal> {
    let encoded = request
        .header("authorization")
        .and_then(|value| value.strip_prefix("Basic "));
    let decoded = encoded
        .and_then(|text| STANDARD.decode(text.trim()).ok())
        .and_then(|raw| String::from_utf8(raw).ok());
    let pair = decoded.as_deref().and_then(|text| text.split_once(':'));
    let token = |(user, token): (&str, &str)| {
        let is_sid = user.len() == 34 && user.bytes().all(|b| b.is_ascii_alphanumeric());
        let is_key = user.starts_with("SK");
        let own = user.starts_with("AC") && account.is_none_or(|account| user == account);
        let good = is_sid && !token.is_empty() && (own || is_key);
        good.then(|| (if is_key { KEYS_ACCOUNT_TOKEN } else { token }).to_owned())
    };
    pair.filter(|_| account.is_none_or(|account| account.starts_with("AC")))
        .and_then(token)
        .ok_or_else(Refusal::unauthorised)
}
