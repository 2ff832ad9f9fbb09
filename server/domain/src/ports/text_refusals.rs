//! Port for numbers that a carrier sends no texts to.

use async_trait::async_trait;

use crate::text_refusal::TextRefusal;

/// Numbers whose last text was refused.
#[async_trait]
pub trait TextRefusals: Send + Sync + std::fmt::Debug {
    /// Why the last text to this number (E.164) was refused; `None` if it wasn't, or isn't known.
    async fn refusal(&self, phone: &str) -> Option<TextRefusal>;
}
