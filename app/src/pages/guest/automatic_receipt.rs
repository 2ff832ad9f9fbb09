//! Receipts that are emailed by themselves after a check-out, without a request.

use std::sync::Arc;

use dewy_domain::{
    hotel_profile::HotelProfile,
    ports::{Dispatcher, Email, ExecutionFeed, ReceiptWriter},
    tool_catalog::GetFolio,
};

use super::{receipt::Receipt, receipt_email::email};
use crate::{
    language::provide_language_of,
    pages::{prelude::*, read_tools::call},
};
use async_trait::async_trait;

/// Writes receipts with what a page has from its context.
#[derive(Clone, Debug)]
pub struct Receipts {
    /// Reads the bill.
    pub dispatcher: Arc<dyn Dispatcher>,
    /// Reads the check-out.
    pub execution_feed: Arc<dyn ExecutionFeed>,
    /// Hotel that they are from.
    pub hotel: Arc<HotelProfile>,
    /// Time zone of the hotel.
    pub clock: HotelClock,
}

#[async_trait]
impl ReceiptWriter for Receipts {
    async fn write(
        &self,
        guest: &SignedIn,
        execution: &str,
        language: Option<&str>,
    ) -> Result<Option<Email>, ErrorCode> {
        let found = self
            .execution_feed
            .execution(&guest.caller, execution)
            .await;
        let Some(mut receipt) = found.and_then(Receipt::of) else {
            return Ok(None);
        };
        let input = json!({ "booking_number": receipt.booking() });
        match call::<GetFolio>(self.dispatcher.as_ref(), &guest.caller, input).await {
            Ok(folio) => receipt.folio = Some(folio),
            Err((code, _)) if code.retry_safe() => return Err(code),
            // There is no bill any more; a receipt without its lines is better than none
            Err(_) => {}
        }
        let written = Owner::new().with(|| {
            provide_context(Arc::clone(&self.hotel));
            provide_context(self.clock.clone());
            provide_language_of(language);
            email(guest, &receipt, &self.clock)
        });
        Ok(Some(written))
    }
}
