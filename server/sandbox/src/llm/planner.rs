//! Planner: recognizes the intent, fills in the arguments, and checks both against the offered
//! tools.
//!
//! ```text
//! sentence ─► two intents? ─► classifier (examples.rs) ─► intent ─► arguments.rs ─► calls, or a question
//! ```

mod arguments;

use serde_json::Value;

use super::answer_templates;
use super::conversation::Conversation;
use super::examples::Model;
use super::model_answer::{Call, ModelAnswer};
use super::request::ChatRequest;
use super::sentence::Sentence;
use super::tokenizer::one_of;
use super::toolbox::Toolbox;
use super::{features, hotel_topics, language, result_texts};

/// Minimum probability of an intent that reads; one that writes needs more.
const LEAST_TO_READ: f32 = 0.2;
const LEAST_TO_WRITE: f32 = 0.4;
/// Minimum probability of each of two intents in one sentence.
const LEAST_OF_TWO: f32 = 0.5;
/// Maximum number of calls for one sentence.
const MAX_CALLS: usize = 6;
/// Words that join two intents.
const JOINTS: &str = "and but also plus then only";
/// Arguments by which two calls of a tool differ.
const DIFFER: &str = "case_number room_number booking_number type status_filter";
/// Lookup of a guest whose address is not known.
const GUESTS: &str = "search_guests";
/// Tool that hands a conversation to a person, if offered.
const HAND_OVER: &str = "hand_over_to_staff";

/// Sentence with its context.
struct Ask<'a> {
    talk: &'a Conversation,
    tools: &'a Toolbox,
    model: &'a Model,
    sentence: &'a Sentence,
    /// Sentence that this one is a part of, or itself.
    whole: &'a Sentence,
    /// Intent, and its probability.
    intent: &'a str,
    certainty: f32,
}

/// Answer to a request.
pub fn reply(asked: &ChatRequest, model: &Model) -> ModelAnswer {
    let (talk, tools) = (Conversation::read(&asked.messages), &asked.tools);
    // An open proposal doesn't block the rest of the request.
    let mut done = talk.done.iter();
    let settled = done.all(|done| done.data().is_some() || done.is_proposed());
    let goes_on = settled && talk.done.len() < MAX_CALLS;
    let said = goes_on.then(|| understand(&talk, tools, model));
    let mut said = said.unwrap_or_default();
    let is_words = said.calls.is_empty();
    // Only complete calls of offered tools are made, each once; missing arguments are asked for.
    let fitting = said.calls.iter().filter_map(|call| tools.fit(call));
    let fitting = fitting.filter(|call| !talk.has_called(&call.tool));
    let (whole, parts): (Vec<_>, Vec<_>) = fitting.partition(|call| tools.lacks(call).is_none());
    said.calls = whole;
    said.calls.dedup();
    said.calls
        .truncate(if asked.parallel { MAX_CALLS } else { 1 });
    let said = match parts.iter().find_map(|call| tools.lacks(call)) {
        _ if !said.calls.is_empty() => return said,
        missing if !talk.done.is_empty() => return result_texts::describe(&talk, tools, missing),
        _ if is_words => said,
        Some(missing) => ModelAnswer::words(answer_templates::question(&missing)),
        None => ModelAnswer::words(answer_templates::text("not offered")),
    };
    // Nobody is answered the same twice: a person takes over.
    let repeats = said.text == talk.asked && said.text != answer_templates::text("thanks");
    let hands_over = repeats.then(|| hand_over(tools, "", &talk.said));
    hands_over.flatten().unwrap_or(said)
}

/// Interprets the last message.
fn understand(talk: &Conversation, tools: &Toolbox, model: &Model) -> ModelAnswer {
    if let Some(language) = language::foreign(&talk.said) {
        if let Some(text) = hotel_topics::answer(talk, language) {
            return ModelAnswer::words(text);
        }
        // It says in their language that it does not speak it.
        let text = answer_templates::text(&format!("foreign {language}"));
        let reason = format!("{language}: {}", talk.said);
        return hand_over(tools, &text, &reason).unwrap_or(ModelAnswer::words(text));
    }
    let plan = |text: &str| {
        let sentence = talk.parse(text);
        let ask = Ask::new(&sentence, &sentence, talk, tools, model);
        let said = ask.two().or_else(|| ask.one());
        (said.unwrap_or_default(), ask.intent.to_owned())
    };
    let is_call = |said: &ModelAnswer| {
        let complete = said.calls.iter().all(|call| tools.is_complete(call));
        complete && !said.calls.is_empty()
    };
    let (mut said, _) = plan(&talk.said);
    if let Some(before) = &talk.before {
        // A question was asked back: the intent may span both messages. The answer comes first,
        // because of two values the first is taken.
        let answer = answer_templates::with_unit(&talk.asked, &talk.parse(&talk.said));
        let ((earlier, intent), (both, same)) =
            (plan(before), plan(&format!("{answer}. {before}")));
        let made = both.calls.iter().any(|call| talk.has_called(&call.tool));
        let looks = said.calls.iter().all(|call| reads(&call.tool));
        let adds = looks && both.calls != earlier.calls;
        if (made || adds || !is_call(&earlier)) && is_call(&both) && intent == same {
            said = both;
        }
    }
    if said.calls.is_empty() && said.text.is_empty() {
        said.text = answer_templates::say("unclear", talk);
    }
    said
}

/// Whether an intent changes nothing.
fn reads(intent: &str) -> bool {
    let mut verbs = ["small_talk", "search", "get", "list"].iter();
    verbs.any(|verb| intent.starts_with(verb))
}

/// Hands a conversation to a person, if that is offered.
pub fn hand_over(tools: &Toolbox, text: &str, reason: &str) -> Option<ModelAnswer> {
    let reason: String = reason.chars().take(500).collect();
    let call = Call::to(HAND_OVER).with("reason", Some(reason));
    let mut said = ModelAnswer::calls(vec![call]);
    text.clone_into(&mut said.text);
    tools.offers(HAND_OVER).then_some(said)
}

impl<'a> Ask<'a> {
    fn new(
        sentence: &'a Sentence,
        whole: &'a Sentence,
        talk: &'a Conversation,
        tools: &'a Toolbox,
        model: &'a Model,
    ) -> Self {
        let classifier = model.classifier(talk.persona());
        let features = features::of(sentence, talk);
        let (intent, certainty) = classifier.best(&features, |_| true);
        Self {
            talk,
            tools,
            model,
            sentence,
            whole,
            intent,
            certainty,
        }
    }

    /// Whether the sentence has this concept.
    fn has(&self, concept: &str) -> bool {
        let mut concepts = self.sentence.concepts.iter();
        concepts.any(|found| found.concept == concept)
    }

    /// Text of a rule for an intent that is no argument.
    fn rule(&self, name: &str, intent: &str) -> Option<String> {
        let value = arguments::value(self, intent, name, &Value::Null)?;
        value.as_str().map(str::to_owned)
    }

    /// The single intent of the sentence.
    fn one(&self) -> Option<ModelAnswer> {
        let reads = answer_templates::has(self.intent) || reads(self.intent);
        // Nothing is changed by a sentence without hotel words, and nobody checked in who did not
        // arrive.
        let says = match self.intent {
            _ if reads => true,
            "check_in_guest" => self.has("arrive") || self.has("=check_in_guest"),
            _ => !self.sentence.concepts.is_empty() || self.sentence.entities.len() > 1,
        };
        let least = if reads { LEAST_TO_READ } else { LEAST_TO_WRITE };
        (says && self.certainty >= least).then(|| self.said())
    }

    fn said(&self) -> ModelAnswer {
        self.text_answer()
            .unwrap_or_else(|| ModelAnswer::calls(self.calls()))
    }

    /// Text for an intent without a tool; calls a person if that is offered and the intent needs it.
    fn text_answer(&self) -> Option<ModelAnswer> {
        if self.rule("presses", self.intent).is_some() {
            let reason = self.intent.replace(['_', '-'], " ");
            let reason = format!("{reason}: {}", self.sentence.source);
            if let Some(said) = hand_over(self.tools, "", &reason) {
                return Some(said);
            }
        }
        if self.intent == "information"
            && let Some(text) = hotel_topics::answer(self.talk, "en")
        {
            return Some(ModelAnswer::words(text));
        }
        let tool = self.intent.split(' ').next().unwrap_or_default();
        let name = match self.rule("words", tool) {
            Some(name) if tool == "small_talk" || self.tools.offers(tool) => Some(name),
            _ => answer_templates::variant(self.intent, [self.talk.persona()]),
        };
        if name.is_none() && self.tools.offers(tool) {
            return None;
        }
        let name = name.unwrap_or_else(|| "not offered".to_owned());
        Some(ModelAnswer::words(answer_templates::say(&name, self.talk)))
    }

    /// Calls of the intent: one for each entity it names.
    fn calls(&self) -> Vec<Call> {
        let call = self.call();
        let each = self.rule("each", self.intent).unwrap_or_default();
        let (kind, name) = each.split_once(' ').unwrap_or_default();
        let named = self.sentence.all(kind).map(|entity| entity.text.clone());
        let mut calls: Vec<Call> = named
            .map(|text| call.clone().with(name, Some(text)))
            .collect();
        calls.extend(calls.is_empty().then_some(call));
        calls
    }

    /// Call of the intent, or of the lookup that must come first.
    fn call(&self) -> Call {
        let (tool, action) = self.intent.split_once(' ').unwrap_or((self.intent, ""));
        let mut call = arguments::fill(self, tool);
        if let Some(only) = self.rule("only", tool) {
            // A case is closed by what was found of it.
            let case = self.talk.fact("case_number");
            if let Some(case) = case.filter(|_| self.talk.has_called(tool)) {
                let call = arguments::fill(self, "manage_cases").only(&["status"]);
                return call.with("case_number", Some(case));
            }
            call = call.only(&[&only]);
        }
        if !action.is_empty() {
            call = call.only(&["booking_number"]).with("action", Some(action));
        }
        let instead = self.rule("instead", tool);
        if let Some(instead) = &instead {
            call = arguments::fill(self, instead);
            if !matches!(instead.as_str(), "get_folio" | "search_available_rooms") {
                let guest = arguments::guest(self).filter(|_| !self.talk.is_guest());
                call = call.only(&[]).with("guest_email", guest);
                call = call.with("status", (action == "cancel").then_some("Reserved"));
            }
        }
        // A guest without a known address is searched first.
        let another = instead.is_some() && self.sentence.first("Name").is_some();
        let needed = another || self.tools.requires(&call.tool, "guest_email");
        let unknown = needed && !call.arguments.contains_key("guest_email");
        let search = unknown && self.tools.offers(GUESTS) && !self.talk.has_called(GUESTS);
        match self.rule("query", GUESTS).filter(|_| search) {
            Some(query) => Call::to(GUESTS).with("query", Some(query)),
            None => call,
        }
    }

    /// Two intents, where a joint separates them.
    fn two(&self) -> Option<ModelAnswer> {
        let words = &self.sentence.words;
        let split = |place: usize| {
            let part = |from, to| self.talk.parse(self.sentence.part(from, to));
            let (left, right) = (part(0, place), part(place + 1, words.len()));
            let half = |part| Ask::new(part, self.whole, self.talk, self.tools, self.model);
            let (left, right) = (half(&left), half(&right));
            let certainty = left.certainty.min(right.certainty);
            let calls = left.with(&right).filter(|_| certainty > LEAST_OF_TWO)?;
            Some((certainty, calls))
        };
        let places = 1..words.len().saturating_sub(1);
        let joints = places.filter(|place| one_of(&words[*place].text, JOINTS));
        let best = joints.filter_map(split);
        let best = best.max_by(|one, other| one.0.total_cmp(&other.0));
        best.map(|(_, calls)| ModelAnswer::calls(calls))
    }

    /// Calls of both halves, if each is a whole intent of its own.
    fn with(&self, other: &Self) -> Option<Vec<Call>> {
        let leads = |one: &Self, other: &Self| {
            let pairs = one.rule("pair", one.intent).unwrap_or_default();
            let mut pairs = pairs.split_whitespace();
            pairs.any(|start| other.intent.starts_with(start))
        };
        if !leads(self, other) && !leads(other, self) {
            return None;
        }
        let (mut calls, more) = (self.said().calls, other.said().calls);
        if calls.is_empty() || more.is_empty() {
            return None;
        }
        calls.extend(more);
        let differ = |one: &Call, other: &Call, name: &str| {
            let values = (one.arguments.get(name), other.arguments.get(name));
            matches!(values, (Some(one), Some(other)) if one != other)
        };
        let repeats = |(place, call): (usize, &Call)| {
            let same = |other: &Call| !DIFFER.split(' ').any(|name| differ(other, call, name));
            let mut before = calls[..place].iter();
            before.any(|other| other.tool == call.tool && same(other))
        };
        let whole = calls.iter().all(|call| self.tools.is_complete(call));
        (whole && !calls.iter().enumerate().any(repeats)).then_some(calls)
    }
}
