//! Emails that are sent by themselves: the receipt after a check-out, the confirmation of a booking.

use std::sync::Arc;

use dewy_domain::{
    hotel_profile::HotelProfile,
    ports::{BookingLinks, Dispatcher, Email, EmailWriter, ExecutionFeed},
    tool_catalog::GetFolio,
};

use super::{booking_confirmation, receipt::Receipt, receipt_email::email};
use crate::{
    language::provide_language_of,
    pages::{prelude::*, read_tools::call},
};
use async_trait::async_trait;

/// Writes the emails with what a page has from its context.
#[derive(Clone, Debug)]
pub struct GuestEmails {
    /// Reads the bill.
    pub dispatcher: Arc<dyn Dispatcher>,
    /// Reads the check-out or the booking.
    pub execution_feed: Arc<dyn ExecutionFeed>,
    /// Hotel that they are from.
    pub hotel: Arc<HotelProfile>,
    /// Time zone of the hotel.
    pub clock: HotelClock,
    /// Makes the links of confirmations.
    pub booking_links: Arc<dyn BookingLinks>,
}

impl GuestEmails {
    /// An email in this language, for the hotel that it is from.
    fn written<T>(&self, language: Option<&str>, write: impl FnOnce() -> T) -> T {
        Owner::new().with(|| {
            provide_context(Arc::clone(&self.hotel));
            provide_context(self.clock.clone());
            provide_language_of(language);
            write()
        })
    }
}

#[async_trait]
impl EmailWriter for GuestEmails {
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
        let Some(view) = found else {
            return Ok(None);
        };
        if let Some(booking) = booking_confirmation::booking_of(&view) {
            let links = &*self.booking_links;
            return Ok(self.written(language, || {
                booking_confirmation::email(guest, &view, &booking, links, &self.clock)
            }));
        }
        let Some(mut receipt) = Receipt::of(view) else {
            return Ok(None);
        };
        let input = json!({ "booking_number": receipt.booking() });
        match call::<GetFolio>(self.dispatcher.as_ref(), &guest.caller, input).await {
            Ok(folio) => receipt.folio = Some(folio),
            Err((code, _)) if code.retry_safe() => return Err(code),
            // There is no bill any more; a receipt without its lines is better than none
            Err(_) => {}
        }
        let written = self.written(language, || email(guest, &receipt, &self.clock));
        Ok(Some(written))
    }
}
