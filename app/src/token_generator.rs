//! Fresh idempotency tokens for forms.

use std::{fmt, sync::Arc};

/// Makes the token a form carries in a hidden field, so that sending the form twice does its work
/// once. The server provides it, because randomness comes from outside.
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
