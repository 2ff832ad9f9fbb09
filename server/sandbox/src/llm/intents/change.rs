//! Bookings changed or called off.

use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::llm::said::{Call, Said};

use super::{Ask, Family, Guess, wish};

const BOOKED: &str = "@booked";
const CANCEL: &str = "@cancel";
const CHANGE: &str = "@change";
const LONGER: &str = "@lengthen";

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    if !ask.tools.offers("manage_bookings") {
        return None;
    }
    cancelled(ask).or_else(|| no_show(ask)).or_else(|| changed(ask))
}

fn cancelled(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let named = heard.slots.booking().is_some();
    let never = heard.any("@no-come") && (named || ask.fact("booking_number").is_some() || heard.any(BOOKED));
    let dropped = named
        && heard.wants("drop/scrap/bin/kill/delete/axe/annul/release/withdraw*/revoke/void it/that/them/this/booking");
    let wanted = heard.wants(CANCEL) && (named || heard.any(BOOKED) || heard.begins("cancel")) || never || dropped;
    // `Which stays have been cancelled?` is a list.
    let listed = !named && heard.any("list/show/see/all/any _ cancelled | cancelled @booked")
        || heard.asks() && heard.any("cancelled | did i | did we | have i | ever | was | were | policy | fee | fees");
    if !wanted || listed {
        return None;
    }
    on_booking(ask, 88, Call::to("manage_bookings").with("action", Some("cancel")))
}

fn no_show(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let never =
        "no show | never came | never turned up | never showed | did not turn up | did not show | never arrived";
    let told = heard.any(never) && !ask.guest() && !heard.asks() && heard.slots.booking().is_some();
    told.then(|| on_booking(ask, 90, Call::to("manage_bookings").with("action", Some("no_show"))))?
}

fn changed(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let slots = &heard.slots;
    let named = slots.booking().is_some();
    let booked = named || ask.fact("booking_number").is_some();
    let longer = heard.wants(LONGER);
    let other_days =
        heard.any("rather than | instead of | leave on | arrive on | leave earlier | leave a day") && slots.days.any();
    let meant = named
        || (other_days && booked)
        || (heard.any(BOOKED) && heard.any(CHANGE) && (booked || ask.guest()))
        || (longer && !slots.days.taken.iter().any(|_| heard.any("book")));
    if !meant || (heard.asks() && !heard.any(CHANGE) && !longer) {
        return None;
    }
    let mut call = Call::to("manage_bookings");
    let days = &slots.days;
    let out = if longer { later(ask) } else { None };
    let (first, last) = days.stay();
    let ends = heard.any("extend | until | till | leave | leaving | departure | check out on");
    call = match (out, first, last) {
        (Some(out), ..) => call.with("check_out_date", Some(out.to_string())),
        (None, Some(first), None) if ends => call.with("check_out_date", Some(first.to_string())),
        (None, first, last) => call
            .with("check_in_date", first.map(|day| day.to_string()))
            .with("check_out_date", last.map(|day| day.to_string())),
    };
    let room = slots.room().filter(|_| heard.any("room | to | into | in | move | give"));
    let new_email = slots.email().filter(|_| {
        heard.any(
            "name | transfer | over to | onto | new guest | instead | email \
            | address",
        )
    });
    call = call
        .with("room_number", room)
        .with("number_of_guests", slots.people)
        .with("special_requests", wish::of_change(heard))
        .with("new_guest_email", new_email.filter(|_| !ask.guest()));
    let unknown_end = longer && out.is_none() && last.is_none() && days.first.is_none();
    if call.arguments.is_empty() && !longer {
        return (named && heard.any("change | update | modify | move")).then(|| {
            Guess::words(
                60,
                Family::Change,
                "Gladly. What should be different: the days, the room or the number of people?",
            )
        });
    }
    if unknown_end {
        return look_up(ask, 70);
    }
    if heard.any("change | update | updated") && call.arguments.len() == 1 && heard.any("update") {
        call = call.with("action", Some("update"));
    }
    on_booking(ask, if named { 86 } else { 79 }, call)
}

/// The day of departure so many nights later than the one that is known.
fn later(ask: &Ask<'_>) -> Option<Date> {
    let known: Date = ask.fact("check_out_date")?.parse().ok()?;
    known.checked_add(ask.heard.slots.days.nights?.days()).ok()
}

/// The call, for the booking that is named or known; without one, bookings are looked up first.
fn on_booking(ask: &Ask<'_>, sure: u8, call: Call) -> Option<Guess> {
    let bookings = &ask.heard.slots.named.bookings;
    if bookings.len() > 1 && call.arguments.contains_key("action") {
        let meant = |number: &&String| {
            let at = ask.heard.words.iter().position(|word| word.text.eq_ignore_ascii_case(number));
            at.is_none_or(|at| !ask.heard.denied(at))
        };
        let calls = bookings
            .iter()
            .filter(meant)
            .map(|number| call.clone().with("booking_number", Some(number.as_str())))
            .collect();
        return Some(Guess { sure, family: Family::Change, said: Said::Calls(calls) });
    }
    match ask.heard.slots.booking().or_else(|| ask.booking()).or_else(|| ask.fact("booking_number")) {
        Some(number) => Some(Guess::call(sure, Family::Change, call.with("booking_number", Some(number)))),
        None => look_up(ask, sure),
    }
}

fn look_up(ask: &Ask<'_>, sure: u8) -> Option<Guess> {
    if ask.guest() {
        return Some(Guess::call(sure, Family::Change, Call::to("search_bookings")));
    }
    match ask.email() {
        Some(email) => {
            Some(Guess::call(sure, Family::Change, Call::to("search_bookings").with("guest_email", Some(email))))
        }
        None => ask.look_up(sure, Family::Change),
    }
}
