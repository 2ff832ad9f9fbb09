//! Planner: recognizes the intent, fills in the arguments, and checks both against the offered
//! tools.
//!
//! ```text
//! sentence ─► guard.rs ─► two intents? ─► classifier (examples.rs) ─► intent ─► arguments.rs ─► calls, or a question
//! ```

mod arguments;
mod guard;

pub use guard::beyond;

use super::answers;
use super::conversation::Conversation;
use super::examples::Model;
use super::lexicon::{self, Match};
use super::request::ChatRequest;
use super::said::{Call, Said};
use super::sentence::{Kind, Pause, Sentence, one_of};
use super::toolbox::Toolbox;
use super::{features, language, results};

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

/// Lookups that lead on to another call.
const CASES: &str = "search_cases_on_behalf_of_staff";
const GUESTS: &str = "search_guests";

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
    let Said::Calls(text, calls) = said else {
        return said;
    };
    // Only complete calls of offered tools are made; missing arguments are asked for.
    let calls = calls.iter().filter_map(|call| asked.tools.fit(call));
    let (mut whole, partial): (Vec<Call>, Vec<Call>) =
        calls.partition(|call| asked.tools.lacks(call).is_empty());
    whole.dedup();
    whole.truncate(if asked.parallel { whole.len() } else { 1 });
    let missing = partial.first().map(|call| asked.tools.lacks(call));
    match missing.and_then(|names| names.into_iter().next()) {
        _ if !whole.is_empty() => Said::Calls(text, whole),
        Some(missing) => Said::Words(answers::question(&missing)),
        None => Said::Words(answers::text("not offered")),
    }
}

/// Interprets the last message.
pub fn understand(talk: &Conversation, tools: &Toolbox, model: &Model) -> Said {
    if let Some(language) = language::foreign(&talk.said) {
        return guard::in_language(talk, tools, language);
    }
    let plan = |text: &str| {
        let sentence = talk.parse(text);
        let ask = Ask::new(&sentence, talk, tools, model);
        (ask.two().or_else(|| ask.one()), ask.wish().0.to_owned())
    };
    let is_call = |said: &Option<Said>| matches!(said, Some(Said::Calls(_, calls)) if calls.iter().all(|call| tools.is_complete(call)));
    let (mut said, _) = plan(&talk.said);
    if let Some(before) = &talk.before {
        // A question was asked back: the intent may span both messages. The answer comes first,
        // because of two values the first is taken.
        let answer = answers::with_unit(&talk.asked, &talk.parse(&talk.said));
        let ((earlier, wish), (both, same)) = (plan(before), plan(&format!("{answer}. {before}")));
        let done = |call: &Call| talk.done.iter().any(|done| done.tool == call.tool);
        let made = both.iter().flat_map(Said::calls).any(done);
        if (made || talk.failed || !is_call(&earlier)) && is_call(&both) && wish == same {
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
        Self {
            talk,
            tools,
            model,
            sentence,
            whole: sentence,
            matches: lexicon::matches(&sentence.words),
            features: features::of(sentence, talk),
        }
    }

    /// Whether the sentence has one of these concepts.
    fn has(&self, concepts: &[&str]) -> bool {
        let mut found = self.matches.iter();
        found.any(|found| concepts.contains(&found.concept))
    }

    /// Intent of the sentence, and its probability.
    fn wish(&self) -> (&'a str, f32) {
        let classifier = match self.talk.is_guest() {
            true => &self.model.guest,
            false => &self.model.staff,
        };
        classifier.best(&self.features, |_| true)
    }

    /// The single intent of the sentence.
    fn one(&self) -> Option<Said> {
        let (wish, certainty) = self.wish();
        let mut verbs = ["small_talk", "search", "get", "list"].iter();
        let reads = answers::has(wish) || verbs.any(|verb| wish.starts_with(verb));
        // Nothing is changed by a sentence without hotel words, and nobody checked in who did not
        // arrive.
        let says = reads
            || match wish {
                "check_in_guest" => self.has(&["arrive", "=check_in_guest"]),
                _ => !self.matches.is_empty() || self.sentence.entities.len() > 1,
            };
        (says && certainty >= if reads { LEAST_TO_READ } else { LEAST_TO_WRITE })
            .then(|| self.said(wish))
    }

    fn said(&self, wish: &str) -> Said {
        guard::words(self, wish).unwrap_or_else(|| Said::Calls(String::new(), self.calls(wish)))
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
        let call = |number: &str| self.call(tool, action).with(name, Some(number));
        let named = self.sentence.all(kind);
        let mut calls: Vec<Call> = named.map(|entity| call(&entity.text)).collect();
        if calls.is_empty() {
            calls.push(self.call(tool, action));
        }
        calls
    }

    /// Call of a tool, or of the lookup that must come first.
    fn call(&self, tool: &str, action: &str) -> Call {
        let looked_up = |tool: &str| self.talk.done.iter().any(|done| done.tool == tool);
        let known = |name: &str| self.talk.fact(name);
        // A case is closed by what was found of it.
        let room = self.sentence.first(Kind::Room).is_some();
        let closes = room && self.has(&["closing", "=In Progress"]);
        let case = known("case_number").filter(|_| closes && looked_up(CASES));
        if let (CASES, Some(case)) = (tool, case) {
            let call = arguments::fill(self, "manage_cases").only(&["status"]);
            return call.with("case_number", Some(case));
        }
        let mut call = arguments::fill(self, tool);
        if tool == CASES && closes {
            call = call.only(&["room_number"]);
        }
        if !action.is_empty() {
            call = call.only(&["booking_number"]).with("action", Some(action));
        }
        let lacks = |name: &str| !call.arguments.contains_key(name);
        let balance =
            known("folio_balance").is_some() || self.sentence.first(Kind::Money).is_some();
        let instead = match tool {
            // A guest who leaves later only sees the bill.
            "process_guest_checkout" if !balance || self.has(&["not-now"]) => Some("get_folio"),
            "manage_bookings" if lacks("booking_number") => Some("search_bookings"),
            "create_booking" if lacks("room_number") && lacks("room_type") => {
                Some("search_available_rooms")
            }
            "compensate_checkout_failure" if lacks("payment_intent_id") => {
                Some(match known("executions_seen") {
                    Some(_) => "list_compensations",
                    None => "search_executions",
                })
            }
            _ => None,
        };
        if let Some(instead) = instead {
            call = arguments::fill(self, instead);
            if !matches!(instead, "get_folio" | "search_available_rooms") {
                let guest = arguments::guest(self).filter(|_| !self.talk.is_guest());
                let status = (action == "cancel").then_some("Reserved");
                call = call
                    .only(&[])
                    .with("guest_email", guest)
                    .with("status", status);
            }
        }
        // A guest without a known address is searched first.
        let another = instead.is_some()
            && !call.arguments.contains_key("guest_email")
            && self.sentence.first(Kind::Name).is_some();
        let missing = self.tools.lacks(&call);
        let needed = another || missing.iter().any(|name| name == "guest_email");
        let query = arguments::query(self);
        match query.filter(|_| needed && self.tools.offers(GUESTS) && !looked_up(GUESTS)) {
            Some(query) => Call::to(GUESTS).with("query", Some(query)),
            None => call,
        }
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
            let from = place + usize::from(joined);
            let right = self.sentence.part(from, words.len(), today);
            let half = |sentence| Ask {
                whole: self.whole,
                ..Ask::new(sentence, self.talk, self.tools, self.model)
            };
            let found = half(&left).with(&half(&right), joined);
            if let Some((certainty, calls)) = found.filter(|(certainty, _)| *certainty > best.0) {
                best = (certainty, Some(Said::Calls(String::new(), calls)));
            }
        }
        best.1
    }

    /// Calls of both halves, if each is a whole intent of its own.
    fn with(&self, other: &Self, joined: bool) -> Option<(f32, Vec<Call>)> {
        let ((first, sure), (second, certain)) = (self.wish(), other.wish());
        let is_pair = |first: &str, second: &str| {
            let mut pairs = PAIRS.split(',').filter_map(|pair| pair.split_once(' '));
            pairs.any(|pair| first.starts_with(pair.0) && second.starts_with(pair.1))
        };
        // Two requests need two teams, each with certainty.
        let team = |half: &Ask<'_>| half.model.team.best(&half.features, |_| true).1 > LEAST_APART;
        let services = first.starts_with("submit_") && second.starts_with("submit_");
        let certainty = sure.min(certain);
        let says = |half: &Ask<'_>| {
            let entities = half.sentence.entities.iter();
            let named: usize = entities.map(|entity| entity.to - entity.from).sum();
            half.sentence.words.len() > named
        };
        if certainty < if joined { LEAST_OF_TWO } else { LEAST_APART }
            || !(is_pair(first, second) || is_pair(second, first))
            || services && !(joined && team(self) && team(other))
            || !(says(self) && says(other))
        {
            return None;
        }
        let (Said::Calls(_, mut calls), Said::Calls(_, more)) =
            (self.said(first), other.said(second))
        else {
            return None;
        };
        calls.extend(more);
        let same = |call: &Call, other: &Call| {
            let names = [
                "case_number",
                "room_number",
                "booking_number",
                "type",
                "status_filter",
            ];
            let differ = |name: &&str| {
                let (one, other) = (call.arguments.get(*name), other.arguments.get(*name));
                one.zip(other).is_some_and(|(one, other)| one != other)
            };
            call.tool == other.tool && !names.iter().any(differ)
        };
        let repeats = |at: usize| calls[..at].iter().any(|other| same(&calls[at], other));
        let whole = calls.iter().all(|call| self.tools.is_complete(call));
        (whole && !(1..calls.len()).any(repeats)).then_some((certainty, calls))
    }
}
