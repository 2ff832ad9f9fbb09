//! A stay as the CRM tells it: booking, room, opportunity, and the lines of its folio.

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

use crate::money::Cents;

/// When and by whom a CRM row was last written; what guards and "is it still ours" are built from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// `LastModifiedDate`.
    pub at: Timestamp,
    /// `LastModifiedById`.
    pub by: String,
}

/// A booking's fields that a check-out reads or writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Booking {
    /// Record id.
    pub id: String,
    /// `BK-0042`.
    pub number: String,
    /// `Status__c`.
    pub status: String,
    /// Arrival.
    pub check_in: Date,
    /// Departure.
    pub check_out: Date,
    /// `Primary_Guest__c`.
    pub guest_id: String,
    /// `External_ID__c`, empty where the booking has none; `None` in what older releases journaled.
    /// A touch writes it again.
    #[serde(default)]
    pub external_id: Option<String>,
    /// Last written.
    pub stamp: Stamp,
}

/// A room's fields that a check-out reads or writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Room {
    /// Record id.
    pub id: String,
    /// `302`.
    pub number: String,
    /// `Status__c`.
    pub status: String,
    /// `Current_Guest__c`.
    pub current_guest: Option<String>,
    /// Last written.
    pub stamp: Stamp,
}

/// An opportunity's fields that a check-out reads or writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opportunity {
    /// Record id.
    pub id: String,
    /// `StageName`.
    pub stage: String,
    /// `Amount`: the room, in cents.
    pub amount: Cents,
    /// `CloseDate`.
    pub close_date: Date,
    /// `Payment_ID__c`.
    pub payment_id: Option<String>,
    /// Last written.
    pub stamp: Stamp,
}

/// What a folio line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    /// The room itself (the opportunity's amount).
    Room,
    /// Something bought.
    Charge,
    /// Money taken.
    Payment,
    /// Money given back.
    Refund,
}

/// One line of a folio (`Payment_Transaction__c`, and the room).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Record id; empty for the room.
    #[serde(default)]
    pub id: String,
    /// What it is.
    pub kind: LineKind,
    /// `PT-00001`; empty for the room.
    pub number: String,
    /// Always positive; the kind says which way it counts.
    pub amount: Cents,
    /// `Status__c`; empty for the room.
    pub status: String,
    /// `Transaction_Date__c`.
    pub at: Option<Timestamp>,
    /// `External_ID__c`: on lines we wrote, which execution did.
    pub external_id: Option<String>,
    /// `Stripe_Transaction_ID__c`.
    pub stripe_id: Option<String>,
}

impl Line {
    /// What the line adds to what the guest owes.
    #[must_use]
    pub fn owed(&self) -> Cents {
        match (self.kind, self.status.as_str()) {
            (LineKind::Room, _) => self.amount,
            (LineKind::Charge, "Cancelled" | "Failed") => Cents(0),
            (LineKind::Charge, _) => self.amount,
            (LineKind::Payment, "Completed") => Cents(0) - self.amount,
            (LineKind::Refund, "Completed" | "Pending") => self.amount,
            (LineKind::Payment | LineKind::Refund, _) => Cents(0),
        }
    }
}

/// What the guest owes: the room plus standing charges, minus completed payments, plus refunds made
/// or under way.
#[must_use]
pub fn balance(room: Cents, lines: &[Line]) -> Cents {
    room + lines.iter().map(Line::owed).sum()
}

/// One stay, read in one query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stay {
    /// The booking.
    pub booking: Booking,
    /// Its room.
    pub room: Room,
    /// Its opportunity.
    pub opportunity: Opportunity,
    /// The folio's lines beside the room.
    pub lines: Vec<Line>,
    /// Numbers of other bookings on the same opportunity that are neither cancelled nor no-shows.
    pub shares_folio_with: Vec<String>,
}

impl Stay {
    /// What the guest owes.
    #[must_use]
    pub fn balance(&self) -> Cents {
        balance(self.opportunity.amount, &self.lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(kind: LineKind, status: &str, cents: i64) -> Line {
        Line {
            id: String::new(),
            kind,
            number: String::new(),
            amount: Cents(cents),
            status: status.into(),
            at: None,
            external_id: None,
            stripe_id: None,
        }
    }

    #[test]
    fn a_refunded_payment_leaves_the_debt_as_it_was() {
        let pair = [
            line(LineKind::Payment, "Completed", 25000),
            line(LineKind::Refund, "Completed", 25000),
        ];
        assert_eq!(balance(Cents(25000), &pair), Cents(25000));
        let pending = [
            line(LineKind::Payment, "Completed", 25000),
            line(LineKind::Refund, "Pending", 25000),
        ];
        assert_eq!(balance(Cents(25000), &pending), Cents(25000));
        let failed = [
            line(LineKind::Payment, "Completed", 25000),
            line(LineKind::Refund, "Failed", 25000),
        ];
        assert_eq!(balance(Cents(25000), &failed), Cents(0));
    }

    #[test]
    fn voided_charges_and_unfinished_payments_do_not_count() {
        let lines = [
            line(LineKind::Charge, "Cancelled", 500),
            line(LineKind::Charge, "Pending", 700),
            line(LineKind::Payment, "Failed", 900),
        ];
        assert_eq!(balance(Cents(1000), &lines), Cents(1700));
    }
}
