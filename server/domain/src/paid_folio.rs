//! Folios with payments or refunds, for payment reconciliation.

use jiff::Timestamp;

use crate::{
    booking_number::BookingNumber, email_address::EmailAddress, payment_intent_id::PaymentIntentId,
    stay::Line,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaidFolioQuery {
    /// Start of the period, inclusive: matches folios with a payment or refund dated in it.
    pub from: Timestamp,
    /// End of the period, exclusive.
    pub to: Timestamp,
    /// Also matches folios with a line that names one of these payments, of any date.
    pub payment_intents: Vec<PaymentIntentId>,
    /// Maximum number of results.
    pub limit: u32,
}

/// A folio's payments and refunds, with the stay they belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaidFolio {
    /// Opportunity record id.
    pub id: String,
    /// Numbers of all bookings on it: `BK-…`.
    pub booking_numbers: Vec<BookingNumber>,
    /// Email of the first booking's guest, lower case.
    pub guest_email: Option<EmailAddress>,
    /// Payments and refunds of any date.
    pub lines: Vec<Line>,
}
