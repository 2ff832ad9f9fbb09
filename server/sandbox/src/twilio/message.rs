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
    /// Sequence number.
    pub seq: u64,
    /// `SM…`.
    pub sid: String,
    /// `AC…`.
    pub account: String,
    /// Recipient.
    pub to: String,
    /// Sender.
    pub from: String,
    /// `MG…`, if given.
    pub service: Option<String>,
    /// Text.
    pub body: String,
    /// Time of acceptance.
    pub at: Timestamp,
}

impl Message {
    fn after(&self, pause: SignedDuration) -> Timestamp {
        self.at.saturating_add(pause).unwrap_or(self.at)
    }

    /// Time it was sent, if it was.
    pub fn sent_at(&self, now: Timestamp) -> Option<Timestamp> {
        Some(self.after(SENT)).filter(|left| *left <= now)
    }

    fn arrived(&self, now: Timestamp) -> Option<Timestamp> {
        Some(self.after(ARRIVED)).filter(|arrived| *arrived <= now)
    }

    /// Public form in the API.
    pub fn shown(&self, now: Timestamp) -> Value {
        let reaches = !self.to.ends_with("9999");
        let status = match (self.sent_at(now), self.arrived(now)) {
            (_, Some(_)) if reaches => "delivered",
            (_, Some(_)) => "undelivered",
            (Some(_), None) => "sent",
            (None, None) if self.service.is_some() => "accepted",
            (None, None) => "queued",
        };
        let failed = status == "undelivered";
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
            "date_updated": date(self.arrived(now).or_else(|| self.sent_at(now)).unwrap_or(self.at)),
            "direction": "outbound-api", "error_code": failed.then_some(30003),
            "error_message": failed.then_some("Unreachable destination handset"), "from": self.from,
            "messaging_service_sid": self.service, "num_media": "0", "num_segments": segments(&self.body).to_string(),
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
