//! Browser session cookie.

use dewy_store::Store;
use tower_sessions::{
    Expiry, SessionManagerLayer,
    cookie::{SameSite, time::Duration},
};

/// Cookie name.
pub const SESSION_COOKIE: &str = "dewy_session";

/// Idle lifetime of a signed-in session.
pub const SESSION_TIME: Duration = Duration::hours(12);

/// Layer that loads and stores sessions. `https` sets the cookie's `Secure` attribute.
#[must_use]
pub fn session_layer(store: Store, https: bool) -> SessionManagerLayer<Store> {
    SessionManagerLayer::new(store)
        .with_name(SESSION_COOKIE)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_secure(https)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(SESSION_TIME))
}
