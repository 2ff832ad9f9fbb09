//! Message and its status.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Delays until the carrier has the message, and until the phone has it.
const SENT: SignedDuration = SignedDuration::from_secs(1);
const ARRIVED: SignedDuration = SignedDuration::from_secs(3);

/// Accepted message; everything else follows from the clock.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Message {
    pub seq: u64,
    /// `SM…`.
    pub sid: String,
    /// `AC…`.
    pub account: String,
    pub to: String,
    pub from: String,
    /// `MG…`, if given.
    pub service: Option<String>,
    pub body: String,
    /// Time of acceptance.
    pub at: Timestamp,
    /// `StatusCallback`.
    #[serde(default)]
    pub callback: Option<String>,
    /// Token of the account, which signs callbacks.
    #[serde(default)]
    pub token: String,
    /// `ValidityPeriod`, in seconds.
    #[serde(default)]
    pub validity: Option<i64>,
    /// Number of changes of the status whose callback was attempted.
    #[serde(default)]
    pub told: usize,
}

/// Longest validity period, which is the default.
pub const MAX_VALIDITY: i64 = 36_000;

/// A change of a message's status.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub status: &'static str,
    pub at: Timestamp,
    /// Code and message of a failure.
    pub error: Option<(u32, &'static str)>,
    /// Whether none follows.
    pub is_last: bool,
}

impl Message {
    /// Changes of the status until `now`, after its acceptance.
    pub fn steps(&self, now: Timestamp) -> Vec<Step> {
        let after = |pause| self.at.saturating_add(pause).unwrap_or(self.at);
        let step = |status, pause, error| Step {
            status,
            at: after(pause),
            error,
            is_last: status != "sent",
        };
        let all = if self.to.ends_with("8888") {
            let validity = SignedDuration::from_secs(self.validity.unwrap_or(MAX_VALIDITY));
            vec![step(
                "failed",
                validity,
                Some((30036, "Validity Period Expired")),
            )]
        } else if self.to.ends_with("9999") {
            let error = (30003, "Unreachable destination handset");
            vec![
                step("sent", SENT, None),
                step("undelivered", ARRIVED, Some(error)),
            ]
        } else {
            vec![step("sent", SENT, None), step("delivered", ARRIVED, None)]
        };
        all.into_iter().filter(|step| step.at <= now).collect()
    }

    pub fn sent_at(&self, now: Timestamp) -> Option<Timestamp> {
        let steps = self.steps(now);
        let sent = steps.iter().find(|step| step.status == "sent");
        sent.map(|step| step.at)
    }

    /// Public form in the API.
    pub fn shown(&self, now: Timestamp) -> Value {
        let steps = self.steps(now);
        let last = steps.last();
        // A Messaging Service chooses the sender when it sends
        let chosen = self.service.is_none() || last.is_some();
        let status = match last {
            Some(step) => step.status,
            None if self.service.is_some() => "accepted",
            None => "queued",
        };
        let error = last.and_then(|step| step.error);
        let segments = if chosen { segments(&self.body) } else { 0 };
        let uri = format!(
            "/2010-04-01/Accounts/{}/Messages/{}.json",
            self.account, self.sid
        );
        let media = format!(
            "/2010-04-01/Accounts/{}/Messages/{}/Media.json",
            self.account, self.sid
        );
        json!({
            "account_sid": self.account, "api_version": "2010-04-01", "body": self.body,
            "date_created": date(self.at), "date_sent": self.sent_at(now).map(date),
            "date_updated": date(last.map_or(self.at, |step| step.at)),
            "direction": "outbound-api", "error_code": error.map(|(code, _)| code),
            "error_message": error.map(|(_, message)| message), "from": chosen.then_some(&self.from),
            "messaging_service_sid": self.service, "num_media": "0", "num_segments": segments.to_string(),
            "price": null, "price_unit": "USD", "sid": self.sid, "status": status,
            "subresource_uris": {"media": media}, "to": self.to, "uri": uri,
        })
    }
}

/// RFC 2822, as everywhere in this API.
fn date(at: Timestamp) -> String {
    at.strftime("%a, %d %b %Y %H:%M:%S +0000").to_string()
}

/// Number of segments: 160 characters for one, 153 for each of several with plain letters;
/// otherwise 70 and 67.
fn segments(body: &str) -> usize {
    let (one, several) = if body.is_ascii() {
        (160, 153)
    } else {
        (70, 67)
    };
    let units = body.encode_utf16().count();
    if units <= one {
        1
    } else {
        units.div_ceil(several)
    }
}

#[cfg(test)]
mod tests {
    use super::segments;

    #[test]
    fn a_long_text_is_sent_in_segments() {
        let long = |letter: &str, count: usize| segments(&letter.repeat(count));
        assert_eq!(
            (long("a", 0), long("a", 160), long("a", 161), long("a", 307)),
            (1, 1, 2, 3)
        );
        assert_eq!(
            (long("ö", 70), long("ö", 71), long("🛎", 35), long("🛎", 36)),
            (1, 2, 1, 2)
        );
    }
}
