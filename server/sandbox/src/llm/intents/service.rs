//! Something is wanted, or something is broken: requests of guests, and defects as staff report them.

use crate::llm::heard::Heard;
use crate::llm::said::Call;

use super::{Ask, Family, Guess, topics};

/// What housekeeping brings or does.
const HOUSEKEEPING: &str = "towel | pillow | blanket | duvet | sheet | linen | vacuum | vacuumed | toilet paper \
    | toilet roll | soap | shampoo | bin | trash | rubbish | bed made | make the bed | make up | made up \
    | clean my | clean our | clean the room | room cleaned | cleaned | cleaning | dusty | dirty | mess | spill \
    | spilled | spilt | stain | hairdryer | hair dryer | iron | bathrobe | robe | slippers | hangers | laundry \
    | tissues | toothbrush | toiletries | cot | crib | been sick | turndown | fresh | housekeeping";
/// What is eaten and drunk.
const FOOD: &str = "sandwich | coffee | tea | breakfast | lunch | dinner | supper | champagne | wine | beer \
    | coke | cola | juice | burger | pizza | pasta | salad | soup | steak | eggs | omelette | toast | fruit \
    | cheese | snack | meal | menu | food | drink | ice | bottle | water bottle | cake | ice cream | fries \
    | chips | whisky | cocktail | room service | hungry | pot of | glass of | milk";
/// What the concierge arranges.
const CONCIERGE: &str = "taxi | cab | wake up | wake me | wake us | ticket | theatre | opera | table for \
    | restaurant | tour | museum | boarding pass | luggage | suitcases | suitcase | bags | flowers \
    | airport transfer | transfer | shuttle | babysitter | sitter | hire car | rental car | rent a car \
    | limousine | concierge | print | courier | parcel | massage | florist | birthday | postcard \
    | late check out | concert | reserve a table";
/// What can break.
const FIXTURES: &str = "toilet | sink | tap | shower | bath | bathtub | drain | pipe | aircon \
    | air conditioning | air conditioner | heating | heater | radiator | television | remote | lamp | light \
    | bulb | socket | plug | switch | door | lock | key card | keycard | window | curtain | blind | safe \
    | fridge | minibar | kettle | wifi | internet | phone | telephone | ceiling | wall | carpet | floor tile \
    | tile | lift | elevator | smoke detector | detector | fan | hot water | water | mirror | chair | table \
    | bed | balcony | wardrobe | handrail | hairdryer | boiler";
/// How broken things are spoken of.
const BROKEN: &str = "broken | broke | breaks | not working | not work | does not | will not | would not \
    | can not | do not work | stopped | leak | leaks | leaking | leaky | drip | drips | dripping | blocked \
    | clogged | flicker | flickers | flickering | squeak | squeaks | squeaking | squeaky | stuck | jammed \
    | smell | smells | burning | burnt | burst | cracked | crack | loose | off the wall | come off | came off \
    | fell off | fallen | falling | overflowing | overflows | overflow | flood | flooded | flooding \
    | nothing but | is dead | are dead | gone dead | given up | gave up | out of order | no hot | no water \
    | no power | blowing | isn't | is not | are not | faulty | dead | noise | noisy | rattle | rattles \
    | rattling | shattered | pouring | coming through";
const ALWAYS_BROKEN: &str = "leak | leaking | leaks | dripping | drips | broken | blocked | clogged | flickers \
    | flickering | burst | cracked | smell of burning | squeaks | overflowing | flooding | flooded | mouldy \
    | mould | no hot water | not working | does not work | no electricity | no power | freezing in here \
    | out of order | repaint | does not flush";

/// Asks where something stands: no new request.
const ASKS_AFTER: &str = "status of my | status of our | what became | what happened | what is happening \
    | happened to | any news | still waiting | been forgotten | forgotten | did anybody | did anyone \
    | did somebody | did someone | has anybody | has anyone | has somebody | has someone | where is my \
    | where are my | where is our | where are our | how far | have you found | yet | i asked for | we asked for \
    | i ordered | we ordered | was recorded | i sent | i reported | we reported | is somebody coming \
    | is anybody coming | has my | have my | did my";

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    if ask.guest() && asks_after(heard) {
        return None;
    }
    let (kind, sure) = kind(heard, ask.guest())?;
    if ask.guest() { of_guest(ask, kind, sure) } else { of_staff(ask, kind, sure) }
}

/// Whether something asked for before is asked after.
pub fn asks_after(heard: &Heard) -> bool {
    heard.any(ASKS_AFTER)
}

/// Who is to see to it, and how sure that is.
pub fn kind(heard: &Heard, guest: bool) -> Option<(&'static str, u8)> {
    let fixture = heard.any(FIXTURES);
    let defect = (fixture && heard.any(BROKEN)) || heard.any(ALWAYS_BROKEN);
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
    let sure = if wish { 74 } else { 58 };
    let food = heard.any(FOOD);
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
