//! A room's status, as those who are in it tell.

use crate::llm::said::{Call, Said};

use super::{Ask, Family, Guess, service};

const DIRTY: &str = "cleaning list | pigsty | trashed | filthy | messy | a mess | redo | redone | re clean | recleaned | needs redoing | send the cleaners | needs making up | turn it around | unclean | to be turned over | put down as dirty | to cleaning | another clean | needs a clean | need a clean | needs cleaning | is dirty \
    | be cleaned again | clean again | cleaned again | go over it | going over | not clean | as dirty | dirty \
    | back to cleaning | wants cleaning | cleaning again | set to cleaning";
const CLOSED: &str = "out of service | out of order | block | do not let | close it | close room | lock it off \
    | take off sale | off sale";
const REPAIR: &str = "under maintenance | to maintenance | in maintenance | into maintenance | on maintenance \
    | maintenance status | as maintenance";
const READY: &str = "is clean | clean now | clean | cleaned | done | ready | spotless | inspected | vacant \
    | finished | all clear | made up | good to go | back in service | back on sale | can be let \
    | available again | is free again | free again | tidy | turned over | fresh | to vacant | set vacant \
    | be sold | released | release | back in use | usable again | works again | all set | habitable \
    | beds are made | bed is made | beds made | bed made";

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let room = heard.slots.room().or_else(|| ask.whole.slots.room().filter(|_| ask.whole.slots.rooms.len() == 1))?;
    let telling = !heard.asks() || heard.begins("could | can | would");
    if !telling
        || !ask.tools.offers("set_room_status")
        || !heard.slots.named.cases.is_empty()
        || heard.slots.booking().is_some()
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
        let calls = heard.slots.rooms.iter().map(one).collect();
        return Some(Guess { sure, family: Family::Status, said: Said::Calls(calls) });
    }
    let call = Call::to("set_room_status").with("room_number", Some(room)).with("status", Some(status));
    Some(Guess::call(sure, Family::Status, call))
}
