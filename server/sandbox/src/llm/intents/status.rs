//! A room's status, as those who are in it tell.

use crate::llm::said::{Call, Said};

use super::{Ask, Family, Guess, service};

const DIRTY: &str = "@dirty-room";
const CLOSED: &str = "@closed-room";
const REPAIR: &str = "@repair-room";
const READY: &str = "@ready-room";

/// A part of a sentence so short says nothing of its own.
const SHORT: usize = 4;

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let room = heard.slots.room().or_else(|| ask.whole.slots.room().filter(|_| ask.whole.slots.rooms.len() == 1))?;
    let telling = (!heard.asks() || heard.begins("could | can | would")) && !heard.inquires();
    if !telling
        || !ask.tools.offers("set_room_status")
        || !heard.slots.named.cases.is_empty()
        || heard.slots.booking().is_some()
        // Something for a guest is no word about the room: `fresh towels for …`.
        || heard.slots.email().is_some()
    {
        return None;
    }
    let here = heard.slots.room().is_some();
    // A thing that is finished is not yet a room that is: `finished with the air conditioning`.
    let status = if heard.any(DIRTY) {
        "Cleaning"
    } else if heard.any(CLOSED)
        && !heard.any(
            "back in service | no longer out | not out of service \
        | service again",
        )
    {
        "Out of Service"
    } else if heard.any(REPAIR) {
        "Maintenance"
    } else if heard.any(READY)
        && !heard.any("please clean | to be cleaned | be cleaned | need | needs | leak | fix | charge | job")
    {
        "Vacant"
    } else {
        return None;
    };
    // A defect that closes a room is reported as such, with the room taken out.
    let defect =
        status == "Out of Service" && service::kind(ask.whole, false).is_some_and(|(kind, _)| kind == "Maintenance");
    let sure = match (defect, here) {
        (true, _) => 55,
        (false, true) => 81,
        (false, false) => 71,
    };
    if heard.slots.rooms.len() > 1 {
        let one = |room: &String| {
            Call::to("set_room_status").with("room_number", Some(room.as_str())).with("status", Some(status))
        };
        // Of a room of which a whole part of the sentence tells something else, nothing is known.
        let list = [("Cleaning", DIRTY), ("Out of Service", CLOSED), ("Maintenance", REPAIR)];
        let words = list.iter().find(|(named, _)| *named == status).map_or(READY, |(_, words)| *words);
        let parts = heard.clauses(ask.talk.today());
        let told = |room: &&String| {
            let part = parts.iter().find(|part| part.slots.rooms.contains(room));
            part.is_none_or(|part| part.words.len() < SHORT || part.any(words))
        };
        let calls: Vec<Call> = heard.slots.rooms.iter().filter(told).map(one).collect();
        return Some(Guess { sure, family: Family::Status, said: Said::Calls(calls) });
    }
    let call = Call::to("set_room_status").with("room_number", Some(room)).with("status", Some(status));
    Some(Guess::call(sure, Family::Status, call))
}
