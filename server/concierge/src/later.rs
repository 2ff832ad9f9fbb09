//! Distinguishes "later" from "now": an immediate action is proposed only to a person who didn't
//! ask for a later time.

use dewy_domain::{
    answer::{Problem, ToolError},
    tool::Tool,
};

/// Words that mean "later", matched as whole words, in English and Spanish.
const LATER: [&str; 36] = [
    "later",
    "tomorrow",
    "tonight",
    "not now",
    "not yet",
    "not today",
    "in the morning",
    "in the afternoon",
    "in the evening",
    "this afternoon",
    "this evening",
    "next week",
    "next month",
    "after breakfast",
    "after lunch",
    "after dinner",
    "another day",
    "some other time",
    "when i leave",
    "before i leave",
    "in an hour",
    "in a few hours",
    "in a while",
    "in a bit",
    "how do i",
    "how does",
    "what time",
    "when is",
    "when do i",
    "mañana",
    "más tarde",
    "mas tarde",
    "luego",
    "ahora no",
    "todavía no",
    "esta noche",
];
/// Words that mean "now" despite them.
const NOW: [&str; 6] = [
    "right now",
    "now please",
    "straight away",
    "immediately",
    "ahora mismo",
    "instead of tomorrow",
];
/// Prepositions that turn a following clock time into "later".
const AT: [&str; 5] = ["at", "by", "around", "until", "till"];

/// Reason why a tool that acts at once must not be proposed after this message.
pub(crate) fn put_off(tool: &Tool, said: &str) -> Option<ToolError> {
    if !matches!(tool.name, "process_guest_checkout" | "check_in_guest") || !later(said) {
        return None;
    }
    let message = "The person asked about another time than now, and this happens at once. Nothing was proposed. Say when it is \
                   possible and that they can ask for it then; propose it only once they want it now.";
    Some(ToolError::problems(&[Problem {
        field: String::new(),
        message: message.to_owned(),
    }]))
}

fn later(said: &str) -> bool {
    let said = said.to_lowercase();
    let words: Vec<&str> = said
        .split(|c: char| !c.is_alphanumeric() && c != ':')
        .filter(|word| !word.is_empty())
        .collect();
    let has = |phrase: &&str| {
        let wanted: Vec<&str> = phrase.split(' ').collect();
        words.windows(wanted.len()).any(|there| there == wanted)
    };
    let clock = words
        .windows(2)
        .any(|pair| matches!(pair, [at, time] if AT.contains(at) && is_time(time)));
    !NOW.iter().any(has) && (LATER.iter().any(has) || clock)
}

/// `11`, `11:00`, `11am`, `noon`.
fn is_time(word: &str) -> bool {
    let digits = word.trim_end_matches("am").trim_end_matches("pm");
    let (hour, minutes) = digits.split_once(':').unwrap_or((digits, "0"));
    let short =
        |part: &str, most: u32| part.len() <= 2 && part.parse::<u32>().is_ok_and(|n| n <= most);
    word == "noon" || word == "midnight" || (short(hour, 24) && short(minutes, 59))
}

#[cfg(test)]
mod tests {
    use dewy_domain::{
        caller::{Caller, Interface},
        catalog,
    };

    use super::*;

    #[test]
    fn later_is_never_now() {
        for said in [
            "I'd like to check out later",
            "Can I check out tomorrow morning?",
            "not now, but I want to check out",
            "Check me out at 11",
            "check out by 11:30 please",
            "What time is check-out?",
            "Quiero salir más tarde",
            "I will check out after breakfast.",
        ] {
            assert!(later(said), "{said}");
        }
        for said in [
            "I'd like to check out",
            "Check me out right now, I leave for the airport later",
            "I want to check out of room 302",
            "I am at 302 and want to leave",
            "Check out please",
        ] {
            assert!(!later(said), "{said}");
        }
        let guest = Caller::guest("beth.gibbs@email.com", Interface::Chat);
        let tool = |name: &str| catalog::find(&guest, name).unwrap();
        assert!(put_off(tool("process_guest_checkout"), "later").is_some());
        assert!(
            put_off(tool("create_booking"), "for tomorrow").is_none(),
            "it has a date of its own"
        );
    }
}
