//! Port for making, changing and listing bookings.

use async_trait::async_trait;

use crate::{
    inventory::AvailabilityQuery,
    reservation::{
        BookingOrder, BookingQuery, BookingRow, ChangeOrder, ReservationState, WhichBooking,
    },
    upstream_request::{Call, Outcome},
};

#[async_trait]
pub trait Reservations: Send + Sync + std::fmt::Debug {
    /// Reads the matching bookings in one query, by arrival.
    async fn bookings(&self, query: &BookingQuery) -> Outcome<Vec<BookingRow>>;

    /// Reads a booking with its folio; given a room (by record id) and nights, also the rivals for
    /// that room.
    async fn reservation(
        &self,
        which: &WhichBooking,
        conflicts_for: Option<(&str, &AvailabilityQuery)>,
    ) -> Outcome<Option<ReservationState>>;

    /// One composite: a precondition that the room is available, the contact (touched under its
    /// stamp, or created), the opportunity, the booking; then reads of the result and the rivals.
    fn book(&self, order: &BookingOrder) -> Call;

    /// One composite: a precondition that the booking is unchanged and the wanted room is
    /// available, then opportunity, rooms and booking, each under its stamp; then reads of the
    /// result and the rivals.
    fn change_booking(&self, order: &ChangeOrder) -> Call;

    /// Sends [`Reservations::book`] or [`Reservations::change_booking`]. A failed precondition is
    /// `Refused` with the code `guard_failed`.
    async fn send_booking(&self, call: &Call) -> Outcome<ReservationState>;
}
