//! Searches for rooms: available ones for a stay, or all for staff. One SOQL query each.

use dewy_domain::{
    caller::{Caller, Persona},
    inventory::{MissingField, RoomFacts, RoomQuery},
    nights::Nights,
    tool_answer::ToolAnswer,
    tool_catalog::{SearchAvailableRooms, SearchRoomsOnBehalfOfStaff},
    tool_output::{AvailableRoom, RoomListItem},
};

use crate::{
    hotel::hotel_service::Hotel,
    reads::list_answer::{answer, list},
    saga_parts::{
        requested_nights::{availability_query, validated},
        tool_answer::need_complete,
    },
};

/// Maximum number of rooms to read for tonight, where the ready ones come first.
const ROOMS: u32 = 200;

/// Available rooms for these nights, with their prices. For an arrival today, rooms that are ready
/// come first.
pub(crate) async fn available(
    hotel: &Hotel,
    caller: &Caller,
    input: SearchAvailableRooms,
) -> ToolAnswer {
    let today = hotel.today();
    let wanted = Nights {
        from: input.check_in_date,
        to: input.check_out_date,
    };
    let nights = match validated(wanted, today) {
        Ok(nights) => nights,
        Err(error) => return error.into(),
    };
    let tonight = nights.from <= today;
    let query = RoomQuery {
        kind: input.room_type,
        sleeps: Some(input.number_of_guests),
        free: Some(availability_query(nights, today, None)),
        limit: match tonight {
            true => ROOMS.max(input.limit + 1),
            false => input.limit + 1,
        },
        ..RoomQuery::default()
    };
    let one = |room: RoomFacts| AvailableRoom {
        ready: tonight.then(|| room.readiness() == 0),
        room_status: (tonight && caller.persona == Persona::Staff)
            .then(|| room.room.status.clone()),
        ..AvailableRoom::of(room, nights, hotel.settings.currency)
    };
    let narrow = "There are more. Give room_type or number_of_guests, or a higher limit.";
    // A room without a number, a known price and beds is not for sale.
    let for_sale = |room: &RoomFacts| {
        need_complete(
            room,
            &[
                MissingField::RoomNumber,
                MissingField::NightlyRate,
                MissingField::MaxOccupancy,
            ],
        )
        .is_ok()
    };
    answer(hotel.crm.rooms(&query).await, |mut rooms| {
        if tonight {
            rooms.sort_by_key(RoomFacts::readiness);
        }
        let rooms = rooms.into_iter().filter(for_sale).map(one);
        list(rooms.collect(), input.limit, narrow)
    })
}

/// Rooms as housekeeping, maintenance and the front desk see them.
pub(crate) async fn for_staff(
    hotel: &Hotel,
    _: &Caller,
    input: SearchRoomsOnBehalfOfStaff,
) -> ToolAnswer {
    let query = RoomQuery {
        status: input.status_filter,
        floor: input.floor_filter,
        kind: input.room_type,
        limit: input.limit + 1,
        ..RoomQuery::default()
    };
    let one = |room: RoomFacts| RoomListItem {
        problems: room.problems(),
        room_number: room.room.number,
        room_status: room.room.status,
        room_type: room.kind,
        floor: room.floor,
        beds: room.beds,
        view: room.view,
        max_occupancy: room.sleeps,
        accessible: room.accessible,
        nightly_rate: room.rate,
        currency: hotel.settings.currency,
        occupied: room.room.current_guest.is_some(),
    };
    let narrow =
        "There are more. Give status_filter, floor_filter or room_type, or a higher limit.";
    answer(hotel.crm.rooms(&query).await, |rooms| {
        list(rooms.into_iter().map(one).collect(), input.limit, narrow)
    })
}
