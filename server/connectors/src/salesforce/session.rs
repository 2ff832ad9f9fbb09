//! Access token, and the base URL that came with it.

use std::{
    sync::{Arc, PoisonError},
    time::Duration,
};

use dewy_domain::{
    ports::HttpRequest,
    upstream_request::{Fault, Outcome},
};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Mutex;

use super::SalesforceConfig;
use crate::{
    client_policy::ClientPolicy,
    exchange_result::{Response, malformed_response, no_response},
    percent_encoding::percent,
    redacted_message::redacted_message,
};

/// Shortest time between two drops of a session whose host failed: a new token is one more request
/// to a system in trouble.
const DROP_INTERVAL: Duration = Duration::from_secs(60);

/// Token that worked at least once.
#[derive(Debug)]
pub(super) struct Session {
    token: SecretString,
    /// `instance_url`: the org's API host.
    pub(super) base: String,
}

impl Session {
    pub(super) const fn secret(&self) -> &SecretString {
        &self.token
    }

    /// Value of the `Authorization` header.
    pub(super) fn bearer(&self) -> String {
        format!("Bearer {}", self.token.expose_secret())
    }
}

/// At most one token request at a time: concurrent callers share its result.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    current: Mutex<Option<Arc<Session>>>,
    /// Uptime of the latest drop.
    dropped: std::sync::Mutex<Option<Duration>>,
}

impl Sessions {
    /// Whether a session whose host can't be reached, or is not an org's any more, may be replaced
    /// now: at most once a minute.
    pub(super) fn may_drop(&self, now: Duration) -> bool {
        let mut dropped = self.dropped.lock().unwrap_or_else(PoisonError::into_inner);
        let may = dropped.is_none_or(|at| now.saturating_sub(at) >= DROP_INTERVAL);
        if may {
            *dropped = Some(now);
        }
        may
    }

    /// A session other than `stale`. Whatever goes wrong here, the call it is for was not sent: the
    /// reply is never unknown.
    pub(super) async fn get(
        &self,
        stale: Option<&Arc<Session>>,
        config: &SalesforceConfig,
        policy: &ClientPolicy,
        until: Duration,
    ) -> Result<Arc<Session>, Outcome<()>> {
        let mut current = policy
            .within(until, self.current.lock())
            .await
            .map_err(Outcome::TryLater)?;
        match &*current {
            Some(session) if stale.is_none_or(|stale| !Arc::ptr_eq(stale, session)) => {
                return Ok(Arc::clone(session));
            }
            _ => {}
        }
        let response = policy
            .send("token", request(config), &config.client_secret, until)
            .await
            .map_err(Outcome::TryLater)?;
        let reply = answer(&response, config.login_url.starts_with("https://"));
        policy.note("token", &reply);
        match reply.answered() {
            Ok(session) => {
                let session = Arc::new(session);
                *current = Some(Arc::clone(&session));
                Ok(session)
            }
            // The sign-in was refused, not the request.
            Err(error) => Err(Outcome::TryLater(Fault {
                permanent: false,
                ..error
            })),
        }
    }
}

fn request(config: &SalesforceConfig) -> HttpRequest {
    let body = format!(
        "grant_type=client_credentials&client_id={}&client_secret={}",
        percent(&config.client_id),
        percent(config.client_secret.expose_secret())
    );
    HttpRequest {
        method: "POST".to_owned(),
        url: format!("{}/services/oauth2/token", config.login_url),
        headers: vec![
            (
                "content-type".to_owned(),
                "application/x-www-form-urlencoded".to_owned(),
            ),
            ("accept".to_owned(), "application/json".to_owned()),
        ],
        body: body.into_bytes(),
    }
}

fn answer(response: &Response, needs_https: bool) -> Outcome<Session> {
    #[derive(Deserialize)]
    struct TokenResponse {
        access_token: String,
        instance_url: String,
    }
    #[derive(Deserialize)]
    struct TokenError {
        error: String,
        #[serde(default)]
        error_description: String,
    }
    let response = match response {
        Ok(response) => response,
        Err(error) => return no_response(error),
    };
    match response.status {
        200 => match serde_json::from_slice::<TokenResponse>(&response.body) {
            Ok(granted) if needs_https && !granted.instance_url.starts_with("https://") => {
                Outcome::TryLater(Fault::new(
                    "insecure_instance_url",
                    "the token's instance_url is not https",
                ))
            }
            Ok(granted) => Outcome::Done(Session {
                token: SecretString::from(granted.access_token),
                base: granted.instance_url.trim_end_matches('/').to_owned(),
            }),
            Err(_) => malformed_response("a token answer"),
        },
        400..500 => match serde_json::from_slice::<TokenError>(&response.body) {
            // Some an operator has to fix; others are temporary: `unknown_error`, `retry your
            // request`, a restarting login server. Neither says anything about the call it is for.
            Ok(denied) => {
                let said = redacted_message(&denied.error_description);
                Outcome::TryLater(Fault {
                    details: json!({ "message": said }),
                    ..Fault::new(
                        denied.error,
                        format!("Salesforce returned no token: {said}"),
                    )
                })
            }
            Err(_) => {
                malformed_response(format_args!("a token answer of status {}", response.status))
            }
        },
        status => Outcome::Unknown(Fault::new(
            format!("http_{status}"),
            "Salesforce returned no token",
        )),
    }
}

#[cfg(test)]
mod tests {
    use dewy_domain::ports::{HttpResponse, TransportError};

    use super::*;

    fn response(status: u16, body: &str) -> Response {
        Ok(HttpResponse {
            status,
            headers: Vec::new(),
            body: body.as_bytes().to_vec(),
        })
    }

    #[test]
    fn the_instance_url_of_the_token_response_is_used() {
        let body = r#"{"access_token":"00D!x","instance_url":"https://hotel.my.salesforce.com/","id":"…","token_type":"Bearer"}"#;
        let Outcome::Done(session) = answer(&response(200, body), true) else {
            panic!("no session")
        };
        assert_eq!(
            (session.bearer().as_str(), session.base.as_str()),
            ("Bearer 00D!x", "https://hotel.my.salesforce.com")
        );
        assert!(
            !format!("{session:?}").contains("00D!x"),
            "a token is never printed"
        );
    }

    #[test]
    fn token_refusals_and_timeouts() {
        let denied = answer(
            &response(
                400,
                r#"{"error":"invalid_client","error_description":"invalid client credentials"}"#,
            ),
            false,
        );
        assert!(
            matches!(&denied, Outcome::TryLater(t) if t.code == "invalid_client"
            && t.details["message"] == "invalid client credentials")
        );
        let busy = r#"{"error":"unknown_error","error_description":"retry your request"}"#;
        assert!(
            matches!(answer(&response(400, busy), false), Outcome::TryLater(t) if t.code == "unknown_error")
        );
        assert!(matches!(
            answer(&Err(TransportError::Timeout), false),
            Outcome::Unknown(_)
        ));
        let plain = r#"{"access_token":"t","instance_url":"http://elsewhere"}"#;
        assert!(
            matches!(answer(&response(200, plain), true), Outcome::TryLater(t) if t.code == "insecure_instance_url")
        );
    }
}
