//! Checking in.

use crate::llm::said::Call;

use super::{Ask, Family, Guess};

const ARRIVES: &str = "@arrive";
/// Lists of those who are in, and times.
const NOT: &str = "who _ check in | who _ checked in | which guests | how many | how late can | what is the latest | check in time | checked in guests | who is checked in | guests checked in \
    | what time is check in | when is check in | when can i check in | check ins | early check in | earliest \
    | what time can";

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let staff_sees = !ask.guest()
        && heard.any("at the desk | at the counter | standing here | is here")
        && !heard.any("check out | pay | regular");
    let named = !ask.guest()
        && heard.closes("check _ in")
        && (ask.name().is_some() || ask.booking().is_some() || ask.email().is_some() || ask.room().is_some());
    // It may be things that have arrived.
    // Who has no room yet asks for its key; a second one is brought.
    let key = ask.guest()
        && ask.fact("room_number").is_none()
        && heard.any("key to | key for | my key | our key | need/get/give/have/missing/pick/collect _ key")
        && !heard.any("another | second | spare | extra | lost | new key");
    let things =
        heard.any("@arrange/@food/@drink/@linen/@equipment/parcel/package/delivery/order _ has/have/just arrived");
    if things
        || !(heard.wants(ARRIVES) || key || staff_sees || named)
        || heard.any(NOT)
        || !ask.tools.offers("check_in_guest")
    {
        return None;
    }
    let sure = if heard.any("check in | check me in | check us in | checked in") {
        86
    } else if key {
        80
    } else {
        78
    };
    if !ask.guest() && ask.email().is_none() {
        return ask.look_up(sure, Family::Arrive);
    }
    let day = heard.slots.days.first.filter(|day| *day != ask.talk.today() && !ask.guest());
    let call = Call::to("check_in_guest")
        .with("guest_email", ask.email())
        .with("check_in_date", day.map(|day| day.to_string()))
        .with("booking_number", heard.slots.booking())
        .with("room_number", heard.slots.room());
    Some(Guess::call(sure, Family::Arrive, call))
}
