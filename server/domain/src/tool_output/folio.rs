//! Result of `get_folio`.

use jiff::{Timestamp, civil::Date};
use serde_json::{Value, json};

use crate::{
    booking_number::BookingNumber,
    card_id::CardId,
    error_code::ErrorCode,
    money::{Cents, Currency},
    output_schema::{OutputSchema, tool_output},
    payment::Card,
    room_number::RoomNumber,
    stay::LineKind,
    tool_answer::ToolError,
    vocabulary::{BookingStatus, LineStatus},
};

tool_output! {
    /// Folio of a stay.
    Folio {
        booking_number: BookingNumber,
        booking_status: BookingStatus,
        room_number: RoomNumber,
        check_in_date: Date,
        check_out_date: Date,
        /// Amount that a check-out would charge; `None` while an amount is missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        balance: Option<Cents> = "In cents; what check-out would charge. Left out while `incomplete`.",
        /// What keeps the balance unknown: the record and its empty field.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        incomplete: Option<String> = "Why the balance is not known: the record and its empty field.",
        currency: Currency,
        /// Balance as people read it.
        balance_text: String,
        /// Room charge, charges, payments and refunds.
        lines: Vec<FolioLine>,
        saved_cards: Vec<SavedCard>,
        /// Whether Stripe could not be asked for cards and holds.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cards_unknown: bool = "True while Stripe can't be asked: cards and holds may be missing.",
        /// Other bookings on the same bill: the balance is then not one guest's.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        shares_bill_with: Vec<BookingNumber>,
        /// What check-in reserves on a card.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hold_at_check_in: Option<Cents>,
        /// What cards reserve for the stay.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        holds: Vec<FolioHold>,
    }
}

impl Folio {
    /// What the lines of a kind add to the balance.
    #[must_use]
    pub fn sum(&self, kind: LineKind) -> Cents {
        let lines = self.lines.iter().filter(|line| line.kind == kind);
        lines.map(FolioLine::owed).sum()
    }

    /// The balance, for what needs it.
    ///
    /// # Errors
    /// The empty field, if one keeps it unknown.
    pub fn known_balance(&self) -> Result<Cents, ToolError> {
        self.balance.ok_or_else(|| {
            let details = json!({ "problem": self.incomplete });
            ToolError::with(ErrorCode::RecordIncomplete, details)
        })
    }

    /// What was paid and not refunded.
    #[must_use]
    pub fn paid(&self) -> Cents {
        Cents(0) - self.sum(LineKind::Payment) - self.sum(LineKind::Refund)
    }
}

tool_output! {
    /// Line of a folio.
    FolioLine {
        kind: LineKind,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        org_type: Option<String> = "The booking system's own word for another kind; the line counts by its amount.",
        /// Line number; empty for the room charge.
        number: String,
        /// What a charge is for, if we posted it.
        description: Option<String>,
        /// Amount; `None` if the record has none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        amount: Option<Cents>,
        /// Status; empty for the room charge.
        status: LineStatus,
        date: Option<Date>,
    }
}

impl OutputSchema for LineKind {
    fn schema() -> Value {
        let kinds = [
            Self::Room,
            Self::Charge,
            Self::Payment,
            Self::Refund,
            Self::Other,
        ];
        json!({ "type": "string", "enum": kinds })
    }
}

impl FolioLine {
    /// Amount the line adds to the balance; zero if it does not count, or has none.
    #[must_use]
    pub fn owed(&self) -> Cents {
        self.kind
            .owed(&self.status, self.amount.unwrap_or_default())
    }
}

tool_output! {
    /// Amount that a card reserves until check-out.
    FolioHold {
        amount: Cents,
        /// When the card releases it.
        expires_at: Option<Timestamp>,
        /// Brand of the card, such as `visa`.
        card_brand: Option<String>,
        card_last4: Option<String>,
    }
}

tool_output! {
    /// Saved payment card.
    SavedCard {
        payment_method_id: CardId,
        /// Brand, such as `visa`.
        brand: String,
        last4: String,
        default: bool,
    }
}

impl From<Card> for SavedCard {
    fn from(card: Card) -> Self {
        Self {
            payment_method_id: card.id,
            brand: card.brand,
            last4: card.last4,
            default: card.default,
        }
    }
}
