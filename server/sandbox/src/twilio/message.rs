//! One message, and how far it is.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// When the carrier has it, and when the phone has.
const SENT: SignedDuration = SignedDuration::from_secs(1);
const ARRIVED: SignedDuration = SignedDuration::from_secs(3);

/// A message as it was taken; everything else follows from the clock.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Message {
    /// Place in the order of arrival.
    pub seq: u64,
    /// `SM…`.
    pub sid: String,
    /// `AC…`.
    pub account: String,
    /// To whom.
    pub to: String,
    /// From which of our numbers.
    pub from: String,
    /// `MG…`, if one was named.
    pub service: Option<String>,
    /// The words.
    pub body: String,
    /// When it was taken.
    pub at: Timestamp,
}

impl Message {
    fn after(&self, pause: SignedDuration) -> Timestamp {
        self.at.saturating_add(pause).unwrap_or(self.at)
    }

    /// When it left, if it has.
    pub fn left(&self, now: Timestamp) -> Option<Timestamp> {
        Some(self.after(SENT)).filter(|left| *left <= now)
    }

    fn arrived(&self, now: Timestamp) -> Option<Timestamp> {
        Some(self.after(ARRIVED)).filter(|arrived| *arrived <= now)
    }

    /// As the API shows it.
    pub fn shown(&self, now: Timestamp) -> Value {
        let reaches = !self.to.ends_with("9999");
        let status = match (self.left(now), self.arrived(now)) {
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
            "date_created": date(self.at), "date_sent": self.left(now).map(date),
            "date_updated": date(self.arrived(now).or_else(|| self.left(now)).unwrap_or(self.at)),
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

/// A text of plain letters has 160 in one part and 153 in each of several; any other 70 and 67.
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
    fn a_long_text_goes_in_parts() {
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
