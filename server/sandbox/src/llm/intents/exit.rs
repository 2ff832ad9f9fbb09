//! The bill, and leaving. Nobody is checked out before the balance was shown: without it the folio comes first.

use crate::llm::said::Call;

use super::{Ask, Family, Guess};

const LEAVES: &str = "check out | check me out | check us out | check him out | check her out | check them out \
    | leaving now | leaving in | leaving today | leaving tonight | we are leaving | i am leaving | is leaving \
    | are leaving | off to the airport | goodbye to room | this is goodbye | settle up | settle that | settle my \
    | settle our | settle the bill | settle his | settle her | pay it | pay my | pay our | pay the | pay his \
    | pay her | pay and | pay now | wants to pay | want to pay | would like to pay | wrap this up | be gone \
    | must be off | key on the counter | keys on the counter | keys on the desk | key on the desk \
    | hand in my key | put it on my | heading home | head home | on my way home | on our way home | hit the road \
    | take it off my card | close out | charge the saved card | charge his card | charge her card \
    | charge the card | charge my card | use the saved card | use my card | pay up | square up | i want to pay \
    | we want to pay | ready to leave | ready to check out | ready to pay | we are off | i am off | drop the key \
    | dropped the key | dropping the key | hand back the key | handed back | returned his key | returned her key \
    | handed in | time to go home | have to go now | must go now | catch a flight | catch my flight \
    | catch our flight | bring the car | finalise | finalize";
const BILL: &str = "owe | owes | owing | bill | balance | folio | invoice | how much will you \
    | how much will it | how much do | how much is it | how much have | how much am i | the damage | my account \
    | our account | his account | her account | their account | cards on file | card on file | my cards \
    | saved card | cards do you have | card do you have | outstanding | my tab | our tab | tab | have we spent \
    | have i spent | spent so far | my charges | charges on | charge on | statement | running total | what is on \
    | been charged for | account | charged to my room | my payment | paid already | did i pay | have i paid \
    | charged to our room | on the room | to pay | amount due | do i need to pay | still to pay | left to pay \
    | on his room | on her room | on our room | on my room | costs so far | spent | itemised | breakdown \
    | come to | comes to | cards saved | saved with | card saved | which cards | which card | cards has \
    | card numbers";
/// What sounds like leaving and is something else.
const NOT_LEAVING: &str = "late check out | check out time | check out failed | check out fail | check out page \
    | check out payment | what time is check out | happened to my check out | when is check out \
    | to my check out | later check out | early check out";

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let leaves = heard.any(LEAVES) && !heard.any(NOT_LEAVING) && !listed(ask);
    let agrees = ask.fact("folio_balance").is_some() && agrees(ask);
    let bill = heard.any(BILL);
    if !(leaves || agrees || bill) {
        return None;
    }
    let balance = ask
        .fact("folio_balance")
        .and_then(|cents| cents.parse::<i64>().ok())
        .or_else(|| ask.whole.slots.cents().filter(|_| !ask.guest()));
    let tool = if (leaves || agrees) && balance.is_some() { "process_guest_checkout" } else { "get_folio" };
    if !ask.tools.offers(tool) {
        return Some(Guess::words(
            62,
            Family::Exit,
            "The bill is the front desk's: they can show it and take the payment.",
        ));
    }
    let sure = if leaves || agrees { 84 } else { 80 };
    if !ask.guest() && ask.email().is_none() {
        return ask.look_up(sure, Family::Exit).or_else(|| {
            Some(Guess::words(55, Family::Exit, "Which guest is it? A name, a room or a booking number is enough."))
        });
    }
    // A room is named where it matters: for those who have several, or by those who work here.
    let call = Call::to(tool)
        .with("guest_email", ask.email())
        .with("amount", balance)
        .with("booking_number", heard.slots.booking())
        .with("room_number", heard.slots.room());
    Some(Guess::call(sure, Family::Exit, call))
}

/// The amount has been seen and is fine.
fn agrees(ask: &Ask<'_>) -> bool {
    let heard = ask.heard;
    let seen = "agreed | agree | happy with it | happy with the | looks right | is right | is fine | is correct \
        | seen the total | seen his total | seen her total | seen the bill | go ahead | yes please \
        | charge my card | take it | that is fine | all good";
    // Saying yes to something else is not saying yes to the bill.
    let money = "total | bill | amount | balance | card | pay | charge | price | agreed | agree | taxi | airport | key";
    heard.any(seen) && heard.any(money) && !heard.asks()
}

/// Check-outs as a list, not as a wish.
fn listed(ask: &Ask<'_>) -> bool {
    ask.heard.any("check outs | completed check out | which check out | list check out | failed check out")
}
