//! A condition of a write, which may have changed since it was journaled.

use async_trait::async_trait;
use dewy_saga::{Context, Plan};

/// Condition that must still hold when a write is planned; if it does not, its error is the plan
/// used instead of the write.
#[async_trait]
pub(crate) trait Condition: Send + Sync {
    /// Whether it holds according to the journal alone; `None` if it has to be read anew.
    fn journaled(&self, cx: &Context<'_>) -> Option<Result<(), Plan>>;

    /// Whether it holds now.
    async fn check(&self, cx: &Context<'_>) -> Result<(), Plan>;
}
