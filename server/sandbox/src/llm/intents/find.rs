//! Guests to be found, and bookings to be listed, by staff.

use crate::llm::said::Call;

use super::{Ask, Family, Guess, topics};

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    bookings(ask).or_else(|| guests(ask))
}

fn bookings(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let slots = &heard.slots;
    if !ask.tools.offers("search_bookings") || slots.booking().is_some() || heard.any("failed | fail | crashed") {
        return None;
    }
    let status = topics::booking_status(heard);
    let noun = heard.any(
        "cancellation | check ins | check outs | booking | reservation | stay | arrival | arrivals | departure | departures | no show \
            | no shows",
    );
    let asks = heard.asks()
        || heard.words.len() < 6
        || heard.any(
            "everyone | everybody | show | list | like to know | tell me | see | want to know | need to know | give me",
        );
    let coming = heard.any(
        "check in | check ins | arrive | arrives | arriving | arrival | expect | expected | coming | due in | checking in \
            | who is due",
    ) && slots.days.any()
        && asks;
    let leaving = heard.any("leave | leaves | leaving | departs | departing | departure | departures | due out")
        && slots.days.any()
        && asks;
    let booked = heard.any("booked | who had | who stayed | stayed in | had room | who has | who is in | whose | theirs | taken | reserved | who was in")
        && slots.room().is_some()
        && slots.days.any();
    // `What has she booked?` asks for all of it, whatever its status.
    let has_booked = (slots.email().is_some() || !slots.names.is_empty() || heard.any("he | she | they"))
        && heard.any("what/which/anything/everything _ booked/reserved | has/have/did/does _ booked/book/reserved/reserve | when is/does _ coming/arrive/staying/arriving")
        && (heard.asks() || heard.inquires());
    let house = matches!(status, Some("Checked In")) && !heard.any("get her | get him | get them");
    if !(noun || coming || leaving || house || booked || has_booked)
        || slots.email().is_none() && !slots.names.is_empty() && status.is_none()
        || heard.any("@book")
            && slots.email().is_some()
            && slots.days.first.is_some()
            && (slots.room().is_some() || slots.room_type.is_some())
    {
        return None;
    }
    let status = if has_booked && matches!(status, Some("Reserved" | "Checked In")) { None } else { status };
    let status = if leaving && status.is_none_or(|status| status == "Reserved") { Some("Checked In") } else { status };
    let past = matches!(status, Some("No Show" | "Checked Out"));
    let (from, to) = if past { slots.days.behind(ask.talk.today()) } else { slots.days.clone() }.filter();
    let from = from.or(to.filter(|_| leaving));
    let call = Call::to("search_bookings")
        .with(
            "guest_email",
            slots.email().or_else(|| {
                ask.fact("guest_email").filter(|_| !slots.names.is_empty() || heard.any("her | his | their | him"))
            }),
        )
        .with("status", status)
        .with("from_date", from.map(|day| day.to_string()))
        .with("to_date", to.map(|day| day.to_string()))
        .with("room_number", slots.room())
        .with("limit", slots.limit);
    Some(Guess::call(if call.arguments.is_empty() { 58 } else { 75 }, Family::Bookings, call))
}

fn guests(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let slots = &heard.slots;
    if !ask.tools.offers("search_guests") {
        return None;
    }
    let named = slots.names.first().map(String::as_str);
    let asks = heard.asks()
        || heard.begins("find | look | search | guests | who | guest | pull up | bring up | show me | locate | dig out | get me | details | contact | check for | trace")
        || heard.any(
            "do we know | do we have | find | look up | know him | know her | one of ours | who is | name of \
                | called | search for | phone number | email of | contact details | mailing | email address",
        );
    let pronoun = heard.any("her | him | them | she | he | they");
    let named = named.or_else(|| ask.name().filter(|_| pronoun));
    let phone = slots.named.phone.as_deref();
    let query = phone.or(named).or(slots.email()).or(slots.booking()).or(slots.room())?;
    if !asks {
        return None;
    }
    let call = Call::to("search_guests").with("query", Some(query)).with("limit", slots.limit);
    Some(Guess::call(if named.is_some() { 68 } else { 66 }, Family::Find, call))
}
