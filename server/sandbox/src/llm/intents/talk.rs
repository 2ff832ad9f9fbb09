//! What is answered in words alone: greetings, thanks, and what was not understood.

use crate::llm::conversation::Conversation;

use super::{Ask, Family, Guess};

/// Hears greetings and thanks.
pub fn hear(ask: &Ask<'_>) -> Option<Guess> {
    let heard = ask.heard;
    if heard.any("thank | thanks | thank you | very kind | cheers") {
        return Some(Guess::words(40, Family::Talk, "You are very welcome. Is there anything else I can do?"));
    }
    if heard.any(
        "what can you do | what can you help | help me with | who are you | are you a robot \
        | are you human",
    ) {
        return Some(Guess::words(45, Family::Talk, capabilities(ask.talk)));
    }
    if heard.begins("bye | goodbye | good night") {
        return Some(Guess::words(40, Family::Talk, "Goodbye, and all the best."));
    }
    let greets = "hello | hi | hey | good morning | good evening | good afternoon | good day | morning all \
        | morning";
    if heard.words.len() < 4 && heard.begins("no | nope | nothing | that is all | never mind") {
        return Some(Guess::words(34, Family::Talk, "All right. I'm here whenever you need something."));
    }
    heard.any(greets).then(|| {
        let name = ask.talk.facts.get("name").and_then(|name| name.split(' ').next()).filter(|name| !name.is_empty());
        let hello = name.map_or_else(|| "Hello!".to_owned(), |name| format!("Hello {name}!"));
        Guess::words(35, Family::Talk, format!("{hello} {}", capabilities(ask.talk)))
    })
}

/// What is said when nothing was understood.
pub fn unclear(talk: &Conversation) -> String {
    format!("I'm not sure I understood. {} What would you like?", capabilities(talk))
}

fn capabilities(talk: &Conversation) -> String {
    if talk.is_guest() {
        "I can show your bill, check you in or out, book or change a stay, and pass on whatever you need in your room."
    } else {
        match talk.facts.get("role") {
            Some("housekeeping" | "maintenance") => "I can set rooms' statuses, list rooms and cases, and file or work on cases.",
            _ => "I can find guests and bookings, check in and out, show folios, post charges, and work on rooms and cases.",
        }
    }
    .to_owned()
}
