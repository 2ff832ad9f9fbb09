//! CRM ports of the front desk: rooms, reservations, cases and guests; each call is a query or one
//! composite.

use async_trait::async_trait;
use dewy_domain::{
    case::{Case, CaseChange, CaseQuery, OpenCaseRequest},
    guest::{FULL_PHONE, Guest, GuestQuery},
    inventory::{AvailabilityQuery, RoomFacts, RoomQuery, RoomStatusOrder},
    ports::{Cases, Guests, ReadPhone, Reservations, Rooms},
    reservation::{
        BookingOrder, BookingQuery, BookingRow, ChangeOrder, NewGuest, ReservationState,
        WhichBooking,
    },
    upstream_request::{Call, Fault, Outcome},
    vocabulary::FaultCode,
};

use super::{
    Salesforce,
    responses::{self, RoomRow},
};
use crate::client_policy::Priority;

/// Error code for an existing row with the same unique value.
const DUPLICATE: &str = "DUPLICATE_VALUE";

#[async_trait]
impl Rooms for Salesforce {
    async fn rooms(&self, query: &RoomQuery) -> Outcome<Vec<RoomFacts>> {
        let priority = if query.number.is_some() {
            Priority::LookUp
        } else {
            Priority::Normal
        };
        let build = || self.requests.rooms(query);
        let rows = self.read_built(priority, build, responses::list).await;
        rows.map(|rows: Vec<RoomRow>| responses::rooms(&rows, &self.config.vocabulary))
    }

    fn set_room_status(&self, order: &RoomStatusOrder) -> Call {
        self.requests.set_room_status(order)
    }

    async fn send_room_status(&self, call: &Call) -> Outcome<RoomFacts> {
        self.write_composite(call, responses::room_set).await
    }

    fn touch_room(&self, room: &RoomFacts) -> Call {
        self.requests.touch_room(room)
    }
}

#[async_trait]
impl Reservations for Salesforce {
    async fn bookings(&self, query: &BookingQuery) -> Outcome<Vec<BookingRow>> {
        let call = self.requests.bookings(query);
        let rows = self.read(Priority::Normal, &call, responses::list).await;
        rows.map(|rows| {
            let listed = responses::listed(rows, &self.config.vocabulary);
            if let Some(first) = listed.first() {
                self.shown.get_or_init(|| first.booking_number.clone());
            }
            listed
        })
    }

    async fn reservation(
        &self,
        which: &WhichBooking,
        rivals: Option<(&str, &AvailabilityQuery)>,
    ) -> Outcome<Option<ReservationState>> {
        let call = self.requests.reservation(which);
        let rows = self.rows(Priority::Critical, &call);
        let Some((room_id, availability)) = rivals else {
            return rows.await.and_then(|rows| {
                responses::reservation(rows, Vec::new(), which, &self.config.vocabulary)
            });
        };
        let call = self.requests.others(room_id, availability, which);
        let (rows, rivals) = futures::join!(rows, self.rows(Priority::Critical, &call));
        rivals.and_then(|rivals| {
            rows.and_then(|rows| {
                responses::reservation(rows, rivals, which, &self.config.vocabulary)
            })
        })
    }

    fn book(&self, order: &BookingOrder) -> Call {
        self.requests.book(order)
    }

    fn change_booking(&self, order: &ChangeOrder) -> Call {
        self.requests.change_booking(order)
    }

    async fn send_booking(&self, call: &Call) -> Outcome<ReservationState> {
        duplicate(self.write_composite(call, responses::booked).await)
    }
}

#[async_trait]
impl Cases for Salesforce {
    async fn cases(&self, query: &CaseQuery) -> Outcome<Vec<Case>> {
        let named = query.number.is_some() || query.execution_id.is_some();
        let priority = if named {
            Priority::LookUp
        } else {
            Priority::Normal
        };
        let call = self.requests.cases(query);
        let rows = self.read(priority, &call, responses::list).await;
        rows.map(|rows| responses::cases(rows, &self.config.vocabulary))
    }

    fn open_case(&self, order: &OpenCaseRequest) -> Call {
        self.requests.open_case(order)
    }

    fn change_case(&self, there: &Case, change: &CaseChange) -> Call {
        self.requests.change_case(there, change)
    }

    async fn send_case(&self, call: &Call) -> Outcome<Case> {
        duplicate(self.write_composite(call, responses::case_written).await)
    }

    fn touch_case(&self, there: &Case) -> Call {
        self.requests.touch_case(there)
    }
}

#[async_trait]
impl Guests for Salesforce {
    async fn guests(&self, query: &GuestQuery, limit: u32) -> Outcome<Vec<Guest>> {
        // In SOQL the empty text also equals null: it would match everybody without an email.
        if matches!(query, GuestQuery::Email(guest) if guest.email().is_empty()) {
            return Outcome::Done(Vec::new());
        }
        let priority = if matches!(query, GuestQuery::Email(_)) {
            Priority::LookUp
        } else {
            Priority::Normal
        };
        let build = || self.requests.guests(query, limit);
        let rows = self.read_built(priority, build, responses::list).await;
        let guests =
            rows.map(|rows| responses::guests(rows, &self.config.vocabulary, self.config.country));
        match query {
            GuestQuery::Phone(wanted) => guests.map(|guests| {
                guests
                    .into_iter()
                    .filter(|g| phone_matches(g, wanted))
                    .collect()
            }),
            _ => guests,
        }
    }

    fn phone_number(&self, written: &str) -> Option<ReadPhone> {
        let number = self.config.country.read(written)?;
        Some(ReadPhone {
            stored: number.stored(),
            exists: number.exists(),
        })
    }

    fn create_contact(&self, guest: &NewGuest) -> Call {
        self.requests.make_guest(guest)
    }

    async fn send_create_contact(&self, call: &Call) -> Outcome<()> {
        duplicate(self.write(Priority::Normal, call, responses::made).await)
    }

    fn touch_guest(&self, guest: &Guest) -> Call {
        self.requests.touch_guest(guest)
    }
}

/// The pattern allowed anything between the digits; other digits must be excluded.
fn phone_matches(guest: &Guest, wanted: &str) -> bool {
    let digits: String = guest
        .phone
        .iter()
        .filter_map(|phone| phone.split(" x").next())
        .flat_map(str::chars)
        .filter(char::is_ascii_digit)
        .collect();
    match wanted.len().checked_sub(FULL_PHONE) {
        Some(before) => wanted
            .get(before..)
            .is_some_and(|last| digits.ends_with(last)),
        None => digits.contains(wanted),
    }
}

pub(super) fn duplicate<T>(reply: Outcome<T>) -> Outcome<T> {
    match reply {
        Outcome::Refused(error) if error.code == DUPLICATE => Outcome::Refused(Fault {
            code: FaultCode::Duplicate.into(),
            ..error
        }),
        other => other,
    }
}
