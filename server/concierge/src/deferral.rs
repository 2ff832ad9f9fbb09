//! Distinguishes "later" from "now", and an hour from a date: an immediate action is proposed only
//! to a person who didn't put it off, in the common languages of a phone. The words are data (`deferral/words.txt`).

use std::{collections::HashMap, sync::LazyLock};

use dewy_domain::{
    search_key::search_key,
    tool::Tool,
    tool_answer::ToolError,
    tool_catalog::{CheckInGuest, ManageBookings, ProcessGuestCheckout},
};
use serde_json::Value;

use crate::phrase_list::PhraseList;

const WORDS: &str = include_str!("deferral/words.txt");

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| parse(WORDS));

/// Compiles the phrases.
pub(crate) fn warm_up() {
    LazyLock::force(&PHRASES);
}

#[derive(Debug)]
struct Phrases {
    not_now: PhraseList,
    now: PhraseList,
    later: PhraseList,
    before_a_time: PhraseList,
    after_a_number: PhraseList,
    another_hour: PhraseList,
    nights: PhraseList,
}

/// Reason why a tool that acts at once, or changes dates, must not be proposed after this message.
pub(crate) fn deferral_reason(tool: &Tool, input: &Value, said: &str) -> Option<ToolError> {
    let dates = ["check_in_date", "check_out_date"];
    let other_dates = || dates.iter().any(|name| !input[*name].is_null());
    let message = match tool.name {
        ProcessGuestCheckout::NAME | CheckInGuest::NAME if later(said) => OTHER_TIME,
        ManageBookings::NAME if other_dates() && only_another_hour(said) => OTHER_HOUR,
        _ => return None,
    };
    Some(ToolError::problem("", message))
}

const OTHER_TIME: &str = "The person asked about a time other than now, but this takes effect immediately. Nothing was proposed. Say when it is \
                   possible and that they can ask for it then; propose it only once they want it now.";
const OTHER_HOUR: &str = "The person asked for another hour, not for other dates, so the booking does not change. Nothing was proposed. A late \
                            check-out is for the front desk: propose submit_guest_service_request of type Concierge with their words.";

/// Another hour, and no word of another night beside it.
fn only_another_hour(said: &str) -> bool {
    let words = words_of(said);
    PHRASES.another_hour.is_in(&words) && !PHRASES.nights.is_in(&words)
}

fn later(said: &str) -> bool {
    let words = words_of(said);
    if PHRASES.not_now.is_in(&words) {
        return true;
    }
    !PHRASES.now.is_in(&words) && (PHRASES.later.is_in(&words) || names_a_time(&words))
}

/// Time of day, or a number of hours or minutes.
fn names_a_time(words: &[String]) -> bool {
    let introduced = PHRASES.before_a_time.places(words).into_iter();
    let mut introduced = introduced.filter_map(|place| words.get(place.end));
    let counted = PHRASES.after_a_number.places(words).into_iter();
    let mut counted = counted.filter_map(|place| words.get(place.start.checked_sub(1)?));
    words.iter().any(|word| is_marked_time(word))
        || counted.any(|word| number(word, 59))
        || introduced.any(|word| is_time(word))
}

/// `11:30`, `11h`, `11h30`, `11am`, `11pm`: a time regardless of the preceding word.
fn is_marked_time(word: &str) -> bool {
    let (hour, minutes) = match word.split_once([':', 'h']) {
        Some((hour, minutes)) => (hour, minutes),
        None => match word.strip_suffix("am").or_else(|| word.strip_suffix("pm")) {
            Some(hour) => (hour, ""),
            None => return false,
        },
    };
    number(hour, 24) && (minutes.is_empty() || number(minutes, 59))
}

/// `11`, `noon`: a time only after certain words.
fn is_time(word: &str) -> bool {
    number(word, 24)
        || matches!(
            word,
            "noon"
                | "midnight"
                | "midi"
                | "minuit"
                | "mittag"
                | "mezzogiorno"
                | "mediodia"
                | "meio"
        )
}

fn number(part: &str, most: u32) -> bool {
    part.len() <= 2 && part.parse::<u32>().is_ok_and(|n| n <= most)
}

/// Lowercase words without accents; a time of day stays one word.
fn words_of(text: &str) -> Vec<String> {
    search_key(text)
        .split(|c: char| !c.is_alphanumeric() && c != ':')
        .map(|word| word.trim_matches(':'))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

fn parse(text: &str) -> Phrases {
    let mut sections: HashMap<&str, Vec<Vec<String>>> = HashMap::new();
    let mut section = "";
    for line in text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        match line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((name, _)) => section = name,
            None => sections.entry(section).or_default().push(words_of(line)),
        }
    }
    let mut list = |name| PhraseList::new(sections.remove(name).unwrap_or_default());
    Phrases {
        not_now: list("not now"),
        now: list("now"),
        later: list("later"),
        before_a_time: list("before a time"),
        after_a_number: list("after a number"),
        another_hour: list("another hour"),
        nights: list("nights"),
    }
}

#[cfg(test)]
mod tests {
    use dewy_domain::{
        caller::{Caller, Interface},
        tool_catalog,
    };
    use serde_json::json;

    use super::*;

    #[test]
    fn later_is_never_now() {
        for said in [
            "I'd like to check out later",
            "Can I check out late?",
            "Can I check out tomorrow morning?",
            "not now, but I want to check out",
            "Not right now, I will check out myself",
            "Check me out at 11",
            "check out by 11:30 please",
            "check out in 2 hours",
            "What time is check-out?",
            "I will check out after breakfast.",
            "Quiero salir más tarde",
            "Quisiera hacer el check-out a las 12",
            "salir mañana por la mañana",
            "Je voudrais partir plus tard",
            "Je veux quitter la chambre demain",
            "Je pars à 11h30",
            "régler vers midi",
            "Pas maintenant, merci",
            "Ich möchte später auschecken",
            "Checken Sie mich um 11 Uhr aus",
            "Ich reise nach dem Frühstück ab",
            "jetzt noch nicht auschecken",
            "Vorrei fare il check-out più tardi",
            "Parto domani mattina",
            "Vorrei partire alle 11",
            "A che ora devo lasciare la stanza?",
            "Quero sair mais tarde",
            "Faço o check-out amanhã",
            "Saio às 11",
            "Agora não, obrigado",
        ] {
            assert!(later(said), "{said}");
        }
        for said in [
            "I'd like to check out",
            "Check me out right now, I leave for the airport later",
            "I want to check out of room 302",
            "I am at 302 and want to leave",
            "Check out please, 2 of us",
            "Quiero salir ahora mismo",
            "Je voudrais partir",
            "Je pars maintenant, mon train est plus tard",
            "Ich möchte auschecken",
            "Bitte sofort auschecken, nicht erst morgen",
            "Vorrei fare il check-out",
            "Quero fazer o check-out do quarto 302",
        ] {
            assert!(!later(said), "{said}");
        }
        let guest = Caller::guest("beth.gibbs@email.com", Interface::Chat);
        let tool = |name: &str| tool_catalog::find(&guest, name).unwrap();
        let (none, dates) = (json!({}), json!({ "check_out_date": "2026-11-25" }));
        assert!(deferral_reason(tool("process_guest_checkout"), &none, "later").is_some());
        assert!(
            deferral_reason(tool("create_booking"), &dates, "for tomorrow").is_none(),
            "it has a date of its own"
        );
        for said in [
            "Can I leave two hours later tomorrow?",
            "a late check-out, please",
            "¿Puedo salir dos horas más tarde?",
        ] {
            let found = deferral_reason(tool("manage_bookings"), &dates, said);
            assert!(found.is_some(), "{said}");
        }
        for (input, said) in [
            (&dates, "one more night, please"),
            (&dates, "I want to leave a day later"),
            (&dates, "one more night and a late check-out, please"),
            (&none, "Cancel my booking, my flight leaves an hour later"),
        ] {
            let found = deferral_reason(tool("manage_bookings"), input, said);
            assert!(found.is_none(), "{said}");
        }
    }

    #[test]
    fn every_deferral_phrase_is_valid() {
        let lists = [
            &PHRASES.not_now,
            &PHRASES.now,
            &PHRASES.later,
            &PHRASES.before_a_time,
            &PHRASES.after_a_number,
            &PHRASES.another_hour,
            &PHRASES.nights,
        ];
        for list in lists {
            let phrases = list.phrases();
            assert!(phrases.len() > 10 && phrases.iter().all(|phrase| !phrase.is_empty()));
        }
    }
}
