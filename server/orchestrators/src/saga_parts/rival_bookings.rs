//! Two bookings of one room for the same night: claims among our own executions, and the check
//! after writing that makes the later booking yield.

use async_trait::async_trait;
use dewy_domain::{
    error_code::ErrorCode,
    inventory::{AvailabilityQuery, ConflictingBooking},
    nights::Nights,
    reservation::{Reservation, ReservationState},
    stay::Room,
    tool_answer::ToolError,
    vocabulary::FaultCode,
};
use dewy_saga::{Activity, Context, Fault, Plan, StepId};
use serde_json::{Value, json};

/// Step of every saga that takes a room.
pub(crate) const CHECK_RIVALS: StepId = StepId::new("check");

/// Why none of these rooms can be had: all are closed, or whatever is not closed is taken.
pub(crate) fn unavailable<'a>(
    rooms: impl IntoIterator<Item = &'a Room>,
    availability: &AvailabilityQuery,
    mut details: Value,
) -> ToolError {
    let lettable = availability.lettable();
    let mut closed = rooms.into_iter().peekable();
    let first = closed.peek().map(|room| room.status.clone());
    details["check_in_date"] = json!(availability.nights.from);
    details["check_out_date"] = json!(availability.nights.to);
    if closed.all(|room| !lettable.contains(&room.status)) {
        details["room_status"] = json!(first);
        return ToolError::with(ErrorCode::RoomOutOfService, details);
    }
    ToolError::with(ErrorCode::RoomAlreadyBooked, details)
}

/// One claim per night of a room: a conflicting caller does not wait but is refused.
pub(crate) fn night_claims(room_id: &str, nights: Nights) -> impl Iterator<Item = String> {
    nights
        .each()
        .map(move |night| format!("night:{room_id}:{night}"))
}

/// Of two bookings of one room for the same night, the later one yields. Returns the fault if ours
/// is the later one.
pub(crate) fn fault_if_later(
    there: &Reservation,
    rivals: &[ConflictingBooking],
    written_at: jiff::Timestamp,
) -> Option<Fault> {
    // Ours was created when it was written; simultaneous rivals are ordered by id, which is the
    // same for everyone.
    let ours = (written_at, there.stay.booking.id.as_str());
    let earlier = rivals
        .iter()
        .find(|rival| (rival.created_at, rival.id.as_str()) < ours)?;
    Some(room_taken_fault(&there.room.room.number, Some(earlier)))
}

pub(crate) fn room_taken_fault(room_number: &str, by: Option<&ConflictingBooking>) -> Fault {
    let details = json!({ "room_number": room_number, "noticed": by.map(|_| "after writing") });
    Fault::new(FaultCode::RoomTaken, "somebody else has the room by now").with(details)
}

/// Checks the journal for an earlier rival; the write itself has read the rivals.
pub(crate) struct RivalCheck<U> {
    /// Step that wrote.
    pub of: StepId<ReservationState, U>,
}

#[async_trait]
impl<U> Activity for RivalCheck<U> {
    type Output = Value;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        Some(match cx.progress.recorded(self.of) {
            Some(booked) => {
                let written = booked.there.stay.booking.stamp.at;
                match fault_if_later(&booked.there, &booked.conflicts, written) {
                    Some(fault) => Plan::Refuse(fault),
                    None => Plan::Skip(json!({ "note": "no conflicting booking" })),
                }
            }
            None => Plan::Skip(json!({ "note": "nothing was written that could conflict" })),
        })
    }
}
