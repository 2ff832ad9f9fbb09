//! A folio on which money was taken or given back, for those who compare books.

use jiff::Timestamp;

use crate::stay::Line;

/// Which folios to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaidFolioQuery {
    /// With a payment or refund dated at or after this,
    pub from: Timestamp,
    /// and before this;
    pub to: Timestamp,
    /// or with a line that names one of these payments, whenever.
    pub payment_intents: Vec<String>,
    /// At most so many.
    pub limit: u32,
}

/// A folio's payments and refunds, and whose stay it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaidFolio {
    /// The opportunity's record id.
    pub id: String,
    /// `BK-…`, of every booking on it.
    pub booking_numbers: Vec<String>,
    /// The first booking's guest, lower case.
    pub guest_email: Option<String>,
    /// Payments and refunds, whatever their date.
    pub lines: Vec<Line>,
}
