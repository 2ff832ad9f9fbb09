//! The bill, and leaving. Nobody is checked out before the balance was shown: without it the folio comes first.

use crate::llm::said::Call;

use super::{Ask, Family, Guess};

const LEAVES: &str = "@leave";
const BILL: &str = "@bill";
/// What sounds like leaving and is something else.
const NOT_LEAVING: &str = "is check out at | is check out by | check out by | check out until | latest check out | late check out | check out time | check out failed | check out fail | check out page \
    | check out payment | what time is check out | happened to my check out | when is check out \
    | to my check out | later check out | early check out";

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let leaves = heard.wants(LEAVES) && !heard.any(NOT_LEAVING) && !listed(ask);
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
    let seen = "@agree";
    // Saying yes to something else is not saying yes to the bill.
    let money = "@money-word";
    heard.wants(seen) && heard.any(money) && !heard.asks()
}

/// Check-outs as a list, not as a wish.
fn listed(ask: &Ask<'_>) -> bool {
    ask.heard.any("check outs | completed check out | which check out | list check out | failed check out")
}
