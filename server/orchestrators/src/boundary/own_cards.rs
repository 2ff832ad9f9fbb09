//! A guest's saved cards, whatever their stays.

use async_trait::async_trait;
use dewy_domain::{caller::Caller, ports::SavedCards, tool_output::SavedCard};

use crate::{
    hotel::hotel_service::Hotel,
    saga_parts::payment_source::{guests_customers, saved_cards},
};

#[async_trait]
impl SavedCards for Hotel {
    async fn saved_cards(&self, caller: &Caller) -> Option<Vec<SavedCard>> {
        let guest = caller.calling_guest()?;
        let payments = self.payments.as_ref();
        let customers = guests_customers(self.crm.as_ref(), payments, &guest)
            .await
            .ok()?;
        let cards = saved_cards(payments, &customers).await.ok()?;
        Some(cards.into_iter().map(|(_, card)| card.into()).collect())
    }
}
