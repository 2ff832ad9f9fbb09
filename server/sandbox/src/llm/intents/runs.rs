//! Executions: what became of a request, which ones there are, and what a person decides about one.

use crate::llm::said::Call;

use super::{Ask, Family, Guess, topics};

/// What is said of something whose end is not known.
const WHAT_BECAME: &str = "@became";

/// Hears it.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    let named = heard.slots.named.executions.first().map(String::as_str);
    let known = named.or_else(|| ask.fact("execution_id"));
    if let Some(id) = known
        && let Some(resolution) = resolution(ask, named.is_some())
    {
        let reason = ask.whole.tidy().replace(id, "it");
        let call = Call::to("resolve_execution")
            .with("execution_id", Some(id))
            .with("resolution", Some(resolution))
            .with("reason", Some(reason.chars().take(500).collect::<String>()));
        return Some(Guess::call(92, Family::Runs, call));
    }
    if let Some(id) = named {
        return Some(Guess::call(90, Family::Runs, Call::to("get_execution").with("execution_id", Some(id))));
    }
    if let Some(id) = known.filter(|_| heard.any(WHAT_BECAME)) {
        return Some(Guess::call(82, Family::Runs, Call::to("get_execution").with("execution_id", Some(id))));
    }
    list(ask)
}

fn resolution(ask: &Ask<'_>, named: bool) -> Option<&'static str> {
    let heard = ask.heard;
    if !ask.tools.offers("resolve_execution") || (heard.asks() && !heard.begins("could you | can you | would you")) {
        return None;
    }
    let by_hand = "by hand | manually | mark | solved | no longer needs | no longer need | settled it | sorted it";
    let again = "retry | try again | try it again | run it again | another go | another try | once more \
        | one more try";
    if heard.any(by_hand) {
        return Some("mark_solved");
    }
    if heard.any(again) {
        return Some("retry_now");
    }
    if !named && !heard.any("it | that one | that execution | this one") {
        return None;
    }
    if heard.any(
        "compensate | undo | reverse | give back | give the money back | roll back | refund | unwind \
            | put everything back | send the money back",
    ) {
        return Some("compensate");
    }
    let on = "finish | go on | go ahead | forward | complete | carry on | push through | see it through";
    (named && heard.any(on)).then_some("finish_forward")
}

fn list(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    if !ask.tools.offers("search_executions") {
        return None;
    }
    let payment = heard.slots.named.payments.first().map(String::as_str);
    let state = topics::state(heard);
    let said = heard.any("execution | was run | were run | been run | ran for | run for | run on | executed | was done for | were done for | has been done for");
    let about = said || heard.any("going on | went on | automation");
    let tool = topics::tool(heard);
    let failed = tool.is_some()
        && heard.any("failed")
        && heard.slots.named.payments.is_empty()
        && (heard.asks() || heard.begins("show | list | failed | find"));
    let listed = match state {
        // Words that other lists use as well need company.
        Some("completed" | "refused" | "waiting" | "compensated" | "running") => {
            said || (heard.asks() && heard.words.len() < 6 && state != Some("completed"))
                || (state == Some("waiting") && heard.any("bank | payment") && heard.asks())
                || (tool.is_some() && heard.slots.room_type.is_none() && !heard.any("guest | stay"))
        }
        Some(_) => !heard.any("compensation | case | refund"),
        None if failed => true,
        None => about || (payment.is_some() && heard.any("which | what | who | find | show | look")),
    };
    if !listed {
        return None;
    }
    let (from, to) =
        if heard.slots.booking().is_some() { (None, None) } else { heard.slots.days.behind(ask.talk.today()).filter() };
    let call = Call::to("search_executions")
        .with("state", state)
        .with("tool", tool.filter(|_| state.is_some() || said || failed))
        .with("guest_email", heard.slots.email())
        .with("booking_number", heard.slots.booking())
        .with("room_number", heard.slots.room().filter(|_| heard.slots.booking().is_none()))
        .with("payment_intent_id", payment)
        .with("from", from.map(|day| day.to_string()))
        .with("to", to.map(|day| day.to_string()))
        .with("limit", heard.slots.limit);
    Some(Guess::call(
        if said {
            89
        } else if state.is_some() {
            82
        } else {
            72
        },
        Family::Runs,
        call,
    ))
}
