//! A stay as the CRM stores it: booking, room, opportunity and folio lines.

use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

use crate::{
    booking_number::BookingNumber,
    email_address::EmailAddress,
    money::Cents,
    room_number::RoomNumber,
    vocabulary::{BookingStatus, LineStatus, OpportunityStage, RoomStatus},
};

/// When and by whom a CRM row was last written; preconditions and ownership checks use it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// `LastModifiedDate`.
    pub at: Timestamp,
    /// `LastModifiedById`.
    pub by: String,
}

/// A booking's fields that a check-out reads or writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Booking {
    pub id: String,
    /// Booking number: `BK-0042`.
    pub number: BookingNumber,
    /// `Status__c`.
    pub status: BookingStatus,
    /// Arrival date.
    pub check_in: Date,
    /// Departure date.
    pub check_out: Date,
    /// `Primary_Guest__c`.
    pub guest_id: String,
    /// `External_ID__c`, empty where the booking has none; `None` in journals of older releases. A
    /// touch rewrites it.
    #[serde(default)]
    pub external_id: Option<String>,
    /// Last modification.
    pub stamp: Stamp,
}

/// A room's fields that a check-out reads or writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Room {
    pub id: String,
    /// Room number: `302`.
    pub number: RoomNumber,
    /// `Status__c`.
    pub status: RoomStatus,
    /// `Current_Guest__c`.
    pub current_guest: Option<String>,
    /// Last modification.
    pub stamp: Stamp,
}

/// An opportunity's fields that a check-out reads or writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opportunity {
    pub id: String,
    /// `StageName`.
    pub stage: OpportunityStage,
    /// `Amount`: the room charge, in cents; `None` if it is empty.
    pub amount: Option<Cents>,
    /// `CloseDate`.
    pub close_date: Date,
    /// `Payment_ID__c`.
    pub payment_id: Option<String>,
    /// Last modification.
    pub stamp: Stamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    /// The room charge (the opportunity's amount).
    Room,
    /// A purchase.
    Charge,
    /// Money received.
    Payment,
    /// Money refunded.
    Refund,
    /// A type that only the org knows, or none: [`Line::org_type`] has its word.
    Other,
}

impl LineKind {
    /// Name in tool results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Room => "room",
            Self::Charge => "charge",
            Self::Payment => "payment",
            Self::Refund => "refund",
            Self::Other => "other",
        }
    }
}

/// A folio line (`Payment_Transaction__c`, or the room charge).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Record id; empty for the room charge.
    #[serde(default)]
    pub id: String,
    pub kind: LineKind,
    /// The org's own word for a type we don't know; empty if the line has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub org_type: Option<String>,
    /// Line number: `PT-00001`; empty for the room charge.
    pub number: String,
    /// Amount, `None` if it is empty; the kind determines how it counts in the balance, of an unknown
    /// kind its own sign. A correction is negative.
    pub amount: Option<Cents>,
    /// `Status__c`; empty for the room charge.
    pub status: LineStatus,
    /// `Transaction_Date__c`.
    pub at: Option<Timestamp>,
    /// `External_ID__c`: on lines we wrote, the execution that did.
    pub external_id: Option<String>,
    /// `Stripe_Transaction_ID__c`.
    pub stripe_id: Option<String>,
}

impl LineKind {
    /// Amount that a line of this kind adds to the balance, with its sign. Every sum is made of it.
    #[must_use]
    pub const fn owed(self, status: &LineStatus, amount: Cents) -> Cents {
        match (self, status) {
            (Self::Room, _) => amount,
            (Self::Charge | Self::Other, LineStatus::Cancelled | LineStatus::Failed) => Cents(0),
            (Self::Charge | Self::Other, _) => amount,
            (Self::Payment, LineStatus::Completed) => Cents(-amount.0),
            (Self::Refund, LineStatus::Completed | LineStatus::Pending) => amount,
            (Self::Payment | Self::Refund, _) => Cents(0),
        }
    }
}

impl Line {
    /// Amount the line adds to the balance; `None` if that is not known.
    #[must_use]
    pub fn owed(&self) -> Option<Cents> {
        let owed = |amount| self.kind.owed(&self.status, amount);
        // What does not count needs no amount
        self.amount
            .map(owed)
            .or_else(|| Some(owed(Cents(1))).filter(|one| *one == Cents(0)))
    }
}

/// Balance: the room plus standing charges, minus completed payments, plus refunds made or pending.
/// `None` if an amount is empty.
#[must_use]
pub fn balance(room: Option<Cents>, lines: &[Line]) -> Option<Cents> {
    let lines: Cents = lines.iter().map(Line::owed).sum::<Option<_>>()?;
    Some(room? + lines)
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stay {
    pub booking: Booking,
    pub room: Room,
    pub opportunity: Opportunity,
    /// Folio lines besides the room charge.
    pub lines: Vec<Line>,
    /// Guest's email, if any; not in journals of older releases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guest_email: Option<EmailAddress>,
    /// Numbers of other bookings on the same opportunity that are neither canceled nor no-shows.
    pub shares_folio_with: Vec<BookingNumber>,
}

impl Stay {
    /// The guest's balance; `None` if an amount is empty.
    #[must_use]
    pub fn balance(&self) -> Option<Cents> {
        balance(self.opportunity.amount, &self.lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(kind: LineKind, status: LineStatus, cents: i64) -> Line {
        Line {
            id: String::new(),
            kind,
            org_type: None,
            number: String::new(),
            amount: Some(Cents(cents)),
            status,
            at: None,
            external_id: None,
            stripe_id: None,
        }
    }

    #[test]
    fn a_refunded_payment_leaves_the_debt_as_it_was() {
        let pair = [
            line(LineKind::Payment, LineStatus::Completed, 25000),
            line(LineKind::Refund, LineStatus::Completed, 25000),
        ];
        assert_eq!(balance(Some(Cents(25000)), &pair), Some(Cents(25000)));
        let pending = [
            line(LineKind::Payment, LineStatus::Completed, 25000),
            line(LineKind::Refund, LineStatus::Pending, 25000),
        ];
        assert_eq!(balance(Some(Cents(25000)), &pending), Some(Cents(25000)));
        let failed = [
            line(LineKind::Payment, LineStatus::Completed, 25000),
            line(LineKind::Refund, LineStatus::Failed, 25000),
        ];
        assert_eq!(balance(Some(Cents(25000)), &failed), Some(Cents(0)));
    }

    #[test]
    fn voided_charges_and_unfinished_payments_do_not_count() {
        let lines = [
            line(LineKind::Charge, LineStatus::Cancelled, 500),
            line(LineKind::Charge, LineStatus::Pending, 700),
            line(LineKind::Payment, LineStatus::Failed, 900),
        ];
        assert_eq!(balance(Some(Cents(1000)), &lines), Some(Cents(1700)));
    }

    #[test]
    fn a_line_of_an_unknown_kind_counts_by_its_amount() {
        let lines = [
            line(LineKind::Other, "Posted".into(), -4000),
            line(LineKind::Other, LineStatus::default(), 1000),
            line(LineKind::Other, LineStatus::Cancelled, 500),
        ];
        assert_eq!(balance(Some(Cents(25000)), &lines), Some(Cents(22000)));
    }

    #[test]
    fn a_balance_with_an_empty_amount_is_not_known() {
        let empty = |kind, status| Line {
            amount: None,
            ..line(kind, status, 0)
        };
        let counts = [empty(LineKind::Charge, LineStatus::Pending)];
        assert_eq!(balance(Some(Cents(1000)), &counts), None);
        let voided = [empty(LineKind::Charge, LineStatus::Cancelled)];
        assert_eq!(balance(Some(Cents(1000)), &voided), Some(Cents(1000)));
        assert_eq!(balance(None, &voided), None);
    }
}
