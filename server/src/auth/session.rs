//! The browser's session cookie.

use dewy_store::Store;
use tower_sessions::{
    Expiry, SessionManagerLayer,
    cookie::{SameSite, time::Duration},
};

/// Its name.
pub const SESSION_COOKIE: &str = "dewy_session";

/// How long a session of somebody who is signed in lasts without being used.
pub const SESSION_TIME: Duration = Duration::hours(12);

/// The layer that loads and keeps sessions; `https` lets the cookie travel encrypted only.
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
