//! Access for the wall screen, which nobody signs in to: a long-lived token grants read-only access
//! to the wall board and its live stream, and to nothing else.
//!
//! ```text
//! /staff/wall?token=… ─► cookie, and the address without the token
//! cookie ─► GET /staff/wall, /staff/board/events ─► WallScreen ─► a reader in the role of housekeeping, which sees no guest
//! ```

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use dewy_domain::{
    caller::{Caller, Interface, Role},
    ports::SignedIn,
};
use http::{Method, StatusCode, header};
use sha2::{Digest, Sha256};
use url::form_urlencoded;

use dewy_app::request_cookie;

/// Page with the board.
const PAGE: &str = "/staff/wall";
/// Paths that the token grants access to.
const OPENS: [&str; 2] = [PAGE, "/staff/board/events"];
/// Cookie with the token.
const COOKIE: &str = "dewy_wall";
/// Lifetime of the cookie: one year.
const SECONDS: u32 = 31_536_000;

/// Digest of the token; comparing digests reveals nothing about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WallToken([u8; 32]);

impl WallToken {
    #[must_use]
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }
}

/// Mark of a request from the screen.
#[derive(Clone, Copy, Debug)]
pub struct WallScreen;

impl WallScreen {
    /// User that the wall screen acts as.
    pub(crate) fn reader() -> SignedIn {
        let caller = Caller::staff("wall@localhost", Role::Housekeeping, Interface::Form);
        SignedIn {
            caller: caller.reading_only(true),
            first_name: String::new(),
            last_name: String::new(),
        }
    }
}

/// Marks requests of the screen that knows `HOTEL_WALL_TOKEN`.
pub async fn mark_wall_screen(
    State(token): State<Option<WallToken>>,
    mut request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let Some(token) = token.filter(|_| *request.method() == Method::GET && OPENS.contains(&path))
    else {
        return next.run(request).await;
    };
    let query = request.uri().query().unwrap_or_default();
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let given = pairs.find_map(|(name, value)| (name == "token").then_some(value));
    if let Some(given) = given.filter(|given| path == PAGE && WallToken::of(given) == token) {
        return enter(&given);
    }
    if request_cookie(request.headers(), COOKIE).is_some_and(|given| WallToken::of(given) == token)
    {
        request.extensions_mut().insert(WallScreen);
    }
    next.run(request).await
}

/// Stores the token in a cookie and redirects to the URL without it.
fn enter(token: &str) -> Response {
    let cookie =
        format!("{COOKIE}={token}; Path=/staff; Max-Age={SECONDS}; SameSite=Lax; HttpOnly");
    let headers = [
        (header::SET_COOKIE, cookie),
        (header::LOCATION, PAGE.to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::REFERRER_POLICY, "no-referrer".to_owned()),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}
