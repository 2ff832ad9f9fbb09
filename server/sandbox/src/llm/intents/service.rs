//! Something is wanted, or something is broken: requests of guests, and defects as staff report them.

use crate::llm::heard::Heard;
use crate::llm::said::Call;

use super::{Ask, Family, Guess, topics};

/// What housekeeping brings or does.
const HOUSEKEEPING: &str = "@linen | @toiletries | @equipment | @cleaning | @mess | @laundry";
/// What is eaten and drunk.
const FOOD: &str = "@food | @drink";
/// What the concierge arranges.
const CONCIERGE: &str = "@arrange";
/// What can break.
const FIXTURES: &str = "@fixture";
/// How broken things are spoken of, near them.
const DEFECT: &str = "@fixture _ @fault | @fault _ @fixture";
/// What somebody has made a mess of.
const SPILT: &str = "my fault | spill* | spilt | knocked over | soak*/stain*/cover* _ coffee/wine/tea/juice/milk/sauce/ketchup | sick on | sick all | sick over";
const ALWAYS_BROKEN: &str = "@broken-for-sure";

/// Asks where something stands: no new request.
const ASKS_AFTER: &str = "@asks-after | status of my | status of our | what became | what happened | what is happening \
    | happened to | any news | still waiting | been forgotten | forgotten | did anybody | did anyone \
    | did somebody | did someone | has anybody | has anyone | has somebody | has someone | where is my \
    | where are my | where is our | where are our | how far | have you found | i asked for | we asked for \
    | i ordered | we ordered | was recorded | i sent | i reported | we reported | is somebody coming \
    | is anybody coming | has my | have my | did my";

/// What has come is not wanted any more.
const COME: &str = "@arrange/@food/@drink/@linen/@equipment/parcel/package/delivery/order _ has/have _ arrived/come";

/// What a guest says of things that were charged and not used.
const UNTOUCHED: &str = "i/we not/never touch*/use*/open*/opened/take*/took/drink*/drank/eat*/ate/order* \
    | i/we did/have/had not/never touch*/use*/open*/opened/take*/drink*/eat*/order*";

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    if ask.guest() && asks_after(heard) || heard.any(COME) {
        return None;
    }
    // Who did not touch the minibar has nothing to be mended.
    let told = ask.guest()
        && heard.any("i/we have bought/brought/packed")
        && !heard.any("could | can | please | would | need | want | may | @broken-for-sure");
    if told {
        return None;
    }
    if ask.guest()
        && heard.any(UNTOUCHED)
        && !heard.any("leak* | drip* | broken | dirty | smell* | flicker* | work | works")
    {
        return None;
    }
    let (kind, sure) = kind(heard, ask.guest()).or_else(|| (!ask.guest()).then(|| brought(heard)).flatten())?;
    if heard.inquires() && (!ask.guest() || kind != "Maintenance") {
        return None;
    }
    if ask.guest() { of_guest(ask, kind, sure) } else { of_staff(ask, kind, sure) }
}

/// Whether something asked for before is asked after.
pub fn asks_after(heard: &Heard) -> bool {
    let yet = heard.words.iter().enumerate().any(|(place, word)| {
        // `And yet` asks after nothing.
        word.text == "yet" && place > 0 && !matches!(heard.words[place - 1].text.as_str(), "and" | "but")
    });
    heard.any(ASKS_AFTER) || yet
}

/// Who is to see to it, and how sure that is.
pub fn kind(heard: &Heard, guest: bool) -> Option<(&'static str, u8)> {
    let fixture = heard.any(FIXTURES);
    // What was spilt is to be cleaned, whatever it fell on.
    if heard.any(SPILT) && !heard.any(ALWAYS_BROKEN) {
        return Some(("Housekeeping", 76));
    }
    let defect = heard.any(DEFECT) || heard.any(ALWAYS_BROKEN);
    if defect {
        return Some(("Maintenance", 79));
    }
    // Staff name what is wrong in many words; a job, or a room with something loose in it, is enough.
    let job = heard.any("facilities | job | defect | ticket")
        && heard.any(
            "log | report | raise | file | ask \
        | open",
        );
    let wrong = heard.slots.room().is_some()
        && heard.any(
            "loose | cracked | dead | jammed | stuck | faulty | rattling | mouldy | torn | missing | burnt out \
                | not closing | not opening | not flushing | fallen off",
        );
    if !guest && (job || wrong) {
        return Some(("Maintenance", 72));
    }
    if heard.any("concierge") {
        return Some(("Concierge", 78));
    }
    let wish = heard.any(
        "could | please | can | would | may | need | needs | want | wants | like | send | bring | have | get \
            | asks for | more | extra | another | order | to room | arrange | call",
    );
    // A few words that name a thing are a wish.
    let terse =
        heard.words.len() < 7 && !heard.asks() && !heard.any("am | is | are | was | were | my | our | the | we | i");
    let sure = if wish {
        74
    } else if terse && guest {
        62
    } else {
        58
    };
    let food = heard.any(FOOD) && !(meal_as_time(heard));
    let table = heard.any("table | restaurant");
    if heard.any(CONCIERGE) && !(food && !table && !heard.any("taxi | wake up | ticket | theatre")) {
        return Some(("Concierge", sure));
    }
    if heard.any(HOUSEKEEPING) {
        return Some(("Housekeeping", sure));
    }
    if food {
        return Some(("Room Service", sure));
    }
    // Something of the house is named, and something is wrong with it: a guest would not name it otherwise.
    (fixture && guest && heard.any("fix | repair | repaired | fixed | problem | wrong | cold | hot"))
        .then_some(("Maintenance", 70))
}

/// `Before dinner`, `while we are at breakfast`: a time, not a wish.
fn meal_as_time(heard: &Heard) -> bool {
    heard.any("before/after/during/until/at/over breakfast/lunch/dinner/supper")
        && !heard.any("@drink | bring/send/order/deliver/have/want breakfast/lunch/dinner/supper")
}

fn of_guest(ask: &Ask<'_>, kind: &str, sure: u8) -> Option<Guess> {
    let heard = ask.heard;
    if !ask.tools.offers("submit_guest_service_request") {
        return None;
    }
    let call = Call::to("submit_guest_service_request")
        .with("room_number", heard.slots.room())
        .with("type", Some(kind))
        .with("priority", topics::priority(ask.whole))
        .with("description", Some(description(ask)));
    Some(Guess::call(sure, Family::Service, call))
}

/// Something is to be brought to somebody, whatever it is.
fn brought(heard: &Heard) -> Option<(&'static str, u8)> {
    let to = heard.any("have/get _ delivered/brought/sent/taken | deliver*/bring*/send*/carry*/fetch* _ to/for/up");
    (to && heard.slots.email().is_some() && !heard.any("@bill | receipt | invoice")).then_some(("Concierge", 64))
}

fn of_staff(ask: &Ask<'_>, kind: &str, sure: u8) -> Option<Guess> {
    let heard = ask.heard;
    let room = ask.room().or_else(|| ask.fact("room_number"));
    let email = ask.email();
    let facilities = heard.any("facilities");
    let defect = kind == "Maintenance" || facilities;
    if defect && let Some(room) = room.filter(|_| ask.tools.offers("submit_maintenance_request")) {
        let closed = heard.any(
            "out of service | nobody is to sleep | nobody should sleep | not be let | can not be let \
                | do not let | take it out | block the room | close the room",
        ) || ask.whole.any(
            "nobody is to sleep | take the room out | take it out of service | cannot be let | must not be let \
                | out of service",
        );
        let call = Call::to("submit_maintenance_request")
            .with("room_number", Some(room))
            .with("type", facilities.then_some("Facilities"))
            .with("priority", topics::priority(ask.whole))
            .with("description", Some(description(ask)))
            .with("take_out_of_service", closed.then_some(true));
        return Some(Guess::call(sure, Family::Service, call));
    }
    if !ask.tools.offers("submit_guest_service_request") || ask.heard.asks() && !heard.any("could | can | would") {
        return None;
    }
    if email.is_none() {
        return ask.look_up(sure.min(66), Family::Service);
    }
    let call = Call::to("submit_guest_service_request")
        .with("guest_email", email)
        .with("room_number", ask.room())
        .with("type", Some(kind))
        .with("priority", topics::priority(ask.whole))
        .with("description", Some(description(ask)));
    Some(Guess::call(sure, Family::Service, call))
}

/// In the person's own words.
fn description(ask: &Ask<'_>) -> String {
    ask.heard.tidy().chars().take(2000).collect()
}
