//! Verifies the signature of Twilio's status callbacks and parses them.
//!
//! `X-Twilio-Signature` is HMAC-SHA1, by the account's token, over the address that Twilio was given
//! and all parameters in the order of their names. Twilio adds parameters without notice.

use std::collections::{BTreeMap, BTreeSet};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use dewy_domain::text_status::TextStatus;
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha1::Sha1;
use url::{Url, form_urlencoded};

/// Reason why a callback is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallbackError {
    /// The signature is not that of the account.
    #[error("the signature does not fit")]
    NoMatch,
    /// The signature is valid, but this is not about a message.
    #[error("it is not the status of a message")]
    NotAStatus,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusReport {
    /// Message: `SM…`.
    pub sid: String,
    /// Recipient, E.164.
    pub to: String,
    /// Status; `None` for one that we don't know.
    pub status: Option<TextStatus>,
    /// Why it never arrived.
    pub error_code: Option<u32>,
}

/// Verifies the callback with [`verify`], then parses it.
///
/// # Errors
/// The reason why it is rejected.
pub fn receive(
    token: &SecretString,
    signature: &str,
    url: &str,
    body: &[u8],
) -> Result<StatusReport, CallbackError> {
    verify(token, signature, url, body)?;
    let field = |name: &str| {
        let mut pairs = form_urlencoded::parse(body);
        let found = pairs.find(|(key, value)| key == name && !value.is_empty());
        found.map(|(_, value)| value.into_owned())
    };
    let report = || {
        Some(StatusReport {
            sid: field("MessageSid").filter(|sid| sid.len() <= 64)?,
            to: field("To").unwrap_or_default(),
            status: TextStatus::named(&field("MessageStatus")?),
            error_code: field("ErrorCode").and_then(|code| code.parse().ok()),
        })
    };
    report().ok_or(CallbackError::NotAStatus)
}

/// Verifies the signature of a form for `url`, the address that Twilio was given: it signs the
/// address with or without its port. Compares in constant time.
///
/// # Errors
/// [`CallbackError::NoMatch`].
pub fn verify(
    token: &SecretString,
    signature: &str,
    url: &str,
    body: &[u8],
) -> Result<(), CallbackError> {
    let signature = STANDARD.decode(signature.trim()).unwrap_or_default();
    let mut fields: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, value) in form_urlencoded::parse(body) {
        let values = fields.entry(name.into_owned()).or_default();
        values.insert(value.into_owned());
    }
    let fits = |url: &String| {
        Hmac::<Sha1>::new_from_slice(token.expose_secret().as_bytes()).is_ok_and(|mut mac| {
            mac.update(url.as_bytes());
            for (name, values) in &fields {
                for value in values {
                    mac.update(name.as_bytes());
                    mac.update(value.as_bytes());
                }
            }
            mac.verify_slice(&signature).is_ok()
        })
    };
    if addresses(url).iter().any(fits) {
        Ok(())
    } else {
        Err(CallbackError::NoMatch)
    }
}

/// The address as given, without its port, and with the default one.
fn addresses(given: &str) -> Vec<String> {
    let mut all = vec![given.to_owned()];
    if let Ok(url) = given.parse::<Url>()
        && let Some(host) = url.host_str()
        && let Some((_, rest)) = given.split_once("://")
    {
        let rest = rest.find('/').map_or("", |slash| &rest[slash..]);
        let scheme = url.scheme();
        let port = if scheme == "https" { 443 } else { 80 };
        all.push(format!("{scheme}://{host}{rest}"));
        all.push(format!("{scheme}://{host}:{port}{rest}"));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Example of Twilio's documentation ("Validating requests").
    const URL: &str = "https://mycompany.com/myapp.php?foo=1&bar=2";
    const BODY: &[u8] = b"CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212";
    const SIGNATURE: &str = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";

    fn token() -> SecretString {
        SecretString::from("12345")
    }

    #[test]
    fn the_documented_example_fits_and_no_other_does() {
        assert_eq!(verify(&token(), SIGNATURE, URL, BODY), Ok(()));
        let with_port = "https://mycompany.com:443/myapp.php?foo=1&bar=2";
        assert_eq!(verify(&token(), SIGNATURE, with_port, BODY), Ok(()));
        let more = [BODY, b"&New=1"].concat();
        for (token, signature, url, body) in [
            ("12346", SIGNATURE, URL, BODY),
            ("12345", "RSOYDt4T1cUTdK1PDd93/VVr8B9=", URL, BODY),
            ("12345", "", URL, BODY),
            ("12345", SIGNATURE, "https://mycompany.com/myapp.php", BODY),
            (
                "12345",
                SIGNATURE,
                "http://mycompany.com/myapp.php?foo=1&bar=2",
                BODY,
            ),
            ("12345", SIGNATURE, URL, &more[..]),
        ] {
            assert_eq!(
                verify(&SecretString::from(token), signature, url, body),
                Err(CallbackError::NoMatch),
                "{token} {signature} {url}"
            );
        }
        assert_eq!(
            receive(&token(), SIGNATURE, URL, BODY),
            Err(CallbackError::NotAStatus)
        );
    }
}
