//! What guests ask about themselves: their stays, their bookings, what became of their requests.

use crate::llm::heard::Heard;
use crate::llm::said::Call;

use super::{Ask, Family, Guess, service, topics};

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    requests(ask).or_else(|| bookings(ask)).or_else(|| stays(ask))
}

fn requests(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let named = heard.any(
        "request | asked for | ordered | reported | complained | complaint | my order | our order | my report \
            | maintenance thing | my case | my issue",
    );
    let after = service::asks_after(heard);
    let about = kind_asked_after(heard);
    let lists = heard.asks()
        || heard.begins("show | list | closed | open | my | all | request | requests | orders | every | any")
        || heard.any("see | show");
    let team = heard.any("@ask-request")
        && heard.any("promised | become of | became of | happened to | where is | coming | news | when");
    let asked = (named && (lists || after)) || (after && about.is_some()) || team;
    if !asked || !ask.tools.offers("search_cases_on_behalf_of_guest") {
        return None;
    }
    let status = topics::case_status(heard).filter(|status| matches!(*status, "Closed" | "All"));
    // `Did anybody fix it?` may be of the past; `closed requests` are of it for sure.
    let done = heard.begins("has | have | is | are | did | was | were | had") && !heard.any("closed")
        || heard.any("did anybody | did anyone | did somebody | has anybody | has anyone");
    let status = if done { None } else { status };
    let call = Call::to("search_cases_on_behalf_of_guest")
        .with("status_filter", status)
        .with("case_type_filter", about)
        .with("limit", heard.slots.limit);
    Some(Guess::call(81, Family::Cases, call))
}

/// The type that is named, or that the thing asked after is of.
fn kind_asked_after(heard: &Heard) -> Option<&'static str> {
    let named = topics::case_type(heard).or_else(|| heard.any("@team-maintenance").then_some("Maintenance"));
    named.or_else(|| {
        let kind = service::kind(heard, true).map(|(kind, _)| kind)?;
        // Only what is said outright: a taxi is the concierge's, a broken lamp may have gone anywhere.
        Some(kind)
    })
}

fn bookings(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let noun = heard.any("booking | reservation");
    let shows = heard.asks()
        || heard.any(
            "show | list | see | my bookings | my reservations | upcoming | all my | find | look up | tell me \
                | remind me | details",
        );
    let stays = heard.any("stay | visit | trip | holiday | getaway")
        && heard.any("cancelled | no show | next | upcoming | future | past | previous | coming up | ahead | planned | booked | since");
    let ever = heard.any("did/have/had i/we _ cancel* | have/were any of my _ cancelled | ever cancel* | no show");
    let before = heard.slots.room().is_some()
        && heard.any("had room | been in | stayed in | had it before | ever had | ever stay");
    let next = heard.any("@arrival-question") && !heard.any("until | till | leave | out");
    if !((noun && shows) || ever || stays || next || before || noun && heard.slots.days.any() || heard.any("no show"))
        || !ask.tools.offers("search_bookings")
    {
        return None;
    }
    let status = if before {
        None
    } else if next {
        Some("Reserved")
    } else {
        status(heard)
    };
    let (from, to) = heard.slots.days.filter();
    let call = Call::to("search_bookings")
        .with("status", status)
        .with("from_date", from.map(|day| day.to_string()))
        .with("to_date", to.map(|day| day.to_string()))
        .with("room_number", heard.slots.room())
        .with("limit", heard.slots.limit);
    Some(Guess::call(76, Family::Bookings, call))
}

fn status(heard: &Heard) -> Option<&'static str> {
    let done = heard.any("done with | finished | past | previous | completed | behind me");
    let ahead = heard.any("upcoming | next | coming | future | ahead | still to come");
    if heard.any("ever cancel* | i cancelled | we cancelled | did i _ cancel | did we _ cancel | have i _ cancelled") {
        return Some("Cancelled");
    }
    match topics::booking_status(heard) {
        Some("Cancelled") if !heard.any("cancelled | called off") => None,
        None if done => Some("Checked Out"),
        None if ahead => Some("Reserved"),
        status => status,
    }
}

fn stays(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let mine = heard.any("@my-room");
    let asks = heard.asks()
        || heard.any(
            "show | list | remind me | tell me | every | old | upcoming | all | last | past | forgot | forgotten | see \
                | history",
        );
    // `Could I get another key for my room?` wants a thing.
    let wish = heard.begins("could/can/may i/we get/have/borrow") && !heard.any("overview | list | look");
    if !(mine && asks && !wish && ask.tools.offers("search_rooms_on_behalf_of_guest")) {
        return None;
    }
    let filter = if heard.any(
        "lined up | picked/chosen/selected _ room | room _ picked/chosen/selected | waiting for me/us | set aside | put aside | picked for | chosen for | prepared for | this time | have you got for | reserved for | putting me/us | put me/us | room is mine/ours | ready for me/us | getting \
            | upcoming | next | will i | will we | will be | future | am i going to | are we going to | going to get \
            | coming up | assigned",
    ) {
        Some("upcoming")
    } else if heard.any("ever | all | every | everything") {
        Some("all")
    } else if heard.any(
        "last | past | old | before | previous | had | did i | did we | was i | were we | earlier | history | stayed \
            | historical",
    ) {
        Some("historical")
    } else {
        None
    };
    let call = Call::to("search_rooms_on_behalf_of_guest").with("filter", filter).with("limit", heard.slots.limit);
    Some(Guess::call(77, Family::Bookings, call))
}
