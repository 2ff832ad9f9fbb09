//! Port of the CRM, the system of record for guests, bookings, rooms and opportunities.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Cases, Guests, Reservations, Rooms, TextEnd};
use crate::{
    api_usage::ApiUsage,
    booking_number::BookingNumber,
    change_probe::ChangeProbe,
    email_address::EmailAddress,
    guest_identity::GuestIdentity,
    money::Cents,
    paid_folio::{PaidFolio, PaidFolioQuery},
    payment_intent_id::PaymentIntentId,
    room_number::RoomNumber,
    stay::{Booking, Line, Opportunity, Room, Stay},
    stay_overview::{StayOverviewQuery, StayOverviewRecords},
    upstream_request::{Call, Fault, Outcome},
    vocabulary::LineStatus,
};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StayQuery {
    /// Guest; `None` if staff name the booking or the room alone.
    pub guest: Option<GuestIdentity>,
    /// Only this booking, in any status; otherwise only those of `wanted`.
    pub booking_number: Option<BookingNumber>,
    /// Only stays in this room.
    pub room_number: Option<RoomNumber>,
    /// Which stays, when no booking is named.
    pub wanted: StaySelection,
}

impl StayQuery {
    /// Query for a guest's stays in house.
    #[must_use]
    pub const fn in_house(guest: GuestIdentity) -> Self {
        Self {
            guest: Some(guest),
            booking_number: None,
            room_number: None,
            wanted: StaySelection::InHouse,
        }
    }

    /// Whether it names a guest, a booking or a room. An empty text names none: in SOQL it also equals
    /// null, and would find everybody without an email.
    #[must_use]
    pub fn names_somebody(&self) -> bool {
        let given = [
            self.guest.as_ref().map(|guest| guest.email().as_str()),
            self.booking_number.as_deref(),
            self.room_number.as_deref(),
        ];
        let mut given = given.into_iter().flatten().peekable();
        given.peek().is_some() && given.all(|text| !text.is_empty())
    }
}

/// The stays meant when no booking is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum StaySelection {
    /// Checked in.
    #[default]
    InHouse,
    /// Reserved or checked in (a repeated check-in is answered with the current state).
    Arriving,
}

/// A check-in's write, all or nothing: booking, room and opportunity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckInOrder {
    /// Stay as read; preconditions are built from its stamps and statuses.
    pub stay: Stay,
}

/// A folio line to create, as `Payment_Transaction__c` of the type Charge, Pending. Only we keep
/// its description: no org has a field for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChargeOrder {
    /// Our reference: `External_ID__c` of the line, which identifies it.
    pub execution_id: String,
    /// Stay as read. The same write touches its booking, with its stamp as the precondition, so
    /// that a late effect fails.
    pub stay: Stay,
    /// Amount, always positive.
    pub amount: Cents,
    /// `Transaction_Date__c`.
    pub at: Timestamp,
}

/// A charge to cancel; its line remains, with the status Cancelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoidOrder {
    /// Stay as read, touched as with [`ChargeOrder`].
    pub stay: Stay,
    pub line_id: String,
}

/// A sent message as stored in the CRM: `SMS_Notification__c`, unique by the message's sid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentTextRecord {
    /// Message id, `SM…`.
    pub sid: String,
    /// Recipient, E.164.
    pub to: String,
    pub body: String,
    /// `Status__c`: Queued, Sent, Delivered, Failed, Undelivered.
    pub status: String,
    /// Sending time.
    pub at: Timestamp,
    /// Opportunity record id of the stay.
    pub opportunity_id: Option<String>,
}

/// A check-out's write, all or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOutOrder {
    /// Our reference: `External_ID__c` of the marker.
    pub execution_id: String,
    /// Stay as read; preconditions are built from its stamps and statuses.
    pub stay: Stay,
    /// Payment; `None` when the balance was zero, or is captured later.
    pub payment: Option<RecordedPayment>,
    /// What holds will pay once the guest has left. The first one's line is the marker; all are
    /// pending until [`Crm::settle_check_out`].
    pub held: Vec<RecordedPayment>,
    /// `Transaction_Date__c` and time of the check-out.
    pub at: Timestamp,
}

/// What became of the pending lines of a check-out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettleOrder {
    /// Booking record id.
    pub booking_id: String,
    /// Opportunity record id.
    pub opportunity_id: String,
    /// Each pending line, by its record id, with what paid it; `None` if nothing did, so that its
    /// part of the balance is open again.
    pub lines: Vec<(String, Option<RecordedPayment>)>,
    /// The hold that the opportunity names, and what it has to name instead, if another payment paid.
    pub renamed: Option<(PaymentIntentId, Option<String>)>,
}

/// The payment as the CRM records it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedPayment {
    pub payment_intent: PaymentIntentId,
    pub amount: Cents,
    /// Last four digits.
    pub last4: Option<String>,
    /// Receipt URL for the guest.
    pub receipt_url: Option<String>,
}

/// The marker row: its presence proves that the whole check-out was applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckOutMarker {
    pub id: String,
    /// Creation time, which is the time of the whole write.
    pub created_at: Timestamp,
    /// Id of the user who created it: ours.
    pub created_by: String,
}

/// Current state of one check-out, read in one query by our reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckOutRecords {
    /// Marker, if the check-out was applied.
    pub marker: Option<CheckOutMarker>,
    /// True when the compensation's two lines are present.
    pub compensated: bool,
    pub booking: Booking,
    /// Current state of the check-out's room, by id.
    pub room: Room,
    pub opportunity: Opportunity,
    /// All current folio lines.
    pub lines: Vec<Line>,
}

/// Records to read for a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOutRecordsQuery {
    /// Our reference.
    pub execution_id: String,
    pub opportunity_id: String,
    pub booking_id: String,
}

/// A compensation's write, all or nothing. Each object that is `Some` is restored to its
/// before-image, with the stamp of the current row as the precondition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevertOrder {
    /// Our reference.
    pub execution_id: String,
    /// (current, before).
    pub booking: Option<(Booking, Booking)>,
    /// (current, before).
    pub room: Option<(Room, Room)>,
    /// (current, before).
    pub opportunity: Option<(Opportunity, Opportunity)>,
    /// Opportunity record id of the folio that gets the lines.
    pub opportunity_id: String,
    /// Payment whose line is missing (no marker was written); `None` when the marker is that line
    /// or nothing was paid.
    pub missing_payment: Option<RecordedPayment>,
    /// Refund line; `None` when nothing was paid.
    pub refund: Option<RefundLine>,
    /// Record ids of our payment lines that no hold will pay any more.
    pub unpaid: Vec<String>,
    /// `Transaction_Date__c`.
    pub at: Timestamp,
}

/// A refund as the CRM records it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundLine {
    /// Refund id, `re_…`.
    pub refund_id: String,
    pub amount: Cents,
    /// `Pending`, `Completed` or `Failed`.
    pub status: LineStatus,
}

/// A write that moves a guest in or out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StayWrite {
    CheckIn,
    /// Check-out, which follows a payment.
    CheckOut,
}

/// The CRM. Writes come in two halves, as with payments. Unlike there, sending the same call again
/// is **not** safe: check for the marker first.
#[async_trait]
pub trait Crm: Rooms + Reservations + Cases + Guests {
    /// Usage of the quota of calls, as last reported; `None` before the first answer.
    fn usage(&self) -> Option<ApiUsage>;

    /// A booking number that the CRM has shown: it tells the form of all.
    fn shown_booking_number(&self) -> Option<BookingNumber>;

    /// Why this write would be refused, as far as is known: a field that it sets is hidden from our
    /// user, or may not be written. Asked before a payment is taken for it.
    fn barred(&self, write: StayWrite) -> Option<Fault>;

    /// Reads the matching stays in one query.
    async fn stays(&self, query: &StayQuery) -> Outcome<Vec<Stay>>;

    /// Answers several queries at once, in order; each has an email or a booking number. Only for what is
    /// shown: a booking without a guest has an empty guest id.
    async fn stays_each(&self, queries: &[StayQuery]) -> Outcome<Vec<Vec<Stay>>>;

    /// Reads a guest's bookings, open cases, and folios in one exchange.
    async fn stay_overview(&self, query: &StayOverviewQuery) -> Outcome<StayOverviewRecords>;

    /// Whether any contact has this email.
    async fn knows_guest(&self, email: &EmailAddress) -> Outcome<bool>;

    /// Reads the current state of one check-out in one query; `None` when its opportunity or
    /// booking is gone.
    async fn check_out_records(
        &self,
        query: &CheckOutRecordsQuery,
    ) -> Outcome<Option<CheckOutRecords>>;

    /// One composite: a precondition on the status, Opportunity, Room, Booking, the marker, then a
    /// query for the after-images.
    fn check_out(&self, order: &CheckOutOrder) -> Call;

    /// Sends [`Crm::check_out`]. A failed precondition (412, a halted composite) is `Refused` with
    /// the code `guard_failed`.
    async fn send_check_out(&self, call: &Call) -> Outcome<CheckOutRecords>;

    /// One composite: completes the pending lines of a check-out, or marks them as failed, then a
    /// query for the after-images. Repeating it changes nothing. Sent with [`Crm::send_charge`].
    fn settle_check_out(&self, order: &SettleOrder) -> Call;

    /// Rewrites the booking's own external id, with its stamp as the precondition: advances
    /// `LastModifiedDate`, so that a late effect of ours fails its own precondition. Nobody edits
    /// that field, so nothing is overwritten.
    fn build_touch(&self, booking: &Booking) -> Call;

    /// Sends [`Crm::build_touch`].
    async fn send_touch(&self, call: &Call) -> Outcome<()>;

    /// The compensation's write: one composite, or, when no object is to be restored, one
    /// all-or-none upsert of the lines. Idempotent: the lines are written once however often it is
    /// delivered.
    fn revert(&self, order: &RevertOrder) -> Call;

    /// Sends [`Crm::revert`]. A failed precondition is `Refused` with the code `guard_failed`.
    async fn send_revert(&self, call: &Call) -> Outcome<()>;

    /// One composite: a precondition on the status, Opportunity, Room, Booking, then a query for
    /// the after-images. There is no marker: the check-in is identified by its effect (booking
    /// Checked In, room Occupied by the booking's guest, written by our user).
    fn check_in(&self, order: &CheckInOrder) -> Call;

    /// Sends [`Crm::check_in`]. A failed precondition (412, a halted composite) is `Refused` with
    /// the code `guard_failed`.
    async fn send_check_in(&self, call: &Call) -> Outcome<CheckOutRecords>;

    /// One composite: [`Crm::revert`] of a check-in, then a query for the after-images. Sent with
    /// [`Crm::send_check_in`].
    fn undo_check_in(&self, order: &RevertOrder) -> Call;

    /// One composite: a touch of the booking under its precondition, creation of the line, then a
    /// query for the after-images.
    fn charge(&self, order: &ChargeOrder) -> Call;

    /// One composite: a touch of the booking under its precondition, an update of the line to
    /// Cancelled, then a query for the after-images.
    fn void_charge(&self, order: &VoidOrder) -> Call;

    /// Sends [`Crm::charge`], [`Crm::void_charge`], or [`Crm::settle_check_out`]. A failed precondition is `Refused` with the
    /// code `guard_failed`.
    async fn send_charge(&self, call: &Call) -> Outcome<CheckOutRecords>;

    /// In-house stays in this room; for calls that name a room instead of a guest.
    async fn in_house(&self, room_number: &RoomNumber) -> Outcome<Vec<Stay>>;

    /// All in-house stays, up to `limit` folios; for lists. Folios with incomplete rows are left
    /// out.
    async fn stays_in_house(&self, limit: u32) -> Outcome<Vec<Stay>>;

    /// Reads folios with payments or refunds, including those lines, in one query.
    async fn paid_folios(&self, query: &PaidFolioQuery) -> Outcome<Vec<PaidFolio>>;

    /// Reads the newest rows of each kind in one call, however large the data.
    async fn change_probe(&self) -> Outcome<ChangeProbe>;

    /// Reads the stays of these booking numbers in one query, in any status; their lines include
    /// the markers.
    async fn stays_by_number(&self, numbers: &[BookingNumber]) -> Outcome<Vec<Stay>>;

    /// Stores a message under its sid, which is unique in the org.
    fn record_text(&self, note: &SentTextRecord) -> Call;

    /// Sends [`Crm::record_text`]. If the message is already stored, the reply is `Refused` with the
    /// code `duplicate`.
    async fn send_record_text(&self, call: &Call) -> Outcome<()>;

    /// Writes how a message ended to its row, which must exist. The write may be repeated.
    async fn record_text_end(&self, sid: &str, end: &TextEnd) -> Outcome<()>;

    /// Contacts with this email, oldest first, with the phone numbers and names on file; for sign-in
    /// codes and greetings.
    async fn contacts(&self, email: &EmailAddress) -> Outcome<Vec<Contact>>;
}

/// A guest's contact in the CRM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    pub id: String,
    /// `FirstName`.
    pub first_name: String,
    /// `LastName`.
    pub last_name: String,
    /// Mobile phone, otherwise phone, in E.164; `None` if neither is a number that can be texted.
    pub phone: Option<String>,
    /// Best number for people, as the hotel stores it: also one with an extension, or one that only a
    /// person can read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored_phone: Option<String>,
}
