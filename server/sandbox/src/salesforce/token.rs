//! OAuth token endpoint: client credentials, in the form or as Basic authentication.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use dewy_domain::ports::{HttpRequest, HttpResponse};
use jiff::Timestamp;
use serde_json::{Value, json};
use url::form_urlencoded;

use super::Org;
use super::id::SfId;
use crate::json_response::with_charset as respond;

/// Valid sessions of the org.
#[derive(Clone, Debug, Default)]
pub struct Sessions {
    /// Tokens of an earlier era have expired.
    pub era: u64,
    pub issued: u64,
}

pub fn org_id() -> SfId {
    SfId::new("00D", 1)
}

impl Sessions {
    fn issue(&mut self) -> String {
        self.issued += 1;
        format!(
            "{}!AQsandbox.{}.{}",
            org_id().as_str().get(..15).unwrap_or_default(),
            self.era,
            self.issued
        )
    }

    /// Whether an `authorization` header is valid.
    #[must_use]
    pub fn admits(&self, header: Option<&str>) -> bool {
        let token = header.and_then(|h| {
            h.strip_prefix("Bearer ")
                .or_else(|| h.strip_prefix("OAuth "))
        });
        let Some((org, rest)) = token.and_then(|t| t.trim().split_once("!AQsandbox.")) else {
            return false;
        };
        let numbers = rest
            .split_once('.')
            .and_then(|(era, n)| Some((era.parse::<u64>().ok()?, n.parse::<u64>().ok()?)));
        let fits =
            numbers.is_some_and(|(era, n)| era == self.era && (1..=self.issued).contains(&n));
        fits && org_id().as_str().starts_with(org) && org.len() == 15
    }
}

impl Org {
    pub(super) fn token(&mut self, request: &HttpRequest, now: Timestamp) -> HttpResponse {
        if request.method != "POST" {
            return refused("invalid_request", "must use HTTP POST");
        }
        let form: Vec<(String, String)> =
            form_urlencoded::parse(&request.body).into_owned().collect();
        let given = |name: &str| {
            form.iter()
                .find(|(n, _)| n == name)
                .map(|(_, v)| v.clone())
                .unwrap_or_default()
        };
        match given("grant_type").as_str() {
            "client_credentials" => {}
            "" => return refused("invalid_request", "must provide grant_type"),
            _ => return refused("unsupported_grant_type", "grant type not supported"),
        }
        let (id, secret) =
            basic(request).unwrap_or_else(|| (given("client_id"), given("client_secret")));
        if id.is_empty() || id.starts_with("wrong") {
            return refused("invalid_client_id", "client identifier invalid");
        }
        if secret.is_empty() || secret.starts_with("wrong") {
            return refused("invalid_client", "invalid client credentials");
        }
        if let Some(refusal) = &self.settings.token_refusal {
            return refused(&refusal.error, &refusal.error_description);
        }
        let origin = match &self.settings.instance {
            Some(instance) => instance.clone(),
            None => origin(request),
        };
        respond(
            200,
            &json!({
                "access_token": self.sessions.issue(),
                "instance_url": origin,
                "id": format!("{origin}/id/{}/{}", org_id(), super::org_users::integration()),
                "token_type": "Bearer",
                "issued_at": now.as_millisecond().to_string(),
                "signature": STANDARD.encode(format!("{}{}", org_id(), now.as_millisecond())),
                "scope": "api",
            }),
        )
    }
}

fn refused(error: &str, description: &str) -> HttpResponse {
    respond(
        400,
        &json!({"error": error, "error_description": description}),
    )
}

fn basic(request: &HttpRequest) -> Option<(String, String)> {
    let coded = request.header("authorization")?.strip_prefix("Basic ")?;
    let plain = String::from_utf8(STANDARD.decode(coded.trim()).ok()?).ok()?;
    let (id, secret) = plain.split_once(':')?;
    Some((id.to_owned(), secret.to_owned()))
}

/// Scheme and host of the request.
pub(super) fn origin(request: &HttpRequest) -> String {
    let (scheme, rest) = request.url.split_once("://").unwrap_or(("http", ""));
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    format!("{scheme}://{}", request.header("host").unwrap_or(host))
}

/// 401 for a call without a valid session.
pub fn expired() -> (u16, Value) {
    (
        401,
        json!([{"message": "Session expired or invalid", "errorCode": "INVALID_SESSION_ID"}]),
    )
}
