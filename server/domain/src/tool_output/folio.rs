//! Result of `get_folio`.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::{
    booking_number::BookingNumber,
    card_id::CardId,
    money::{Cents, Currency},
    room_number::RoomNumber,
    stay::LineKind,
    vocabulary::{BookingStatus, LineStatus},
};

/// Folio of a stay.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Folio {
    /// Booking number: `BK-0042`.
    pub booking_number: BookingNumber,
    /// Status of the booking.
    pub booking_status: BookingStatus,
    /// Room number: `302`.
    pub room_number: RoomNumber,
    /// Arrival date.
    pub check_in_date: Date,
    /// Departure date.
    pub check_out_date: Date,
    /// Amount that a check-out would charge.
    pub balance: Cents,
    /// Currency.
    pub currency: Currency,
    /// Balance as people read it.
    pub balance_text: String,
    /// Room charge, charges, payments and refunds.
    pub lines: Vec<FolioLine>,
    /// Saved payment cards.
    pub saved_cards: Vec<SavedCard>,
    /// Other bookings on the same bill: the balance is then not one guest's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares_bill_with: Vec<BookingNumber>,
}

impl Folio {
    /// What the lines of a kind add to the balance.
    #[must_use]
    pub fn sum(&self, kind: LineKind) -> Cents {
        let lines = self.lines.iter().filter(|line| line.kind == kind);
        lines.map(FolioLine::owed).sum()
    }

    /// What was paid and not refunded.
    #[must_use]
    pub fn paid(&self) -> Cents {
        Cents(0) - self.sum(LineKind::Payment) - self.sum(LineKind::Refund)
    }
}

/// Line of a folio.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolioLine {
    /// Kind.
    pub kind: LineKind,
    /// The booking system's own word for a kind we don't know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org_type: Option<String>,
    /// Line number; empty for the room charge.
    pub number: String,
    /// What a charge is for, if we posted it.
    pub description: Option<String>,
    /// Amount.
    pub amount: Cents,
    /// Status; empty for the room charge.
    pub status: LineStatus,
    /// Date.
    pub date: Option<Date>,
}

impl FolioLine {
    /// Amount the line adds to the balance; zero if it does not count.
    #[must_use]
    pub fn owed(&self) -> Cents {
        self.kind.owed(&self.status, self.amount)
    }
}

/// Saved payment card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedCard {
    /// Payment method id.
    pub payment_method_id: CardId,
    /// Brand, such as `visa`.
    pub brand: String,
    /// Last four digits.
    pub last4: String,
    /// Whether it is the default card.
    pub default: bool,
}
