//! Amount that a card reserves for a payment.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{card_id::CardId, money::Cents};

/// Authorization of a payment that is not captured yet. The card captures it once, in full or in
/// part, and releases the rest; or it is canceled; or it expires.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hold {
    /// Largest amount that can be captured.
    pub capturable: Cents,
    /// When it expires and is released. It depends on the card's network and on who started the
    /// payment, so it is never computed here; `None` if the payment was read without its charge.
    pub capture_before: Option<Timestamp>,
    /// Card that holds it, and that can be charged when the hold cannot be captured.
    pub card: Option<CardId>,
}
