//! Session, browser, and client address of a request.

use http::{Extensions, HeaderMap, header};
use tower_sessions::Session;

use crate::{
    auth::{
        RequestAuthenticator, RequestOrigin, SignInState, TokenAdminService, TokenIssuer,
        browser_cookie::Browser, browser_name,
    },
    config::{client_address::ClientAddress, wall_screen_access::WallScreen},
    tool_calls::{rate_limit_mark::RateLimitMark, request_span::RequestId},
};

/// Request data needed by an authenticator.
#[derive(Clone, Debug)]
pub struct RequestContext {
    session: Session,
    from: RequestOrigin,
    request: Option<String>,
}

impl RequestContext {
    /// Reads a request behind the session layer; `None` elsewhere.
    #[must_use]
    pub fn of(extensions: &Extensions, headers: &HeaderMap) -> Option<Self> {
        let session = extensions.get::<Session>()?.clone();
        let browser = extensions.get::<Browser>()?.clone();
        let agent = headers
            .get(header::USER_AGENT)
            .and_then(|v| v.to_str().ok())
            .unwrap_or_default();
        let away = extensions
            .get::<RateLimitMark>()
            .cloned()
            .unwrap_or_default();
        let request = extensions.get::<RequestId>().map(|id| id.0.clone());
        Some(Self {
            session,
            from: RequestOrigin {
                ip: ClientAddress::of(extensions),
                browser,
                browser_name: browser_name(agent),
                language: dewy_app::preferred_language(headers),
                wall: extensions.get::<WallScreen>().is_some(),
                speculative: dewy_app::is_speculative(headers),
                rate_limit_mark: away,
            },
            request,
        })
    }

    #[must_use]
    pub fn authenticator(self, sign_in_state: &SignInState) -> RequestAuthenticator {
        RequestAuthenticator::new(sign_in_state.clone(), self.session, self.from)
            .in_request(self.request)
    }

    #[must_use]
    pub fn token_admin(&self, maker: &TokenIssuer) -> TokenAdminService {
        TokenAdminService::new(maker.clone(), self.session.clone())
    }
}
