//! Browser session cookie.

use dewy_store::Store;
use tower_sessions::{
    Expiry, SessionManagerLayer,
    cookie::{SameSite, time::Duration},
};

pub const SESSION_COOKIE: &str = "dewy_session";

/// Idle lifetime of a signed-in session.
pub const SESSION_TIME: Duration = Duration::hours(12);

/// Layer that loads and stores sessions.
#[must_use]
pub fn session_layer(store: Store) -> SessionManagerLayer<Store> {
    SessionManagerLayer::new(store)
        .with_name(SESSION_COOKIE)
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        // Behind https every cookie becomes `Secure` (web/security_headers.rs)
        .with_secure(false)
        .with_path("/")
        .with_expiry(Expiry::OnInactivity(SESSION_TIME))
}
