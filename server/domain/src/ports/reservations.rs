//! Bookings made, changed and listed.

use async_trait::async_trait;

use crate::{
    call::{Call, Reply},
    inventory::AvailabilityQuery,
    reservation::{Booked, BookingOrder, BookingQuery, BookingRow, ChangeOrder, WhichBooking},
};

/// The hotel's reservations.
#[async_trait]
pub trait Reservations: Send + Sync + std::fmt::Debug {
    /// The bookings that fit, in one query, by arrival.
    async fn bookings(&self, query: &BookingQuery) -> Reply<Vec<BookingRow>>;

    /// One booking with its folio; with a room (by record id) and a wish, also who else has that
    /// room for those nights.
    async fn reservation(
        &self,
        which: &WhichBooking,
        rivals: Option<(&str, &AvailabilityQuery)>,
    ) -> Reply<Option<Booked>>;

    /// One composite: a guard that the room is free, the contact (touched under its stamp, or
    /// made), the opportunity, the booking; then what is there, and the rivals.
    fn book(&self, order: &BookingOrder) -> Call;

    /// One composite: a guard that the booking is as it was read and the wanted room is free, then
    /// opportunity, rooms and booking, each under its stamp; then what is there, and the rivals.
    fn change_booking(&self, order: &ChangeOrder) -> Call;

    /// Sends [`Reservations::book`] or [`Reservations::change_booking`]. A failed guard is
    /// `Refused` with the code `guard_failed`.
    async fn send_booking(&self, call: &Call) -> Reply<Booked>;
}
