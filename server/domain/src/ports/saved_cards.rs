//! Port of a guest's saved cards, for the account page.

use async_trait::async_trait;

use crate::{caller::Caller, tool_output::SavedCard};

#[async_trait]
pub trait SavedCards: Send + Sync + std::fmt::Debug {
    /// The cards that the payment system keeps for the calling guest, read anew; `None` if it does not
    /// answer.
    async fn saved_cards(&self, caller: &Caller) -> Option<Vec<SavedCard>>;
}
