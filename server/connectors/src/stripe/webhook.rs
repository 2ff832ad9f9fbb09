//! Verifies the signature of Stripe's events and parses them.

mod event;

use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

pub use event::{Event, EventRefund};

/// An older event may be a replay. Future timestamps are allowed: clocks differ.
const TOLERANCE: Duration = Duration::from_secs(300);

/// Reason why an event is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The header is not `t=…,v1=…`.
    #[error("the signature header cannot be read")]
    Malformed,
    /// No `v1` matches the body and the secret.
    #[error("no signature fits")]
    NoMatch,
    /// The event was signed more than five minutes ago.
    #[error("the signature is too old")]
    TooOld,
    /// The signature is valid, but the body can't be parsed.
    #[error("the body is not an event")]
    NotAnEvent,
}

/// Verifies the event with [`verify`], then parses it.
///
/// # Errors
/// The reason why the event is rejected.
pub fn receive(
    secret: &SecretString,
    header: &str,
    body: &[u8],
    now: Timestamp,
) -> Result<Event, SignatureError> {
    verify(secret, header, body, now)?;
    event::read(body).ok_or(SignatureError::NotAnEvent)
}

/// Verifies `Stripe-Signature` over the raw body, before anything parses it. Any of several `v1`
/// values may match (two while a secret is being rolled); `v0` is ignored. Compares in constant
/// time.
///
/// # Errors
/// The reason why the event is rejected.
pub fn verify(
    secret: &SecretString,
    header: &str,
    body: &[u8],
    now: Timestamp,
) -> Result<(), SignatureError> {
    let fields = || {
        header
            .split(',')
            .filter_map(|part| part.trim().split_once('='))
    };
    let time = fields()
        .find(|(name, _)| *name == "t")
        .map(|(_, value)| value)
        .ok_or(SignatureError::Malformed)?;
    let signed: i64 = time.parse().map_err(|_| SignatureError::Malformed)?;
    let signed = Timestamp::from_second(signed).map_err(|_| SignatureError::Malformed)?;
    let mut signatures = fields()
        .filter(|(name, _)| *name == "v1")
        .filter_map(|(_, value)| hex::decode(value).ok())
        .peekable();
    if signatures.peek().is_none() {
        return Err(SignatureError::Malformed);
    }
    let fits = |signature: Vec<u8>| {
        Hmac::<Sha256>::new_from_slice(secret.expose_secret().as_bytes()).is_ok_and(|mut mac| {
            mac.update(time.as_bytes());
            mac.update(b".");
            mac.update(body);
            mac.verify_slice(&signature).is_ok()
        })
    };
    if !signatures.any(fits) {
        return Err(SignatureError::NoMatch);
    }
    match Duration::try_from(now.duration_since(signed)) {
        Ok(age) if age > TOLERANCE => Err(SignatureError::TooOld),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = br#"{"id":"evt_1"}"#;

    fn sign(secret: &str, time: i64, body: &[u8]) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(format!("{time}.").as_bytes());
        mac.update(body);
        hex::encode(mac.finalize().into_bytes())
    }

    fn check(header: &str, body: &[u8], now: i64) -> Result<(), SignatureError> {
        verify(
            &SecretString::from("whsec_new"),
            header,
            body,
            Timestamp::from_second(now).unwrap(),
        )
    }

    #[test]
    fn an_independently_computed_signature_matches() {
        // printf '1700000000.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_new
        let known = "f3ac0c93c23f69e2e6046d7f0e2c82c93d0403de0f8651457189ab70fbbfcaae";
        assert_eq!(sign("whsec_new", 1_700_000_000, BODY), known);
        assert_eq!(
            check(&format!("t=1700000000,v1={known}"), BODY, 1_700_000_000),
            Ok(())
        );
    }

    #[test]
    fn any_v1_signature_may_match_during_secret_rotation() {
        let (old, new) = (sign("whsec_old", 1000, BODY), sign("whsec_new", 1000, BODY));
        assert_eq!(
            check(&format!("t=1000,v1={old},v1={new}"), BODY, 1001),
            Ok(())
        );
        assert_eq!(
            check(&format!("t=1000, v1={new}, v0=00"), BODY, 1001),
            Ok(())
        );
        assert_eq!(
            check(&format!("t=1000,v1={old}"), BODY, 1001),
            Err(SignatureError::NoMatch)
        );
        assert_eq!(
            check(&format!("t=1000,v1={old},v0={new}"), BODY, 1001),
            Err(SignatureError::NoMatch),
            "v0 does not count"
        );
    }

    #[test]
    fn old_timestamps_are_refused_and_future_ones_are_not() {
        let header = format!("t=1000,v1={}", sign("whsec_new", 1000, BODY));
        assert_eq!(check(&header, BODY, 1300), Ok(()));
        assert_eq!(check(&header, BODY, 1301), Err(SignatureError::TooOld));
        assert_eq!(check(&header, BODY, 0), Ok(()), "the old side only");
    }

    #[test]
    fn unsigned_events_are_refused() {
        let signature = sign("whsec_new", 1000, BODY);
        assert_eq!(
            check(&format!("t=1000,v1={signature}"), b"{}", 1000),
            Err(SignatureError::NoMatch),
            "another body"
        );
        assert_eq!(
            check(&format!("t=1001,v1={signature}"), BODY, 1001),
            Err(SignatureError::NoMatch),
            "another time"
        );
        for header in [
            "",
            "t=1000",
            "v1=00",
            "t=x,v1=00",
            "t=1000,v1=zz",
            "nonsense",
        ] {
            assert_eq!(
                check(header, BODY, 1000),
                Err(SignatureError::Malformed),
                "{header}"
            );
        }
    }
}
