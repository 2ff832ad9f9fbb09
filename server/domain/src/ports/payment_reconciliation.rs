//! Payments side by side: what the payment system has, what the booking system has written down,
//! and what our journal knows.

use async_trait::async_trait;
use jiff::{Timestamp, civil::Date};

use crate::{
    caller::Caller,
    error_code::ErrorCode,
    money::{Cents, Currency},
};

/// A payment at the payment system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenView {
    /// `succeeded`, `canceled`, `requires_action`, …
    pub status: String,
    /// Taken.
    pub captured: Cents,
    /// Given back, what is under way included.
    pub refunded: Cents,
}

/// A payment's rows in the booking system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenView {
    /// Completed payments.
    pub paid: Cents,
    /// Refunds, pending and completed.
    pub refunded: Cents,
    /// Their numbers: `PT-00042`.
    pub numbers: Vec<String>,
}

/// An execution that has to do with a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownView {
    /// `exe_…`.
    pub execution_id: String,
    /// Its state.
    pub state: String,
    /// Taken, as journaled.
    pub captured: Cents,
    /// Given back, as journaled.
    pub refunded: Cents,
}

/// Where the three differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Drift {
    /// They agree.
    None,
    /// Something is still under way; they may differ until it is over.
    UnderWay,
    /// Somebody else's payment: not ours to judge.
    Foreign,
    /// The money is held and no completed check-out or refund accounts for it.
    MoneyWithoutBooking,
    /// The booking system lists a payment the payment system does not have.
    BookingWithoutMoney,
    /// The amounts differ.
    Amounts,
    /// The journal says otherwise than the payment system.
    Journal,
}

impl Drift {
    /// As programs read it.
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

    /// Whether somebody has to look.
    #[must_use]
    pub const fn differs(self) -> bool {
        !matches!(self, Self::None | Self::UnderWay | Self::Foreign)
    }
}

/// One payment in all three books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReconciliationRow {
    /// `pi_…`.
    pub payment_intent_id: String,
    /// When it was begun.
    pub at: Option<Timestamp>,
    /// The payment system.
    pub taken: Option<TakenView>,
    /// The booking system.
    pub written: Option<WrittenView>,
    /// Our journal.
    pub known: Option<KnownView>,
    /// `BK-…`.
    pub booking_number: Option<String>,
    /// The guest.
    pub guest_email: Option<String>,
    /// Where they differ.
    pub drift: Drift,
}

/// Some days' payments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReconciliationView {
    /// Newest first; those that differ are never cut off.
    pub rows: Vec<ReconciliationRow>,
    /// Payments of these days on the account that other programs and other installations took;
    /// nobody here names them.
    pub foreign: u32,
    /// Payments of these days that could not be read.
    pub unreadable: u32,
    /// In what.
    pub currency: Currency,
    /// When it was read.
    pub as_of: Timestamp,
    /// There were more than are shown.
    pub cut: bool,
}

/// Reconciles payments, for the desk.
#[async_trait]
pub trait PaymentReconciliation: Send + Sync + std::fmt::Debug {
    /// The payments of these days, both included, in the hotel's time zone.
    ///
    /// # Errors
    /// `UNKNOWN_TOOL` for who is not of the desk, `UPSTREAM_UNAVAILABLE`, or `INTERNAL`.
    async fn payments(
        &self,
        caller: &Caller,
        from: Date,
        to: Date,
    ) -> Result<ReconciliationView, ErrorCode>;
}
