//! Saved cards for display on folios: at most five seconds old. Payments read them again.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use dewy_domain::{
    email_address::EmailAddress,
    ports::{Clock, Payments},
};
use jiff::{SignedDuration, Timestamp};

use crate::saga_parts::payment_source::{CustomerCards, cards_of};

/// Maximum age of a list.
const MAX_AGE: SignedDuration = SignedDuration::from_secs(5);
/// More guests than view a folio within five seconds; bounds the memory.
const MAX_GUESTS: usize = 4096;

/// Saved cards of one hotel's guests.
#[derive(Debug)]
pub(crate) struct SavedCards {
    payments: Arc<dyn Payments>,
    clock: Arc<dyn Clock>,
    kept: Mutex<HashMap<EmailAddress, (Timestamp, Vec<CustomerCards>)>>,
}

impl SavedCards {
    pub(crate) fn new(payments: Arc<dyn Payments>, clock: Arc<dyn Clock>) -> Self {
        Self {
            payments,
            clock,
            kept: Mutex::default(),
        }
    }

    /// Cards of everybody with this email; `None` when the payment system does not answer, because a
    /// folio without them is better than none.
    pub(crate) async fn of(&self, email: &EmailAddress) -> Option<Vec<CustomerCards>> {
        let now = self.clock.now();
        if let Some((_, cards)) = self
            .lock()
            .get(email)
            .filter(|(at, _)| now.duration_since(*at) < MAX_AGE)
        {
            return Some(cards.clone());
        }
        let customers = self.payments.customers(email).await.answered().ok()?;
        let cards = cards_of(self.payments.as_ref(), &customers).await.ok()?;
        // A guest without a card may be about to enter one
        if cards.is_empty() {
            return Some(cards);
        }
        let mut kept = self.lock();
        if kept.len() >= MAX_GUESTS {
            kept.retain(|_, (at, _)| now.duration_since(*at) < MAX_AGE);
        }
        if kept.len() < MAX_GUESTS {
            kept.insert(email.clone(), (now, cards.clone()));
        }
        Some(cards)
    }

    fn lock(
        &self,
    ) -> std::sync::MutexGuard<'_, HashMap<EmailAddress, (Timestamp, Vec<CustomerCards>)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
