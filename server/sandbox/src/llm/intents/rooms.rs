//! Rooms as staff list them, by status, floor and type.

use crate::llm::said::Call;

use super::{Ask, Family, Guess, topics};

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let slots = &heard.slots;
    let status = topics::room_status(heard);
    let noun = heard.any("room | suite | standard | deluxe | penthouse | floor | ones") || slots.room_type.is_some();
    let asks = heard.asks()
        || heard.begins(
            "occupancy | show | list | give | dirty | vacant | occupied | free | empty | first | all | rooms \
            | every",
        )
        || heard.any("show me | list | see | show | tell me | overview | like to know | state of")
        || heard.words.len() < 5;
    if let Some(call) = one_room(ask) {
        return Some(Guess::call(78, Family::Rooms, call));
    }
    let urgent = topics::priority(heard).is_some() && !heard.any("room");
    // What is new in maintenance is work, not a room.
    let work = status == Some("Maintenance")
        && !heard.any("room")
        && heard.any("new | urgent | my | work | to do | come in | came in | waiting | in maintenance for me");
    let about = !work
        && (status.is_some()
            && (noun || (heard.asks() && !heard.any("case | job | request | booking | guest | execution"))))
        || (noun
            && heard.any(
                "state of | status of | overview | all rooms | list the rooms | rooms on | which rooms \
                    | list of rooms",
            ))
        || (slots.floor.is_some() && (status.is_some() || heard.asks()));
    if urgent
        || !(asks && about)
        || slots.room().is_some()
        || slots.days.first.is_some_and(|day| day != ask.talk.today())
        || slots.days.nights.is_some()
    {
        return None;
    }
    if !ask.tools.offers("search_rooms_on_behalf_of_staff")
        || heard.any("case | job | request | ticket")
        || heard.any("order") && !heard.any("out of order")
    {
        return None;
    }
    let call = Call::to("search_rooms_on_behalf_of_staff")
        .with("status_filter", status)
        .with("floor_filter", slots.floor)
        .with("room_type", slots.room_type)
        .with("limit", slots.limit);
    Some(Guess::call(77, Family::Rooms, call))
}

/// `Is 205 clean yet?`: rooms are not listed one by one, so that its floor is.
fn one_room(ask: &Ask<'_>) -> Option<Call> {
    let heard = ask.heard;
    let asked = heard.asks()
        && heard.any(
            "clean | cleaned | made up | ready | vacant | free | empty | status | state | out of service \
            | occupied",
        );
    let floor = heard
        .slots
        .room()?
        .get(..1)?
        .parse::<i64>()
        .ok()
        .filter(|_| heard.slots.room().is_some_and(|room| room.len() == 3))?;
    let of_room = asked && !heard.any("case | job | request | guest | booked | book") && !heard.slots.days.any();
    (of_room && ask.tools.offers("search_rooms_on_behalf_of_staff"))
        .then(|| Call::to("search_rooms_on_behalf_of_staff").with("floor_filter", Some(floor)))
}
