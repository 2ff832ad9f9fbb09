//! Planner: recognizes the intent, fills in the arguments, and checks both against the offered
//! tools.
//!
//! ```text
//! sentence ─► guard.rs ─► two intents? ─► classifier (examples.rs) ─► intent ─► arguments.rs ─► calls, or a question
//! ```

mod arguments;
mod guard;

use super::answers;
use super::conversation::Conversation;
use super::examples::Model;
use super::lexicon::{self, Match};
use super::request::ChatRequest;
use super::said::{Call, Said};
use super::sentence::{Kind, Pause, Sentence, one_of};
use super::toolbox::Toolbox;
use super::{features, results};

/// Minimum probability of an intent that reads; one that writes needs more.
const LEAST_TO_READ: f32 = 0.2;
const LEAST_TO_WRITE: f32 = 0.4;
/// Minimum probability of each of two intents in one sentence; higher where only a pause separates
/// them.
const LEAST_OF_TWO: f32 = 0.5;
const LEAST_APART: f32 = 0.8;
/// Words that join two intents.
const JOINTS: &str = "and but also plus then only";
/// Intents that go together, by name prefix; other pairs are one intent with its background.
const PAIRS: &str = "get_folio submit_,process_guest_checkout submit_,check_in_guest submit_,check_in_guest post_charge,\
    post_charge get_folio,post_charge post_charge,manage_bookings search_available_rooms,manage_bookings manage_bookings,\
    search_guests search_available_rooms,search_bookings search_cases,search_rooms search_rooms,search_rooms search_cases,\
    set_room_status submit_,set_room_status set_room_status,manage_cases set_room_status,manage_cases manage_cases,\
    manage_cases search_rooms,submit_ submit_";

/// Sentence with its context.
struct Ask<'a> {
    talk: &'a Conversation,
    tools: &'a Toolbox,
    model: &'a Model,
    sentence: &'a Sentence,
    /// Sentence that this one is a part of, or itself.
    whole: &'a Sentence,
    matches: Vec<Match>,
    features: Vec<String>,
}

/// Answer to a request.
pub fn reply(asked: &ChatRequest, model: &Model) -> Said {
    let talk = Conversation::read(&asked.messages);
    let said = match talk.done.is_empty() {
        true => understand(&talk, &asked.tools, model),
        false => results::go_on(&talk, &asked.tools, model),
    };
    let Said::Calls(calls) = said else {
        return said;
    };
    // Only complete calls of offered tools are made; missing arguments are asked for.
    let mut fitting: Vec<Call> = calls
        .iter()
        .filter_map(|call| asked.tools.fit(call))
        .collect();
    let missing = fitting
        .first()
        .and_then(|call| asked.tools.lacks(call).into_iter().next());
    fitting.retain(|call| asked.tools.lacks(call).is_empty());
    fitting.dedup();
    fitting.truncate(if asked.parallel { fitting.len() } else { 1 });
    match missing.filter(|_| fitting.is_empty()) {
        Some(missing) => Said::Words(answers::question(&missing)),
        None if fitting.is_empty() => Said::Words(answers::text("not offered")),
        None => Said::Calls(fitting),
    }
}

/// Interprets the last message.
pub fn understand(talk: &Conversation, tools: &Toolbox, model: &Model) -> Said {
    let plan = |text: &str| {
        let sentence = talk.parse(text);
        let ask = Ask::new(&sentence, talk, tools, model);
        let said = guard::judge(&ask)
            .or_else(|| ask.two())
            .or_else(|| ask.one());
        (said, ask.wish().0.to_owned())
    };
    let is_call = |said: &Option<Said>| matches!(said, Some(Said::Calls(calls)) if calls.iter().all(|call| tools.is_complete(call)));
    let (mut said, _) = plan(&talk.said);
    if let Some(before) = &talk.before {
        // A question was asked back: the intent may span both sentences.
        let ((earlier, wish), (both, same)) =
            (plan(before), plan(&format!("{before}. {}", talk.said)));
        if !is_call(&earlier) && is_call(&both) && wish == same {
            said = both;
        }
    }
    said.unwrap_or_else(|| {
        Said::Words(answers::text("unclear").replace("{abilities}", &answers::abilities(talk)))
    })
}

impl<'a> Ask<'a> {
    fn new(
        sentence: &'a Sentence,
        talk: &'a Conversation,
        tools: &'a Toolbox,
        model: &'a Model,
    ) -> Self {
        let (matches, features) = (
            lexicon::matches(&sentence.words),
            features::of(sentence, talk),
        );
        Self {
            talk,
            tools,
            model,
            sentence,
            whole: sentence,
            matches,
            features,
        }
    }

    /// Whether the sentence has one of these concepts.
    fn has(&self, concepts: &[&str]) -> bool {
        self.matches
            .iter()
            .any(|found| concepts.contains(&found.concept))
    }

    /// Intent of the sentence, and its probability.
    fn wish(&self) -> (&'a str, f32) {
        let classifier = if self.talk.is_guest() {
            &self.model.guest
        } else {
            &self.model.staff
        };
        classifier.best(&self.features, |_| true)
    }

    /// The single intent of the sentence.
    fn one(&self) -> Option<Said> {
        let (wish, certainty) = self.wish();
        let reads = wish == "small_talk"
            || answers::has(wish)
            || ["search", "get", "list"]
                .iter()
                .any(|verb| wish.starts_with(verb));
        // Ignores a sentence without entities and hotel words.
        let says = reads || !self.matches.is_empty() || !self.sentence.entities.is_empty();
        (says && certainty >= if reads { LEAST_TO_READ } else { LEAST_TO_WRITE })
            .then(|| self.said(wish))
    }

    fn said(&self, wish: &str) -> Said {
        guard::words(self, wish).unwrap_or_else(|| Said::Calls(self.calls(wish)))
    }

    /// Calls of an intent: one for each entity it names.
    fn calls(&self, wish: &str) -> Vec<Call> {
        let (tool, action) = wish.split_once(' ').unwrap_or((wish, ""));
        let (kind, name) = match tool {
            "manage_cases" => (Kind::Case, "case_number"),
            "manage_bookings" => (Kind::Booking, "booking_number"),
            "set_room_status" => (Kind::Room, "room_number"),
            _ => return vec![self.call(tool, action)],
        };
        let named = self.sentence.all(kind).map(|entity| entity.text.as_str());
        let calls: Vec<Call> = named
            .map(|number| self.call(tool, action).with(name, Some(number)))
            .collect();
        if calls.is_empty() {
            vec![self.call(tool, action)]
        } else {
            calls
        }
    }

    /// Call of a tool, or of the lookup that must come first.
    fn call(&self, tool: &str, action: &str) -> Call {
        let fill = |tool: &str| arguments::fill(self, tool);
        let mut call = fill(tool);
        if !action.is_empty() {
            call = call.only(&["booking_number"]).with("action", Some(action));
        }
        let lacks = |name: &str| !call.arguments.contains_key(name);
        let balance =
            self.talk.fact("folio_balance").is_some() || self.sentence.first(Kind::Money).is_some();
        let instead = match tool {
            // A guest who leaves later only sees the bill.
            "process_guest_checkout" if !balance || self.has(&["not-now"]) => Some("get_folio"),
            "manage_bookings" if lacks("booking_number") => Some("search_bookings"),
            "create_booking" if lacks("room_number") && lacks("room_type") => {
                Some("search_available_rooms")
            }
            "compensate_checkout_failure"
                if lacks("payment_intent_id") && self.talk.fact("executions_seen").is_some() =>
            {
                Some("list_compensations")
            }
            "compensate_checkout_failure" if lacks("payment_intent_id") => {
                Some("search_executions")
            }
            _ => None,
        };
        if let Some(instead) = instead {
            call = fill(instead);
            if matches!(
                instead,
                "search_bookings" | "search_executions" | "list_compensations"
            ) {
                call = call.only(&[]).with(
                    "guest_email",
                    arguments::guest(self).filter(|_| !self.talk.is_guest()),
                );
            }
        }
        // A guest without a known address is searched first.
        let another = instead.is_some()
            && call.arguments.is_empty()
            && self.sentence.first(Kind::Name).is_some();
        let needed = another
            || self
                .tools
                .lacks(&call)
                .iter()
                .any(|name| name == "guest_email");
        let query = arguments::query(self).filter(|_| needed && self.tools.offers("search_guests"));
        query.map_or(call, |query| {
            Call::to("search_guests").with("query", Some(query))
        })
    }

    /// Two intents, where a joint separates them.
    fn two(&self) -> Option<Said> {
        let (words, today) = (&self.sentence.words, self.talk.today());
        let mut best: (f32, Option<Said>) = (0.0, None);
        for place in 1..words.len().saturating_sub(1) {
            let joined = one_of(&words[place].text, JOINTS);
            if !joined && words[place - 1].pause == Pause::None {
                continue;
            }
            let left = self.sentence.part(0, place, today);
            let right = self
                .sentence
                .part(place + usize::from(joined), words.len(), today);
            if let Some((certainty, calls)) = self.both(&left, &right, joined)
                && certainty > best.0
            {
                best = (certainty, Some(Said::Calls(calls)));
            }
        }
        best.1
    }

    fn both(&self, left: &Sentence, right: &Sentence, joined: bool) -> Option<(f32, Vec<Call>)> {
        let says = |half: &Sentence| {
            half.words.len()
                > half
                    .entities
                    .iter()
                    .map(|entity| entity.to - entity.from)
                    .sum()
        };
        let half = |sentence| Ask {
            whole: self.whole,
            ..Ask::new(sentence, self.talk, self.tools, self.model)
        };
        let (one, other) = (half(left), half(right));
        let ((first, sure), (second, certain)) = (one.wish(), other.wish());
        let is_pair = |first: &str, second: &str| {
            PAIRS
                .split(',')
                .filter_map(|pair| pair.split_once(' '))
                .any(|pair| first.starts_with(pair.0) && second.starts_with(pair.1))
        };
        // Two requests need two teams, each with certainty.
        let team = |half: &Ask<'_>| half.model.team.best(&half.features, |_| true).1 > LEAST_APART;
        let services = first.starts_with("submit_") && second.starts_with("submit_");
        let certainty = sure.min(certain);
        if certainty < if joined { LEAST_OF_TWO } else { LEAST_APART }
            || !(says(left) && says(right))
            || !(is_pair(first, second) || is_pair(second, first))
            || services && !(joined && team(&one) && team(&other))
        {
            return None;
        }
        let (Said::Calls(mut calls), Said::Calls(more)) = (one.said(first), other.said(second))
        else {
            return None;
        };
        calls.extend(more);
        let argument = |call: &Call, name: &str| call.arguments.get(name).cloned();
        // A room that is closed is closed for its defect.
        let closed = |call: &Call| {
            argument(call, "status")
                .is_some_and(|status| status == "Maintenance" || status == "Out of Service")
        };
        let same = |call: &Call, other: &Call| {
            let names = [
                "case_number",
                "room_number",
                "booking_number",
                "type",
                "status_filter",
                "amount",
            ];
            let differ = |name: &&str| {
                argument(call, name)
                    .zip(argument(other, name))
                    .is_some_and(|(one, other)| one != other)
            };
            call.tool == other.tool && !names.iter().any(differ)
        };
        let repeated = (1..calls.len()).any(|place| {
            calls[..place]
                .iter()
                .any(|other| same(&calls[place], other))
        });
        let service = calls.iter().any(|call| call.tool.starts_with("submit_"));
        let whole = calls.iter().all(|call| self.tools.is_complete(call));
        (whole && !repeated && !(service && calls.iter().any(closed))).then_some((certainty, calls))
    }
}
