//! Payments of check-outs that failed: giving one back, and the list of those that were.

use crate::llm::said::Call;

use super::{Ask, Family, Guess};

const GIVE_BACK: &str = "@give-back";
const TAKEN: &str = "charged | paid | debited | billed | money gone | money taken";
const NOT_DONE: &str = "check out failed | check out did not | check out never | check out crashed | check out broke | check out froze \
                        | check out was not | not checked out | still checked in | without being checked out";

/// Hears that a payment is to be given back.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    if !ask.tools.offers("compensate_checkout_failure") || !heard.any(GIVE_BACK) {
        return None;
    }
    let named = heard.slots.named.payments.first().map(String::as_str);
    let listing = heard.asks() && heard.any("which | what | how many | how often | any | did we | have we");
    if listing {
        return None;
    }
    let wanted = named.is_some()
        || heard.any("payment | check out | charged | money") && !heard.any("charged to the room")
        || heard.begins("refund | compensate");
    if !wanted {
        return None;
    }
    // Taken, and nothing for it: what was run says more than the bill
    let found = if heard.any(TAKEN) && heard.any(NOT_DONE) { 92 } else { 76 };
    match (named.or_else(|| ask.fact("payment_intent_id")), ask.email()) {
        (Some(payment), Some(email)) => {
            let call = Call::to("compensate_checkout_failure")
                .with("payment_intent_id", Some(payment))
                .with("guest_email", Some(email))
                .with("reason", reason(ask));
            Some(Guess::call(93, Family::Runs, call))
        }
        (Some(payment), None) => {
            let call = Call::to("search_executions").with("payment_intent_id", Some(payment));
            Some(Guess::call(86, Family::Runs, call))
        }
        (None, Some(email)) if ask.fact("executions_seen").is_some() => {
            Some(Guess::call(found, Family::Runs, Call::to("list_compensations").with("guest_email", Some(email))))
        }
        (None, Some(email)) => {
            Some(Guess::call(found, Family::Runs, Call::to("search_executions").with("guest_email", Some(email))))
        }
        (None, None) => ask.look_up(66, Family::Runs),
    }
}

/// What is given as the reason, in so many words.
fn reason(ask: &Ask<'_>) -> Option<String> {
    let text = ask.whole.source.trim().to_owned();
    let lower = text.to_lowercase();
    let after = |mark: &str| lower.find(mark).map(|at| at + mark.len());
    let because = lower.find("because");
    let at = after("reason:")
        .or_else(|| after("reason is"))
        .or_else(|| after("reason"))
        .or(because)
        .or_else(|| after(": "))?;
    let reason = text.get(at..)?.trim_matches(|letter: char| !letter.is_alphanumeric());
    (reason.len() > 2).then(|| reason.chars().take(500).collect())
}

/// Hears that the list is wanted.
pub fn list(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    if !ask.tools.offers("list_compensations") {
        return None;
    }
    let money = heard.any("payment | money | refund | paid back | reimburse* | checkouts | given back");
    let back = heard.any("@went-back");
    let listed = heard.asks()
        || heard.begins("list | show | could you list | can you list | give me | may i see | refunds")
        || heard.slots.limit.is_some()
        || heard.words.len() < 7;
    let named = heard.any("compensation");
    if !(named || (money && back || heard.any("refund")) && listed) || !heard.slots.named.payments.is_empty() {
        return None;
    }
    let (from, to) = heard.slots.days.behind(ask.talk.today()).filter();
    let call = Call::to("list_compensations")
        .with("status", status(ask))
        .with("guest_email", heard.slots.email())
        .with("from", from.map(|day| day.to_string()))
        .with("to", to.map(|day| day.to_string()))
        .with("limit", heard.slots.limit);
    Some(Guess::call(if named { 88 } else { 80 }, Family::Runs, call))
}

fn status(ask: &Ask<'_>) -> Option<&'static str> {
    let heard = ask.heard;
    let attention = "attention | needs a person | need a person | needs somebody | need somebody | stuck \
        | somebody has to | needs someone | need someone";
    if heard.any(attention) {
        return Some("needs_attention");
    }
    if heard.any("solved | by hand | settled | manually") {
        return Some("solved");
    }
    let not_right =
        heard.any("not been put | not put | not yet | not reverted | has not been | reverting | put right yet");
    if heard.any("reverting") || (not_right && heard.any("gone back | refunded | given back | went back")) {
        return Some("refunded_reverting");
    }
    if heard.any(
        "being refunded | refunding | being given back | on its way back | under way | in progress \
            | on their way | still being",
    ) {
        return Some("refunding");
    }
    let done = "fully done | all done | complete | completed | finished | compensated | fully | are done";
    heard.any(done).then_some("compensated")
}
