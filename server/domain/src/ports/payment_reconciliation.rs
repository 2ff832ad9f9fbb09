//! Payment reconciliation: payments in the payment system, the booking system and our journal, side
//! by side.

use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};

use crate::{
    booking_number::BookingNumber,
    caller::Caller,
    email_address::EmailAddress,
    error_code::ErrorCode,
    money::{Cents, Currency},
    payment_intent_id::PaymentIntentId,
    vocabulary::ExecutionState,
};

/// A payment in the payment system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessorRecord {
    /// Status: `succeeded`, `canceled`, `requires_action`, …
    pub status: String,
    pub captured: Cents,
    /// Refunded amount, including pending refunds.
    pub refunded: Cents,
}

/// A payment's rows in the booking system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrmRecord {
    /// Sum of completed payments.
    pub paid: Cents,
    /// Sum of refunds, pending and completed.
    pub refunded: Cents,
    /// Row numbers: `PT-00042`.
    pub numbers: Vec<String>,
}

/// An execution related to a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalRecord {
    /// Execution id, `exe_…`.
    pub execution_id: String,
    pub state: ExecutionState,
    /// Captured amount in the journal.
    pub captured: Cents,
    /// Refunded amount in the journal.
    pub refunded: Cents,
}

/// How the three differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Discrepancy {
    /// They agree.
    None,
    /// Still in progress; they may differ until it ends.
    UnderWay,
    /// A payment of another program or installation; not compared.
    Foreign,
    /// The money is captured, and no completed check-out or refund accounts for it.
    MoneyWithoutBooking,
    /// The booking system lists a payment that the payment system does not have.
    BookingWithoutMoney,
    /// The amounts differ.
    Amounts,
    /// The journal disagrees with the payment system.
    Journal,
}

impl Discrepancy {
    /// Machine-readable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "agree",
            Self::UnderWay => "under_way",
            Self::Foreign => "foreign",
            Self::MoneyWithoutBooking => "money_without_booking",
            Self::BookingWithoutMoney => "booking_without_money",
            Self::Amounts => "amounts",
            Self::Journal => "journal",
        }
    }

    /// Whether a person must check it.
    #[must_use]
    pub const fn differs(self) -> bool {
        !matches!(self, Self::None | Self::UnderWay | Self::Foreign)
    }
}

/// One payment in all three systems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReconciliationRow {
    pub payment_intent_id: PaymentIntentId,
    pub at: Option<Timestamp>,
    /// State in the payment system.
    pub processor: Option<ProcessorRecord>,
    /// State in the booking system.
    pub crm: Option<CrmRecord>,
    /// State in our journal.
    pub journal: Option<JournalRecord>,
    /// Booking number: `BK-…`.
    pub booking_number: Option<BookingNumber>,
    pub guest_email: Option<EmailAddress>,
    /// How they differ.
    pub discrepancy: Discrepancy,
    /// Execution about it that needs a person: the one that took it, or a review of what Stripe
    /// reported later.
    pub waiting: Option<String>,
}

/// The payments of a range of days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReconciliationView {
    /// Newest first; rows that differ are never truncated.
    pub rows: Vec<ReconciliationRow>,
    /// Number of payments by other programs and installations on the account in this range. They
    /// are not listed.
    pub foreign: u32,
    /// Number of payments in this range that could not be read.
    pub unreadable: u32,
    pub currency: Currency,
    /// Time of the read.
    pub as_of: Timestamp,
    /// Whether there are more rows than shown.
    pub cut: bool,
}

/// Payment reconciliation, for the front desk.
#[async_trait]
pub trait PaymentReconciliation: Send + Sync + std::fmt::Debug {
    /// Reconciles the payments of these days, both inclusive, in the hotel's time zone.
    ///
    /// # Errors
    /// `UNKNOWN_TOOL` for callers other than the front desk, `UPSTREAM_UNAVAILABLE`, or `INTERNAL`.
    async fn payments(
        &self,
        caller: &Caller,
        from: Date,
        to: Date,
    ) -> Result<ReconciliationView, ErrorCode>;
}
