//! The system of record for guests, bookings, rooms and opportunities, as the orchestrators need
//! it.

use async_trait::async_trait;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Cases, Guests, Reservations, Rooms};
use crate::{
    call::{Call, Reply},
    change_probe::ChangeProbe,
    money::Cents,
    paid_folio::{PaidFolio, PaidFolioQuery},
    stay::{Booking, Line, Opportunity, Room, Stay},
};

/// Which stays to read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct StayQuery {
    /// The guest's email, lower case.
    pub guest_email: String,
    /// Only this booking, whatever its status; without it only those of `wanted`.
    pub booking_number: Option<String>,
    /// Only in this room.
    pub room_number: Option<String>,
    /// Which ones, when no booking is named.
    pub wanted: Wanted,
}

/// Which stays are meant when no booking is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Wanted {
    /// Checked in.
    #[default]
    InHouse,
    /// Reserved, and checked in (who asks again to check in is answered with the present state).
    Arriving,
}

/// What a check-in writes, all of it or nothing: booking, room and opportunity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckInOrder {
    /// The stay as it was read; guards are built from its stamps and statuses.
    pub stay: Stay,
}

/// A line to put on a folio, as `Payment_Transaction__c` of the type Charge, Pending. Its
/// description is ours to keep: no org has a field for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChargeOrder {
    /// Our own reference: `External_ID__c` of the line, by which it is recognized.
    pub execution_id: String,
    /// The stay as it was read. Its booking is touched in the same write, under a guard on its
    /// stamp, so that a straggler fails.
    pub stay: Stay,
    /// How much, always positive.
    pub amount: Cents,
    /// `Transaction_Date__c`.
    pub at: Timestamp,
}

/// A charge to cancel; its line stays, with the status Cancelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoidOrder {
    /// The stay as it was read, touched as with [`ChargeOrder`].
    pub stay: Stay,
    /// Record id of the line.
    pub line_id: String,
}

/// A sent message as the CRM keeps it: `SMS_Notification__c`, unique by the message's sid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextNote {
    /// `SM…`.
    pub sid: String,
    /// To whom, E.164.
    pub to: String,
    /// The words.
    pub body: String,
    /// `Status__c` in the CRM's words: Queued, Sent, Delivered, Failed, Undelivered.
    pub status: String,
    /// When it was sent.
    pub at: Timestamp,
    /// The stay's opportunity.
    pub opportunity_id: Option<String>,
}

/// What a check-out writes, all of it or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOutOrder {
    /// Our own reference: `External_ID__c` of the marker.
    pub execution_id: String,
    /// The stay as it was read; guards are built from its stamps and statuses.
    pub stay: Stay,
    /// What was paid; `None` when the balance was nothing.
    pub payment: Option<PaidBy>,
    /// `Transaction_Date__c` and the check-out's moment.
    pub at: Timestamp,
}

/// The payment as the CRM records it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaidBy {
    /// `pi_…`.
    pub payment_intent: String,
    /// How much.
    pub amount: Cents,
    /// Last four digits.
    pub last4: Option<String>,
    /// For the guest.
    pub receipt_url: Option<String>,
}

/// The marker row: if it is there, everything of that check-out was applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marker {
    /// Record id.
    pub id: String,
    /// When it was made: the moment of the whole write.
    pub created_at: Timestamp,
    /// By which user: ours.
    pub created_by: String,
}

/// What is there now of one check-out, read in one query by our own reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// The marker, if the check-out was applied.
    pub marker: Option<Marker>,
    /// True when the compensation's pair of lines is there.
    pub compensated: bool,
    /// The booking now.
    pub booking: Booking,
    /// Its room now (the room of the check-out, by id).
    pub room: Room,
    /// Its opportunity now.
    pub opportunity: Opportunity,
    /// All lines of the folio now.
    pub lines: Vec<Line>,
}

/// What to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceQuery {
    /// Our own reference.
    pub execution_id: String,
    /// The opportunity.
    pub opportunity_id: String,
    /// The booking.
    pub booking_id: String,
}

/// What a compensation writes, all of it or nothing. Each object that is `Some` is changed back to
/// this before-image, guarded by the stamp of the present row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevertOrder {
    /// Our own reference.
    pub execution_id: String,
    /// (present, before).
    pub booking: Option<(Booking, Booking)>,
    /// (present, before).
    pub room: Option<(Room, Room)>,
    /// (present, before).
    pub opportunity: Option<(Opportunity, Opportunity)>,
    /// On which folio the lines go.
    pub opportunity_id: String,
    /// The payment whose line is missing (no marker was written); `None` when the marker is that
    /// line or nothing was paid.
    pub missing_payment: Option<PaidBy>,
    /// The refund's line; `None` when nothing was paid.
    pub refund: Option<RefundLine>,
    /// `Transaction_Date__c`.
    pub at: Timestamp,
}

/// A refund as the CRM records it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundLine {
    /// `re_…`.
    pub refund_id: String,
    /// How much.
    pub amount: Cents,
    /// `Pending`, `Completed` or `Failed`.
    pub status: String,
}

/// The CRM. Writes come in two halves, as with payments; but sending the same call again is **not**
/// safe here: look for the marker first.
#[async_trait]
pub trait Crm: Rooms + Reservations + Cases + Guests {
    /// The stays that fit, in one query.
    async fn stays(&self, query: &StayQuery) -> Reply<Vec<Stay>>;

    /// The same for several questions in one query, in their order; each has an email. For a crowd
    /// that only looks.
    async fn stays_each(&self, queries: &[StayQuery]) -> Reply<Vec<Vec<Stay>>>;

    /// Whether any contact has this email.
    async fn knows_guest(&self, email: &str) -> Reply<bool>;

    /// What is there now of one check-out, in one query; `None` when its opportunity or booking is
    /// gone.
    async fn trace(&self, query: &TraceQuery) -> Reply<Option<Trace>>;

    /// One composite: a status guard, Opportunity, Room, Booking, the marker, then a query for the
    /// after-images.
    fn check_out(&self, order: &CheckOutOrder) -> Call;

    /// Sends [`Crm::check_out`]. A failed guard (412, a halted composite) is `Refused` with the
    /// code `guard_failed`.
    async fn send_check_out(&self, call: &Call) -> Reply<Trace>;

    /// Writes the booking's own external id again under a guard on its stamp: moves
    /// `LastModifiedDate`, so that a straggler of ours fails its own guard. Nobody edits that
    /// field, so that nothing is overwritten.
    fn touch(&self, booking: &Booking) -> Call;

    /// Sends [`Crm::touch`].
    async fn send_touch(&self, call: &Call) -> Reply<()>;

    /// The compensation's write: one composite, or, when no object is to be changed back, one
    /// all-or-none upsert of the lines. However often it is delivered, the lines are written once.
    fn revert(&self, order: &RevertOrder) -> Call;

    /// Sends [`Crm::revert`]. A failed guard is `Refused` with the code `guard_failed`.
    async fn send_revert(&self, call: &Call) -> Reply<()>;

    /// One composite: a status guard, Opportunity, Room, Booking, then a query for the
    /// after-images. There is no marker: it is recognized by its effect (booking Checked In, room
    /// Occupied by the booking's guest, written by our user).
    fn check_in(&self, order: &CheckInOrder) -> Call;

    /// Sends [`Crm::check_in`]. A failed guard (412, a halted composite) is `Refused` with the code
    /// `guard_failed`.
    async fn send_check_in(&self, call: &Call) -> Reply<Trace>;

    /// One composite: the booking touched under its guard, the line created, then a query for the
    /// after-images.
    fn charge(&self, order: &ChargeOrder) -> Call;

    /// One composite: the booking touched under its guard, the line set to Cancelled, then a query
    /// for the after-images.
    fn void_charge(&self, order: &VoidOrder) -> Call;

    /// Sends [`Crm::charge`] or [`Crm::void_charge`]. A failed guard is `Refused` with the code
    /// `guard_failed`.
    async fn send_charge(&self, call: &Call) -> Reply<Trace>;

    /// The stay in house in this room, if there is one: for those who name a room and not a guest.
    async fn in_house(&self, room_number: &str) -> Reply<Option<Stay>>;

    /// Everybody who is checked in, at most so many folios; for lists. A folio whose rows are not
    /// complete is left out.
    async fn stays_in_house(&self, limit: u32) -> Reply<Vec<Stay>>;

    /// Folios on which money was taken or given back, with those lines, in one query.
    async fn paid_folios(&self, query: &PaidFolioQuery) -> Reply<Vec<PaidFolio>>;

    /// What was written last, of each kind; one call, however much there is.
    async fn change_probe(&self) -> Reply<ChangeProbe>;

    /// The stays of these booking numbers, whatever their status, in one query; the markers are
    /// among their lines.
    async fn stays_by_number(&self, numbers: &[String]) -> Reply<Vec<Stay>>;

    /// Writes a message down under its sid, which is unique in the org.
    fn note_text(&self, note: &TextNote) -> Call;

    /// Sends [`Crm::note_text`]. Where the message is written down already it is `Refused` with the
    /// code `duplicate`.
    async fn send_note_text(&self, call: &Call) -> Reply<()>;

    /// The phone number and first name on file for a guest; for sign-in codes and greetings.
    async fn contact(&self, email: &str) -> Reply<Option<Contact>>;
}

/// A guest as the CRM knows them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// Record id.
    pub id: String,
    /// `FirstName`.
    pub first_name: String,
    /// `LastName`.
    pub last_name: String,
    /// Mobile phone, else phone.
    pub phone: Option<String>,
}
