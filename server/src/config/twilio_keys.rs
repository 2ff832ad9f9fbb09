//! Twilio: the account, who signs in to it, and the sender.

use dewy_connectors::{TextSender, TwilioConfig};
use secrecy::SecretString;
use url::Url;

use super::variable_reader::Reader;

const ACCOUNT: &str = "TWILIO_ACCOUNT_SID";
const TOKEN: &str = "TWILIO_AUTH_TOKEN";
const KEY: &str = "TWILIO_API_KEY";
const KEY_SECRET: &str = "TWILIO_API_SECRET";
const FROM: &str = "TWILIO_FROM";
const SERVICE: &str = "TWILIO_MESSAGING_SERVICE_SID";
const BASE: &str = "TWILIO_API_BASE";

pub(super) const VARIABLES: [&str; 7] = [ACCOUNT, TOKEN, KEY, KEY_SECRET, FROM, SERVICE, BASE];

/// Twilio credentials.
#[derive(Clone, Debug)]
pub struct TwilioKeys {
    /// `TWILIO_ACCOUNT_SID`.
    pub account_sid: String,
    /// `TWILIO_AUTH_TOKEN`, which also verifies status callbacks; not needed beside an API key.
    pub auth_token: Option<SecretString>,
    /// `TWILIO_API_KEY` and `TWILIO_API_SECRET`: signs in instead of the account.
    pub api_key: Option<(String, SecretString)>,
    /// `TWILIO_FROM` or `TWILIO_MESSAGING_SERVICE_SID`.
    pub sender: TextSender,
    /// `TWILIO_API_BASE`, if not Twilio's default.
    pub api_base: Option<Url>,
}

impl TwilioKeys {
    pub(super) fn read(from: &mut Reader<'_>) -> Option<Self> {
        let is_set = |variable: &str| from.text(variable).is_some();
        let by_key = is_set(KEY) || is_set(KEY_SECRET);
        let by_service = is_set(SERVICE);
        let both_senders = by_service && is_set(FROM);
        let mut needed = vec![ACCOUNT];
        needed.extend_from_slice(if by_key { &[KEY, KEY_SECRET] } else { &[TOKEN] });
        needed.push(if by_service { SERVICE } else { FROM });
        let complete = from.group("Twilio", &needed, &VARIABLES);
        if both_senders {
            let message = format!("must not be set beside {SERVICE}, which chooses the sender");
            from.problem(FROM, message);
        }
        for (variable, prefix) in [(ACCOUNT, "AC"), (KEY, "SK"), (SERVICE, "MG")] {
            let text = from.text(variable);
            if text.is_some_and(|text| !is_sid(&text, prefix)) {
                let message = format!(
                    "must be {prefix} and 32 hexadecimal digits; was a different one pasted here?"
                );
                from.problem(variable, message);
            }
        }
        if from.text(FROM).is_some_and(|sender| !is_sender(&sender)) {
            from.problem(
                FROM,
                "must be a number with + and country code, such as +12125550190, a short code, or a name of up to 11 letters and digits",
            );
        }
        let api_base = from.url(BASE);
        if !complete {
            return None;
        }
        let api_key = from.text(KEY).zip(from.secret(KEY_SECRET));
        Some(Self {
            account_sid: from.text(ACCOUNT)?,
            auth_token: from.secret(TOKEN),
            api_key,
            sender: match from.text(SERVICE) {
                Some(sid) => TextSender::Service(sid),
                None => TextSender::Number(from.text(FROM)?),
            },
            api_base,
        })
    }

    #[must_use]
    pub fn connection(&self) -> TwilioConfig {
        let secret = self.auth_token.clone().unwrap_or_default();
        let mut config = TwilioConfig::new(self.account_sid.clone(), secret, "");
        config.sender = self.sender.clone();
        if let Some((key, secret)) = self.api_key.clone() {
            (config.user, config.secret) = (key, secret);
        }
        match &self.api_base {
            Some(base) => config.at(base.as_str()),
            None => config,
        }
    }
}

fn is_sid(text: &str, prefix: &str) -> bool {
    text.len() == 34
        && text
            .strip_prefix(prefix)
            .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// E.164, a short code, or a name.
fn is_sender(text: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    match text.strip_prefix('+') {
        Some(number) => (8..=15).contains(&number.len()) && digits(number),
        None if digits(text) => (3..=8).contains(&text.len()),
        None => {
            text.len() <= 11
                && text.bytes().any(|b| b.is_ascii_alphabetic())
                && text
                    .bytes()
                    .all(|b| b.is_ascii_alphanumeric() || b" &-_".contains(&b))
        }
    }
}
