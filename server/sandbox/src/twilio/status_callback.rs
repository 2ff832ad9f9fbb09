//! Status callbacks: one signed POST for each change of a message's status.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dewy_domain::ports::HttpRequest;
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use sha1::Sha1;

use super::Twilio;
use super::message::{Message, Step};

impl Twilio {
    /// Callbacks that are due and were not attempted yet. Each is attempted once: Twilio repeats
    /// only what could not be connected.
    pub fn due_callbacks(&mut self, now: Timestamp) -> Vec<HttpRequest> {
        let mut due = Vec::new();
        for (seq, message) in &mut self.messages {
            let Some(url) = message.callback.clone() else {
                continue;
            };
            let steps = message.steps(now);
            if steps.len() > message.told {
                due.extend(
                    steps[message.told..]
                        .iter()
                        .map(|step| request(message, &url, step)),
                );
                message.told = steps.len();
                self.dirty.insert(*seq);
            }
        }
        due
    }
}

fn request(message: &Message, url: &str, step: &Step) -> HttpRequest {
    let mut fields = vec![
        ("AccountSid", message.account.clone()),
        ("ApiVersion", "2010-04-01".to_owned()),
        ("From", message.from.clone()),
        ("MessageSid", message.sid.clone()),
        ("MessageStatus", step.status.to_owned()),
        ("SmsSid", message.sid.clone()),
        ("SmsStatus", step.status.to_owned()),
        ("To", message.to.clone()),
    ];
    let service = message.service.clone();
    fields.extend(service.map(|sid| ("MessagingServiceSid", sid)));
    fields.extend(step.error.map(|(code, _)| ("ErrorCode", code.to_string())));
    if step.is_last {
        let done = step.at.strftime("%y%m%d%H%M").to_string();
        fields.push(("RawDlrDoneDate", done));
    }
    let body = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(&fields)
        .finish();
    let headers = [
        (
            "content-type",
            "application/x-www-form-urlencoded; charset=UTF-8".to_owned(),
        ),
        ("user-agent", "TwilioProxy/1.1".to_owned()),
        (
            "x-twilio-signature",
            signature(&message.token, url, &mut fields),
        ),
    ];
    HttpRequest {
        method: "POST".to_owned(),
        url: url.to_owned(),
        headers: headers
            .map(|(name, value)| (name.to_owned(), value))
            .to_vec(),
        body: body.into_bytes(),
    }
}

/// HMAC-SHA1 over the address and all fields in the order of their names.
fn signature(token: &str, url: &str, fields: &mut [(&str, String)]) -> String {
    fields.sort();
    let Ok(mut mac) = Hmac::<Sha1>::new_from_slice(token.as_bytes()) else {
        return String::new();
    };
    mac.update(url.as_bytes());
    for (name, value) in fields {
        mac.update(name.as_bytes());
        mac.update(value.as_bytes());
    }
    STANDARD.encode(mac.finalize().into_bytes())
}

#[cfg(test)]
mod tests {
    use super::signature;

    #[test]
    fn the_signature_is_the_documented_one() {
        let caller = "+14158675309".to_owned();
        let mut fields = [
            ("To", "+18005551212".to_owned()),
            ("Digits", "1234".to_owned()),
            ("CallSid", "CA1234567890ABCDE".to_owned()),
            ("From", caller.clone()),
            ("Caller", caller),
        ];
        let url = "https://mycompany.com/myapp.php?foo=1&bar=2";
        assert_eq!(
            signature("12345", url, &mut fields),
            "RSOYDt4T1cUTdK1PDd93/VVr8B8="
        );
    }
}
