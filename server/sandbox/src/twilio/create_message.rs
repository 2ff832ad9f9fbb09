//! Accepts a message.

use jiff::Timestamp;
use rlibphonenumber::PHONE_NUMBER_UTIL;
use serde_json::Value;

use super::Twilio;
use super::error_body::Refusal;
use super::message::{MAX_VALIDITY, Message};
use super::{senders, vendor_params};

/// Maximum length of a message.
const MAX_CHARS: usize = 1600;
/// Maximum length of the address for callbacks.
const MAX_URL: usize = 4000;
/// Parameters that are simulated.
const SIMULATED: &str = "To From MessagingServiceSid Body StatusCallback ValidityPeriod";

impl Twilio {
    pub(super) fn create(
        &mut self,
        account: &str,
        token: &str,
        form: &[u8],
        now: Timestamp,
    ) -> Result<Value, Refusal> {
        let given: Vec<(String, String)> = url::form_urlencoded::parse(form).into_owned().collect();
        let names = given.iter().map(|(name, _)| name.as_str());
        vendor_params::check("POST Messages", SIMULATED, names)?;
        let field = |name: &str| {
            given
                .iter()
                .find(|(key, _)| key == name)
                .map(|(_, value)| value.clone())
                .filter(|value| !value.is_empty())
        };
        let to =
            field("To").ok_or_else(|| Refusal::bad(21604, "A 'To' phone number is required."))?;
        let service = field("MessagingServiceSid");
        let from = match (field("From"), &service) {
            (Some(from), _) => from,
            (None, Some(sid)) => {
                senders::check_service(sid)?;
                senders::NUMBERS[0].to_owned()
            }
            (None, None) => return Err(Refusal::bad(21603, "A 'From' phone number is required.")),
        };
        let body = field("Body").ok_or_else(|| Refusal::bad(21602, "Message body is required."))?;
        recipient(&to)?;
        sender(&from)?;
        if body.chars().count() > MAX_CHARS {
            let message = "The concatenated message body exceeds the 1600 character limit.";
            return Err(Refusal::bad(21617, message));
        }
        let callback = field("StatusCallback");
        if let Some(url) = callback.as_deref().filter(|url| !is_callback(url)) {
            let message = format!("The StatusCallback URL {url} is not a valid URL.");
            return Err(Refusal::bad(21609, message));
        }
        let validity = field("ValidityPeriod").map(|text| validity(&text));
        self.counter += 1;
        self.counted = true;
        let sid = sid(self.seed, self.counter);
        let message = Message {
            seq: self.counter,
            sid,
            account: account.to_owned(),
            to,
            from,
            service,
            body,
            at: now,
            callback,
            token: token.to_owned(),
            validity: validity.transpose()?,
            told: 0,
        };
        let shown = message.shown(now);
        self.dirty.insert(message.seq);
        self.messages.insert(message.seq, message);
        Ok(shown)
    }
}

/// A whole address; unlike Twilio's, ours may be on this machine, as the sandbox is.
fn is_callback(text: &str) -> bool {
    let url = text.parse::<url::Url>();
    url.is_ok_and(|url| {
        let host = url.host_str().unwrap_or_default();
        matches!(url.scheme(), "http" | "https")
            && !host.is_empty()
            && !host.contains('_')
            && text.len() <= MAX_URL
    })
}

fn validity(text: &str) -> Result<i64, Refusal> {
    let seconds = text.parse().ok();
    let seconds = seconds.filter(|seconds| (1..=MAX_VALIDITY).contains(seconds));
    seconds.ok_or_else(|| Refusal::bad(20001, "ValidityPeriod must be from 1 to 36000"))
}

/// E.164, with a number that its country's numbering plan has assigned.
fn is_number(text: &str) -> bool {
    let plain = text
        .strip_prefix('+')
        .is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
    let number = PHONE_NUMBER_UTIL.parse(text, None);
    plain && number.is_ok_and(|number| number.is_valid())
}

fn recipient(to: &str) -> Result<(), Refusal> {
    match to {
        _ if !is_number(to) => Err(invalid(to)),
        "+15005550001" => Err(invalid(to)),
        "+15005550002" => {
            let message =
                "The 'To' phone number provided cannot be reached from the 'From' number.";
            Err(Refusal::bad(21612, message))
        }
        "+15005550003" => {
            let message = format!(
                "Permission to send an SMS has not been enabled for the region indicated by the 'To' number: {to}"
            );
            Err(Refusal::bad(21408, message))
        }
        "+15005550009" => Err(Refusal::bad(
            21614,
            "'To' number is not a valid mobile number",
        )),
        _ if to == "+15005550004" || to.ends_with("0000") => Err(Refusal::bad(
            21610,
            "Attempt to send to unsubscribed recipient",
        )),
        _ => Ok(()),
    }
}

fn invalid(to: &str) -> Refusal {
    Refusal::bad(21211, format!("Invalid 'To' Phone Number: {to}"))
}

fn sender(from: &str) -> Result<(), Refusal> {
    if !is_number(from) || from == "+15005550001" {
        return Err(Refusal::bad(
            21212,
            format!("Invalid 'From' Phone Number: {from}"),
        ));
    }
    match from {
        _ if senders::NUMBERS.contains(&from) => Ok(()),
        "+15005550007" => {
            let message = format!(
                "The 'From' phone number {from} is not a valid, message-capable Twilio phone number for this destination/account."
            );
            Err(Refusal::bad(21606, message))
        }
        "+15005550008" => Err(Refusal::full_queue()),
        _ => {
            let message = format!(
                "'From' {from} is not a Twilio phone number or Short Code country mismatch"
            );
            Err(Refusal::bad(21659, message))
        }
    }
}

/// `SM` and 32 hex digits, deterministic for a seed.
fn sid(seed: u64, number: u64) -> String {
    let mix = |salt: u64| {
        let mut mixed = (seed ^ salt).wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    };
    format!("SM{:016x}{:016x}", mix(0x5355), mix(0x4d53))
}
