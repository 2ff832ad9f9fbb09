//! Cases as staff list them.

use crate::llm::said::Call;

use super::{Ask, Family, Guess, topics, work};

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let slots = &heard.slots;
    if !ask.tools.offers("search_cases_on_behalf_of_staff")
        || !slots.named.cases.is_empty()
        || !slots.named.executions.is_empty()
    {
        return None;
    }
    let kind = topics::case_type(heard);
    let noun = heard.any("order") && !heard.any("out of order")
        || heard.any(
            "case | ticket | job | request | repair | complaint | report | to do \
        | on my list | asked for | asked us | waiting for something | defect | issue | problem",
        );
    let asks = heard.asks()
        || heard.begins(
            "show | list | cases | open | closed | all | urgent | room service | my | new | maintenance \
                | housekeeping | concierge | facilities | high | low | medium",
        )
        || heard.any("list | show | see | tell me | give me | like to know | want to see");
    let priority = topics::priority(heard);
    let listed = heard.any("cases | jobs | requests | tickets")
        && (priority.is_some() || kind.is_some() || topics::case_status(heard).is_some());
    let urgent = (heard.asks() || heard.any("tell me | only"))
        && priority.is_some()
        && (kind.is_some() || heard.words.len() < 5);
    let anything = slots.room().is_some()
        && heard.any(
            "what is wrong | what is up with | what is going on in | anything for | anything on | anything in | anything about | anything open | anything wrong \
                | what is wrong with | what is open",
        );
    let asked = heard.any(
        "what has/have _ asked/ordered/requested/reported/wanted/complained/needed | what _ has/have asked/ordered/requested/reported/wanted/complained | what did _ order/request/report/need | has/have _ asked/ordered/requested/reported _ anything | report* anything | complain* | ask* for anything | what did _ ask | what does _ want | what _ have from | what _ has she asked | what _ has he asked | what _ want | what _ ask us | rang down | rang us | called down \
            | phoned down | asked us for | requested | reported to us",
    ) && (ask.fact("guest_email").or(slots.email()).is_some() || slots.room().is_some())
        && (heard.asks() || heard.inquires() || heard.any("like to know | tell me | show me | find out | look"));
    let mine = heard.asks()
        && heard.any(
            "anything new | what is new | come in | came in | on for me | for me today | my list | my tasks | my jobs | my plate | to do next | next job | what next | what is next | where do i start \
            | should i do | should i start | what have i got | what do i have | needs doing | need doing | work for me | waiting for me | assigned to me",
        )
        && heard.slots.floor.is_none();
    let waiting = mine
        || asked
        || heard.asks() && kind.is_some() && heard.any("waiting | open | anything | pending | outstanding");
    // `Facilities ticket for 101: wallpaper peeling` is a ticket to be made.
    let defect = heard.source.contains(':')
        && slots.room().is_some()
        && !heard.asks()
        && super::service::kind(heard, false).is_some_and(|(kind, _)| kind == "Maintenance");
    if defect {
        return None;
    }
    if !(noun && asks || listed || urgent || anything || waiting)
        || work::opens(heard)
        || heard.any(
            "raise a \
        | log a",
        )
    {
        return None;
    }
    let call = Call::to("search_cases_on_behalf_of_staff")
        .with(
            "guest_email",
            slots.email().or_else(|| {
                ask.fact("guest_email")
                    .filter(|_| !slots.names.is_empty() || heard.any("her | him | his | their | she | he | they"))
            }),
        )
        .with("status_filter", status(ask))
        .with("priority_filter", priority)
        .with("case_type_filter", kind)
        .with("room_number", slots.room())
        .with("limit", slots.limit);
    Some(Guess::call(if noun || asked { 80 } else { 76 }, Family::Cases, call))
}

fn status(ask: &Ask<'_>) -> Option<&'static str> {
    let heard = ask.heard;
    match topics::case_status(heard)? {
        // `all open cases` are the open ones.
        "All" if heard.any("open | urgent | waiting | outstanding") => None,
        "All" if heard.any("closed") && !heard.any("open and closed | open or closed") => Some("Closed"),
        "Open" => None,
        status => Some(status),
    }
}
