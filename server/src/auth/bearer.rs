//! Bearer tokens on the programs' endpoints.

use std::sync::Arc;

use async_trait::async_trait;
use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use dewy_domain::caller::{Caller, Interface, Persona};
use dewy_saga::StoreError;
use http::{HeaderMap, StatusCode, header};

/// Knows whose token it is.
#[async_trait]
pub trait TokenCheck: Send + Sync + std::fmt::Debug {
    /// The caller a token stands for, if it is good now and made for that persona.
    ///
    /// # Errors
    /// When that cannot be looked up at present.
    async fn caller(&self, token: &str, persona: Persona, interface: Interface) -> Result<Option<Caller>, StoreError>;
}

/// One endpoint's check.
#[derive(Clone, Debug)]
pub struct Bearer {
    /// For whom the endpoint is; another persona's token is no token here.
    pub persona: Persona,
    /// Which door it is.
    pub interface: Interface,
    /// Knows the tokens.
    pub tokens: Arc<dyn TokenCheck>,
}

/// Lets only good tokens through, and leaves the [`Caller`] in the request's extensions.
pub async fn require_bearer(State(bearer): State<Bearer>, mut request: Request, next: Next) -> Response {
    let Some(token) = token(request.headers()) else {
        return unauthorized("Bearer realm=\"dewy\"");
    };
    match bearer.tokens.caller(&token, bearer.persona, bearer.interface).await {
        Ok(Some(caller)) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Ok(None) => unauthorized("Bearer realm=\"dewy\", error=\"invalid_token\""),
        Err(error) => {
            tracing::error!(%error, "tokens cannot be looked up");
            (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "5")], "Please try again in a moment.")
                .into_response()
        }
    }
}

fn token(headers: &HeaderMap) -> Option<String> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() && token.len() <= 512).then(|| token.to_owned())
}

fn unauthorized(challenge: &'static str) -> Response {
    let words = "A valid bearer token is needed: Authorization: Bearer …";
    (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, challenge)], words).into_response()
}
