//! Session and client address of a request.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::extract::{ConnectInfo, Request};
use http::{Extensions, HeaderMap, header};
use tower_sessions::Session;

use crate::{
    auth::{
        RequestAuthenticator, RequestOrigin, SignInState, TokenAdminService, TokenIssuer,
        browser_name,
    },
    rate_limit_mark::RateLimitMark,
    request_span::RequestId,
    wall_screen_access::WallScreen,
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
        let peer = peer(extensions);
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
                ip: client(peer, headers),
                browser: browser_name(agent),
                language: dewy_app::preferred_language(headers),
                wall: extensions.get::<WallScreen>().is_some(),
                speculative: dewy_app::is_speculative(headers),
                rate_limit_mark: away,
            },
            request,
        })
    }

    /// Authenticator of the request.
    #[must_use]
    pub fn authenticator(self, sign_in_state: &SignInState) -> RequestAuthenticator {
        RequestAuthenticator::new(sign_in_state.clone(), self.session, self.from)
            .in_request(self.request)
    }

    /// Token administration of the request.
    #[must_use]
    pub fn token_admin(&self, maker: &TokenIssuer) -> TokenAdminService {
        TokenAdminService::new(maker.clone(), self.session.clone())
    }
}

fn peer(extensions: &Extensions) -> IpAddr {
    extensions
        .get::<ConnectInfo<SocketAddr>>()
        .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |c| c.0.ip())
}

/// Client address, as rate limits count it.
pub fn address(request: &Request) -> IpAddr {
    client(peer(request.extensions()), request.headers())
}

/// Address used by rate limits. A proxy on this machine is trusted about its client (the last entry
/// is the one it wrote itself); any other peer could send a false address.
fn client(peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    if !peer.is_loopback() {
        return peer;
    }
    let forwarded = headers
        .get_all("x-forwarded-for")
        .iter()
        .next_back()
        .and_then(|v| v.to_str().ok());
    forwarded
        .and_then(|list| list.rsplit(',').next()?.trim().parse().ok())
        .unwrap_or(peer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_local_proxy_is_trusted() {
        let mut headers = HeaderMap::new();
        headers.insert(
            "x-forwarded-for",
            "198.51.100.1, 203.0.113.7".parse().unwrap(),
        );
        let far: IpAddr = "192.0.2.9".parse().unwrap();
        let near: IpAddr = "127.0.0.1".parse().unwrap();
        assert_eq!(client(far, &headers), far);
        assert_eq!(
            client(near, &headers),
            "203.0.113.7".parse::<IpAddr>().unwrap()
        );
        assert_eq!(client(near, &HeaderMap::new()), near);
    }
}
