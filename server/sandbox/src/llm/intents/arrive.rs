//! Checking in.

use crate::llm::said::Call;

use super::{Ask, Family, Guess};

const ARRIVES: &str = "check in | check me in | check us in | check him in | check her in | check them in \
    | checked in please | get her checked in | get him checked in | get them checked in | get us checked in \
    | get me checked in | get checked in | have arrived | has arrived | just arrived | we arrived | i arrived \
    | finally here | here for my reservation | here for our reservation | here for my booking \
    | here for our booking | get into our room | get into my room | go to our room | go up to our room \
    | go up to my room | we made it | i made it | made it here | we are here | i am here | in the lobby \
    | at reception | in front of me | our room key | my room key | key please | standing at the desk \
    | standing at the counter | at the front desk | passport out | reservation for today | booking for today \
    | get our key | get my key | get the key";
/// Lists of those who are in, and times.
const NOT: &str = "check in time | checked in guests | who is checked in | guests checked in \
    | what time is check in | when is check in | when can i check in | check ins | early check in | earliest \
    | what time can";

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let staff_sees = !ask.guest()
        && heard.any("at the desk | at the counter | standing here | is here")
        && !heard.any("check out | pay | regular");
    if !(heard.any(ARRIVES) || staff_sees) || heard.any(NOT) || !ask.tools.offers("check_in_guest") {
        return None;
    }
    let sure = if heard.any("check in | check me in | check us in | checked in") { 86 } else { 78 };
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
