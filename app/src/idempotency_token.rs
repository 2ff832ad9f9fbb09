//! Idempotency tokens for forms.

use std::{fmt, sync::Arc};

/// Generates the token in a form's hidden field, so that a form sent twice takes effect once. The
/// server provides it, because randomness is injected.
#[derive(Clone)]
pub struct TokenGenerator(pub Arc<dyn Fn() -> String + Send + Sync>);

impl TokenGenerator {
    /// A new token.
    #[must_use]
    pub fn token(&self) -> String {
        (self.0)()
    }
}

impl fmt::Debug for TokenGenerator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenGenerator")
    }
}
