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
        || heard.begins("show | list | give | dirty | vacant | occupied | free | empty | first | all | rooms | every")
        || heard.any("show me | list | see | show | tell me | overview | like to know | state of")
        || heard.words.len() < 5;
    let urgent = topics::priority(heard).is_some() && !heard.any("room");
    let about = (status.is_some()
        && (noun || (heard.asks() && !heard.any("case | job | request | booking | guest | execution"))))
        || (noun
            && heard.any(
                "state of | status of | overview | all rooms | list the rooms | rooms on | which rooms | list of \
                rooms",
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
    if !ask.tools.offers("search_rooms_on_behalf_of_staff") || heard.any("case | job | request | ticket | order") {
        return None;
    }
    let call = Call::to("search_rooms_on_behalf_of_staff")
        .with("status_filter", status)
        .with("floor_filter", slots.floor)
        .with("room_type", slots.room_type)
        .with("limit", slots.limit);
    Some(Guess::call(77, Family::Rooms, call))
}
