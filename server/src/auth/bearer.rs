//! Bearer tokens on the programmatic endpoints.

use std::sync::Arc;

use async_trait::async_trait;
use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use dewy_domain::{
    caller::{Caller, Interface, Persona},
    error_code::ErrorCode,
};
use dewy_saga::StoreError;
use http::{HeaderMap, StatusCode, header};
use serde_json::Value;

use crate::tool_calls::{
    json_rpc_error::json_rpc_error, request_span::RequestId, tool_response::refusal,
};

/// Looks up tokens.
#[async_trait]
pub trait TokenCheck: Send + Sync + std::fmt::Debug {
    /// Caller that a token stands for, if it is valid now and was made for that persona.
    ///
    /// # Errors
    /// When it can't be looked up at present, or does not tell for whom it is.
    async fn caller(
        &self,
        token: &str,
        persona: Persona,
        interface: Interface,
    ) -> Result<Option<Caller>, TokenFault>;
}

/// Why a token stands for nobody now.
#[derive(Debug)]
pub enum TokenFault {
    /// The store can't look it up.
    Store(StoreError),
    /// The CRM does not say whose the email is.
    UnknownGuest,
    /// Several guests have its email, so it would open the stays of all.
    SharedEmail,
}

impl From<StoreError> for TokenFault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Token check of one endpoint.
#[derive(Clone, Debug)]
pub struct Bearer {
    /// Persona of the endpoint; another persona's token is not accepted.
    pub persona: Persona,
    pub interface: Interface,
    pub tokens: Arc<dyn TokenCheck>,
}

/// Accepts only valid tokens, and puts the [`Caller`] into the request's extensions.
pub async fn require_bearer(
    State(bearer): State<Bearer>,
    mut request: Request,
    next: Next,
) -> Response {
    let Some(token) = token(request.headers()) else {
        return unauthorized(&bearer, "Bearer realm=\"dewy\"");
    };
    match bearer
        .tokens
        .caller(&token, bearer.persona, bearer.interface)
        .await
    {
        Ok(Some(caller)) => {
            let id = request
                .extensions()
                .get::<RequestId>()
                .map(|id| id.0.clone());
            request.extensions_mut().insert(caller.in_request(id));
            next.run(request).await
        }
        Ok(None) => unauthorized(&bearer, "Bearer realm=\"dewy\", error=\"invalid_token\""),
        Err(TokenFault::SharedEmail) => {
            tracing::warn!("a token is refused: several guests have its email");
            let code = ErrorCode::SharedEmail;
            if bearer.interface == Interface::Rest {
                return refusal(code, bearer.persona);
            }
            let words = format!("{} {}", code.for_program(), code.next());
            refused_message(StatusCode::FORBIDDEN, &words)
        }
        Err(error) => {
            tracing::error!(?error, "tokens can't be looked up");
            if bearer.interface == Interface::Rest {
                return refusal(ErrorCode::UpstreamUnavailable, bearer.persona);
            }
            let words = "Tokens can't be looked up right now; please try again in a moment.";
            let refusal = refused_message(StatusCode::SERVICE_UNAVAILABLE, words);
            ([(header::RETRY_AFTER, "5")], refusal).into_response()
        }
    }
}

/// Name of the credential that a request was accepted with, which reveals nothing about it.
pub fn credential(request: &Request) -> Option<String> {
    let caller = request.extensions().get::<Caller>()?;
    let credential = caller.origin.credential.clone();
    Some(credential.unwrap_or_else(|| caller.key()))
}

fn token(headers: &HeaderMap) -> Option<String> {
    let (scheme, token) = headers
        .get(header::AUTHORIZATION)?
        .to_str()
        .ok()?
        .split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() && token.len() <= 512)
        .then(|| token.to_owned())
}

fn unauthorized(bearer: &Bearer, challenge: &'static str) -> Response {
    if bearer.interface == Interface::Rest {
        let answer = refusal(ErrorCode::NotSignedIn, bearer.persona);
        return ([(header::WWW_AUTHENTICATE, challenge)], answer).into_response();
    }
    let words = "A valid bearer token is needed: Authorization: Bearer …";
    let refusal = refused_message(StatusCode::UNAUTHORIZED, words);
    ([(header::WWW_AUTHENTICATE, challenge)], refusal).into_response()
}

/// Answer of MCP, whose clients read JSON-RPC errors.
fn refused_message(status: StatusCode, words: &str) -> Response {
    json_rpc_error(status, &Value::Null, -32000, words)
}
