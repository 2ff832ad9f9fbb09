//! Guard before every proposal that moves money or ends a stay, whatever the model wants: the person's
//! own latest words must wish for it ([`crate::wish`]), and must not rule out a booking, a check-in, or a
//! change of nights or rooms. Otherwise nothing is proposed, and it is not
//! offered either: the model is given the facts that are known, a guest a message that calls the front
//! desk, and questions such as `Do you want to check out?` are taken out of what the model writes. Only
//! staff who report, deny and ask nothing get a question, with a message to press that says the order
//! in so many words.

use dewy_domain::{
    answer_body::AnswerBody,
    caller::{Caller, Persona},
    concierge::{Entry, NumberedEntry, Proposal},
    search_key::search_words,
    tool::Tool,
    tool_answer::ToolError,
    tool_catalog::{CheckInGuest, CreateBooking, ManageBookings, PostCharge, ProcessGuestCheckout},
    tool_input::ToolInput,
    vocabulary::BookingAction,
};
use jiff::civil::Date;
use serde_json::{Value, json};

use crate::{
    proposal_questions::is_bare_yes,
    settings::Settings,
    stay_reference::StayReference,
    wish::{ACTS, Act, Named, is_plain, offers, wishes, without_offers},
};

/// Number of messages that may answer the concierge's questions about one wish.
const MAX_REPLIES: usize = 3;
/// Number of words of such an answer.
const MAX_REPLY_WORDS: usize = 6;

const UNASKED: &str = "The person's own latest words do not ask for this now: they complain, report, refuse, ask after a \
    fact, speak of somebody else, or leave it open. Nothing was proposed. Answer what they said, from `facts` if there are any.";
const NO_OFFER: &str = "Do not offer this, not even as a question.";
const GUEST_NEXT: &str = "What `facts` do not settle, and a complaint, is for the front desk: hand over. Whoever wishes \
    for this in a language other than English or Spanish does it on the page of their stay.";
const MAY_ASK: &str =
    "If they may want this, ask the question in `ask`, and propose it only once they say so.";
/// What a guest may press instead of a proposal.
const CALL_DESK: &str = "I’d like to speak to the front desk";
/// What an input does that must be wished for.
pub(crate) fn act_of(tool: &Tool, input: &Value, today: Date) -> Option<Act> {
    match tool.name {
        ProcessGuestCheckout::NAME => Some(Act::Leave),
        PostCharge::NAME => match PostCharge::read(input).ok()? {
            wanted if wanted.void => Some(Act::Void),
            _ => Some(Act::Charge),
        },
        ManageBookings::NAME => match ManageBookings::read(input).ok()? {
            wanted if wanted.action == BookingAction::Cancel => Some(Act::Cancel),
            wanted if wanted.action == BookingAction::NoShow => Some(Act::NoShow),
            wanted if wanted.check_out_date.is_some_and(|day| day <= today) => Some(Act::Shorten),
            wanted => {
                let dates = wanted.check_in_date.or(wanted.check_out_date).is_some();
                (dates || wanted.room_number.is_some()).then_some(Act::Arrange)
            }
        },
        CreateBooking::NAME | CheckInGuest::NAME => Some(Act::Arrange),
        _ => tool.moves_money.then_some(Act::Repair),
    }
}

/// Whether the person's latest words, or what they answer, wish for the act.
pub(crate) fn is_wished(
    caller: &Caller,
    act: Act,
    tool: &Tool,
    input: &Value,
    entries: &[NumberedEntry],
    proposals: &[Proposal],
) -> bool {
    let named = named(caller, input);
    let again = proposals.iter().any(|proposal| proposal.tool == tool.name);
    let wished = |act, said: &str| wishes(caller.persona, act, said, &named);
    latest_words(
        entries,
        |said| wished(act, said) || again && wished(Act::Again, said),
        |text| offers(act, text),
    )
}

/// Whether the person's latest words are such a wish, or a yes to such an offer, or answer the
/// concierge's question about such a wish.
fn latest_words(
    entries: &[NumberedEntry],
    wished: impl Fn(&str) -> bool,
    offered: impl Fn(&str) -> bool,
) -> bool {
    let mut said = None;
    let mut replies = 0;
    for entry in entries.iter().rev() {
        match (&entry.entry, said) {
            (Entry::Said { text, .. }, None) => {
                if wished(text) {
                    return true;
                }
                replies += 1;
                if replies > MAX_REPLIES {
                    return false;
                }
                said = Some(text.as_str());
            }
            // Nothing was asked between two messages
            (Entry::Said { .. }, Some(_)) => return false,
            (Entry::Answered { text, .. } | Entry::Asked { text, .. }, Some(reply))
                if !text.is_empty() =>
            {
                if is_bare_yes(reply) {
                    return offered(text);
                }
                if !text.trim_end().ends_with('?') || !is_answer(reply) {
                    return false;
                }
                said = None;
            }
            _ => {}
        }
    }
    false
}

/// What the model writes, without offers to move money or to end a stay that the person's own words
/// give no reason for. After a wish for one act, another may be offered.
pub(crate) fn without_unasked_offers(
    text: String,
    persona: Persona,
    entries: &[NumberedEntry],
) -> String {
    let named = Named::default();
    let wished = |said: &str| {
        let mut acts = ACTS.into_iter();
        persona == Persona::Staff && is_plain(said)
            || acts.any(|act| wishes(persona, act, said, &named))
    };
    let offered = |text: &str| ACTS.into_iter().any(|act| offers(act, text));
    if latest_words(entries, wished, offered) {
        return text;
    }
    without_offers(&text).unwrap_or(text)
}

/// Whether a message only answers a question: `302`, `the second one`, `with the Visa`.
fn is_answer(said: &str) -> bool {
    const OWN: [&str; 15] = [
        "i", "we", "you", "he", "she", "they", "me", "my", "nos", "se", "no", "not", "never",
        "nobody", "nunca",
    ];
    let words = search_words(said);
    words.len() <= MAX_REPLY_WORDS
        && !said.contains('?')
        && !words.iter().any(|word| OWN.contains(&word.as_str()))
}

/// Words by which staff name what the input is about.
fn named(caller: &Caller, input: &Value) -> Named {
    if caller.persona == Persona::Guest {
        return Named::default();
    }
    let stay = StayReference::of(input);
    let email = stay.guest_email.as_ref().map(ToString::to_string);
    let email = email.unwrap_or_default();
    let local = email.split('@').next().unwrap_or_default();
    let parts = local
        .split(['.', '-', '_', '\''])
        .filter(|part| part.len() > 2);
    let mut names: Vec<String> = parts.map(str::to_owned).collect();
    names.extend(
        stay.room_number
            .map(|number| number.to_string().to_lowercase()),
    );
    names.extend(
        stay.booking_number
            .map(|number| number.to_string().to_lowercase()),
    );
    let amount = input["amount"].as_i64().filter(|cents| *cents > 0);
    let amounts = amount.map_or_else(Vec::new, |cents| {
        let (whole, part) = (cents / 100, cents % 100);
        let mut written = vec![format!("{whole}.{part:02}"), format!("{whole},{part:02}")];
        if part % 10 == 0 {
            written.push(format!("{whole}.{}", part / 10));
        }
        if part == 0 {
            written.push(whole.to_string());
        }
        written
    });
    Named { names, amounts }
}

/// Error for the model: what to say, and what the person may press.
pub(crate) fn unasked(
    caller: &Caller,
    act: Act,
    input: &Value,
    entries: &[NumberedEntry],
    settings: &Settings,
) -> ToolError {
    let said = entries.iter().rev().find_map(|placed| match &placed.entry {
        Entry::Said { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let (next, ask, say) = match caller.persona {
        Persona::Guest => {
            let next = format!("{NO_OFFER} {GUEST_NEXT}");
            (next, None, Some(CALL_DESK.to_owned()))
        }
        Persona::Staff if said.is_some_and(is_plain) => {
            let (ask, say) = question(act, input, settings);
            (MAY_ASK.to_owned(), Some(ask), Some(say))
        }
        Persona::Staff => (NO_OFFER.to_owned(), None, None),
    };
    let mut error = ToolError::problem("", format!("{UNASKED} {next}"));
    for (name, text) in [("ask", ask), ("say", say)] {
        if let Some(text) = text {
            error.details[name] = json!(text);
        }
    }
    error
}

/// The question for staff, and the order in their words.
fn question(act: Act, input: &Value, settings: &Settings) -> (String, String) {
    let text = |name: &str| input[name].as_str().unwrap_or_default();
    let booking = text("booking_number");
    let whom = match (text("room_number"), booking, text("guest_email")) {
        ("", "", email) => email.to_owned(),
        ("", booking, _) => booking.to_owned(),
        (room, ..) => format!("room {room}"),
    };
    match act {
        Act::Leave | Act::Again => (
            format!("Do you want to check out {whom} now?"),
            format!("Check out {whom}"),
        ),
        Act::Cancel => (
            format!("Do you want to cancel booking {booking}?"),
            format!("Cancel {booking}"),
        ),
        Act::Shorten => (
            format!("Do you want to end booking {booking} earlier?"),
            format!("Change {booking} to leave on {}", text("check_out_date")),
        ),
        Act::Arrange => (
            format!("Do you want to change or begin the stay of {whom}?"),
            format!("Change the stay of {whom}"),
        ),
        Act::NoShow => (
            format!("Do you want to mark booking {booking} as a no-show?"),
            format!("Mark {booking} as a no-show"),
        ),
        Act::Void => (
            format!("Do you want to void charge {}?", text("charge_number")),
            format!("Void charge {}", text("charge_number")),
        ),
        Act::Charge => {
            let amount = PostCharge::read(input)
                .ok()
                .and_then(|charge| charge.amount);
            let sum = settings.money(amount.map_or(0, |cents| cents.0));
            let what = text("description");
            (
                format!("Do you want to post {sum} to {whom}?"),
                format!("Post {sum} to {whom} for {what}"),
            )
        }
        Act::Repair => match (text("payment_intent_id"), text("execution_id")) {
            ("", execution) => (
                format!("Do you want to resolve {execution}?"),
                format!("Resolve {execution}"),
            ),
            (payment, _) => (
                format!("Do you want to undo the payment {payment}?"),
                format!("Undo the payment {payment}"),
            ),
        },
    }
}

/// What the person may press after the latest message, because nothing was proposed.
pub(crate) fn suggestions(entries: &[NumberedEntry]) -> Vec<String> {
    let since = entries.iter().rev();
    let since = since.take_while(|entry| !matches!(entry.entry, Entry::Said { .. }));
    let mut found = Vec::new();
    for entry in since {
        match &entry.entry {
            Entry::Proposed { .. } | Entry::HandedOver { .. } => return Vec::new(),
            Entry::Returned { answer, .. } => {
                let details = AnswerBody::of(answer).details;
                found.extend(details.say.filter(|say| !found.contains(say)));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests;
