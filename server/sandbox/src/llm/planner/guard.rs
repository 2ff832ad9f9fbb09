//! Checks before intent recognition: emergencies, text that isn't an order, other people's privacy,
//! and cases for staff. Also the intents that need only a text answer.

use super::Ask;
use crate::llm::answers;
use crate::llm::lexicon::Match;
use crate::llm::said::{Call, Said};
use crate::llm::sentence::{Kind, Pause, fold, one_of};

/// Tool that hands a conversation to a person, if offered.
const HAND_OVER: &str = "hand_over_to_staff";
/// Concepts that decide the answer, most urgent first, and which of them call a person.
const SETTLED: [&str; 6] = [
    "safety",
    "orders",
    "person",
    "complaint",
    "noise",
    "lost-key",
];
const PRESSING: &str = "safety person complaint noise lost-key money_back";
/// Concepts that an intent depends on: if they are negated, so is the intent.
const DENIABLE: [(&str, &[&str]); 5] = [
    ("manage_bookings cancel", &["cancel"]),
    (
        "process_guest_checkout",
        &["leave", "=process_guest_checkout"],
    ),
    ("check_in_guest", &["arrive", "=check_in_guest"]),
    ("create_booking", &["book"]),
    ("compensate_checkout_failure", &["give-back"]),
];

/// Answer that overrides any intent.
pub fn judge(ask: &Ask<'_>) -> Option<Said> {
    let source = ask.sentence.source.to_lowercase();
    let guest = ask.talk.is_guest();
    let poses = ["system:", "[system]", "<system>", "assistant:", "facts>"]
        .iter()
        .any(|mark| source.contains(mark));
    let settled = SETTLED
        .iter()
        .take(if guest { SETTLED.len() } else { 2 })
        .find(|concept| match **concept {
            "orders" => poses || ask.has(&["orders"]),
            "noise" => ask.has(&["noise"]) && !ask.has(&["fixture"]),
            concept => ask.has(&[concept]),
        });
    let part = !guest && ask.has(&["give-back"]) && (ask.has(&["part"]) || source.contains('%'));
    let occupied = !guest
        && ask.has(&["not-occupied"])
        && ask.sentence.first(Kind::Room).is_some()
        && !ask.sentence.asks();
    let decided = match () {
        () if settled.is_some() => settled.copied(),
        () if guest && is_about_others(ask) => Some("other_guests"),
        () if part => Some("part_refund"),
        () if occupied => Some("occupied"),
        () => None,
    };
    decided.and_then(|wish| words(ask, wish))
}

/// Whether a guest asks about somebody else's stay.
fn is_about_others(ask: &Ask<'_>) -> bool {
    let fact = |name: &str| ask.talk.fact(name).unwrap_or_default();
    let own = fold(&format!(
        "{} {} {}",
        fact("guest_email"),
        fact("name"),
        fact("guest_last_name")
    ));
    let stranger = |name: &str| {
        !fold(name)
            .split([' ', '-'])
            .any(|part| part.len() > 1 && own.contains(part))
    };
    let full = |name: &str, to: usize| name.contains(' ') || ask.sentence.words[to - 1].owner;
    let other_email = ask
        .sentence
        .all(Kind::Email)
        .any(|email| email.text != fact("guest_email"));
    let other_name = ask
        .sentence
        .all(Kind::Name)
        .any(|name| full(&name.text, name.to) && stranger(&name.text));
    let private = ask.has(&[
        "bill",
        "bill-word",
        "booked",
        "my-room",
        "ask-stay",
        "ask-booking",
        "ask-money",
        "who",
        "arrive",
    ]);
    (other_email || other_name) && private && !ask.has(&["arrange"])
}

/// Whether a required concept is negated: `don't cancel`, `not leaving yet`.
fn is_denied(ask: &Ask<'_>, wish: &str) -> bool {
    let words = &ask.sentence.words;
    let denied = |found: &Match| {
        let near = words[..found.from]
            .iter()
            .rev()
            .take(4)
            .take_while(|word| word.pause == Pause::None);
        near.take_while(|word| !one_of(&word.text, "but and so why"))
            .any(|word| one_of(&word.text, "not never without"))
    };
    let rests = DENIABLE
        .iter()
        .find(|(name, _)| *name == wish)
        .map_or(&[][..], |(_, concepts)| concepts);
    let mut found = ask
        .matches
        .iter()
        .filter(|found| rests.contains(&found.concept))
        .peekable();
    found.peek().is_some() && found.all(denied)
}

/// Text for an intent without a tool; calls a person if that is offered and the intent needs it.
pub fn words(ask: &Ask<'_>, wish: &str) -> Option<Said> {
    let text = |name: &str| Some(Said::Words(answers::text(name)));
    if one_of(wish, PRESSING) && ask.tools.offers(HAND_OVER) {
        let reason = format!("{}: {}", wish.replace(['_', '-'], " "), ask.sentence.tidy());
        return Some(Said::Calls(vec![Call::to(HAND_OVER).with(
            "reason",
            Some(reason.chars().take(500).collect::<String>()),
        )]));
    }
    if wish == "small_talk" {
        let kind = ["thanks", "bye", "abilities", "hello"]
            .into_iter()
            .find(|kind| ask.has(&[kind]))
            .unwrap_or("chat");
        let name = ask
            .talk
            .fact("name")
            .and_then(|name| name.split(' ').next())
            .map(|name| format!(" {name}"));
        let said = answers::text(kind).replace("{name}", &name.unwrap_or_default());
        return Some(Said::Words(
            said.replace("{abilities}", &answers::abilities(ask.talk)),
        ));
    }
    let tool = wish.split(' ').next().unwrap_or(wish);
    let of_staff = format!("{wish} staff");
    let id = ask
        .sentence
        .text(Kind::Execution)
        .or(ask.talk.fact("execution_id"));
    let amount = ask
        .sentence
        .first(Kind::Money)
        .or(ask.sentence.first(Kind::Charge));
    match () {
        () if !ask.talk.is_guest() && answers::has(&of_staff) => text(&of_staff),
        () if answers::has(wish) => text(wish),
        () if !ask.tools.offers(tool) => text("not offered"),
        () if is_denied(ask, wish) => text("denied"),
        () if tool == "post_charge" && ask.has(&["not-now"]) => text("later"),
        () if tool == "get_execution" && id.is_none() => {
            Some(Said::Words(answers::question("execution_id")))
        }
        () if tool == "post_charge" && amount.is_none() => {
            Some(Said::Words(answers::question("amount")))
        }
        () => None,
    }
}
