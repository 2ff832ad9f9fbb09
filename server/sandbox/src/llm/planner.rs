//! Planner: recognizes the intent, fills in the arguments, and checks both against the offered
//! tools.
//!
//! ```text
//! sentence ─► two intents? ─► classifier (intent_model.rs) ─► intent ─► arguments.rs ─► calls, or a question
//! ```

mod arguments;

use std::sync::LazyLock;

use minijinja::Value as Term;
use regex::Regex;
use serde_json::Value;

use super::answer_templates::{has, question, say, text};
use super::conversation::Conversation;
use super::hand_over::hand_over;
use super::intent_model::{MODEL, reads};
use super::language_detection::detect_foreign_language;
use super::lexicon::built_in;
use super::model_answer::{Call, ModelAnswer};
use super::sentence::Sentence;
use super::tokenizer::one_of;
use super::{features, result_texts};

/// Minimum probability of an intent that reads; one that writes needs more.
const LEAST_TO_READ: f32 = 0.2;
const LEAST_TO_WRITE: f32 = 0.4;
/// Minimum probability of each of two intents in one sentence.
const LEAST_OF_TWO: f32 = 0.5;
/// Words that join two intents, with the punctuation before them.
const JOINTS: &str = r"(?i)[,.;:]*\s+(?:and|but|also|plus|then|only|&|\+)\s+";
static JOINT: LazyLock<Regex> = LazyLock::new(|| built_in(Regex::new(JOINTS)));
/// The same for an intent that has a call for each room: `101 clean, 102 dirty`.
static JOINT_OR_COMMA: LazyLock<Regex> =
    LazyLock::new(|| built_in(Regex::new(&format!(r"{JOINTS}|[,;]\s+"))));
/// Arguments by which two calls of a tool differ.
const DIFFER: &str = "case_number room_number booking_number type status_filter";
/// Words between the entities of a list.
const LISTING: &str = "and or room rooms case cases booking bookings number";
/// Lookup of a guest whose address is not known.
const GUESTS: &str = "search_guests";
/// Sentence with its intent.
struct Ask<'a> {
    talk: &'a Conversation,
    sentence: Sentence,
    /// What the rules for its arguments may name.
    terms: Term,
    /// Intent, and its probability.
    intent: &'a str,
    certainty: f32,
    /// Whether the whole message names a person.
    whole_name: bool,
}

pub fn reply(asked: &Value) -> ModelAnswer {
    let talk = Conversation::read(asked);
    // An open proposal doesn't block the rest of the request; a decision ends it.
    let mut done = talk.done.iter();
    let settled = done.all(|done| {
        let proposed = done.result["proposed"].is_object();
        (done.data().is_some() || proposed) && done.result["decided_by"].is_null()
    });
    let said = settled.then(|| understand(&talk));
    let said = said.unwrap_or_default();
    // Only complete calls of offered tools are made, each once; missing arguments are asked for.
    let new = said.calls.iter();
    let new = new.filter(|call| !talk.has_called(&call.tool));
    let checked: Vec<_> = new.filter_map(|call| talk.tools.check(call)).collect();
    let missing = checked.iter().find_map(|call| call.clone().err());
    let mut calls: Vec<Call> = checked.into_iter().flatten().collect();
    calls.dedup();
    if asked["parallel_tool_calls"] == false {
        calls.truncate(1);
    }
    let said = match missing {
        _ if !calls.is_empty() => return ModelAnswer { calls, ..said },
        missing if !talk.done.is_empty() => {
            return result_texts::describe(&talk, missing, || left(&talk));
        }
        _ if said.calls.is_empty() => said,
        Some(missing) => ModelAnswer::words(question(&missing)),
        None => ModelAnswer::words(text("not offered")),
    };
    // Nobody is answered the same twice: a person takes over.
    let repeats = said.text == talk.asked && said.text != text("thanks");
    let hands_over = repeats.then(|| hand_over(&talk, "", &talk.said));
    hands_over.flatten().unwrap_or(said)
}

/// Interprets the last message.
fn understand(talk: &Conversation) -> ModelAnswer {
    let guest = talk.persona() == "guest";
    if let Some(language) = detect_foreign_language(&talk.said, guest) {
        // What it knows in their language, and that it does not speak it
        let mut told = Ask::new(&talk.said, None, talk).hotel_information(language);
        if told.len() > talk.said.matches(" y ").count() {
            return ModelAnswer::words(told.join(" "));
        }
        told.push(text(&format!("foreign {language}")));
        let text = told.join(" ");
        let person = hand_over(talk, &text, &format!("{language}: {}", talk.said));
        return person.unwrap_or(ModelAnswer::words(text));
    }
    let plan = |text: &str| {
        let ask = Ask::new(text, None, talk);
        let said = ask.two().or_else(|| ask.answer_to_last_question());
        let said = said.or_else(|| ask.one()).unwrap_or_default();
        (said, ask.intent)
    };
    let (mut said, _) = plan(&talk.said);
    if let Some(before) = &talk.before {
        // A question was asked back: the intent may span both messages. The answer comes first,
        // because of two values the first is taken.
        let (earlier, intent) = plan(before);
        let (both, same) = plan(&format!("{}. {before}", with_unit(talk)));
        let made = both.calls.iter().any(|call| talk.has_called(&call.tool));
        let looks = said.calls.iter().all(|call| reads(&call.tool));
        let adds = looks && both.calls != earlier.calls;
        let instead = made || adds || !talk.tools.can_make(&earlier.calls);
        if instead && talk.tools.can_make(&both.calls) && intent == same {
            said = both;
        }
    }
    if said.calls.is_empty() && said.text.is_empty() {
        said.text = say("unclear", talk);
    }
    said
}

/// Last message, as the answer to a question: a bare number gets the unit that was asked for.
fn with_unit(talk: &Conversation) -> String {
    let mut units = [("nights", "nights"), ("amount", "dollars")].into_iter();
    let unit = units.find_map(|(asked, unit)| talk.asked.contains(asked).then_some(unit));
    match (talk.parse(&talk.said).entities.as_slice(), unit) {
        ([only], Some(unit)) if only.kind == "Number" => format!("{} {unit}", only.number),
        _ => talk.said.clone(),
    }
}

/// Part of the message that none of the calls is about.
fn left(talk: &Conversation) -> Option<String> {
    let ask = Ask::new(&talk.said, None, talk);
    let mut halves = ask.halves().flatten();
    let left = halves.find(|half| {
        let calls = half.said().calls;
        let made = calls.iter().any(|call| talk.has_called(&call.tool));
        half.certainty > LEAST_OF_TWO && !calls.is_empty() && !made
    });
    left.map(|half| half.sentence.source).or_else(|| {
        // One charge has one amount
        let all = &ask.sentence;
        let second = all.all("Money").nth(1)?.from;
        let words: Vec<_> = all.words[second..].iter().map(|w| &*w.raw).collect();
        talk.has_called("post_charge").then(|| words.join(" "))
    })
}

impl<'a> Ask<'a> {
    /// Classifies a text, which may be part of a whole sentence.
    fn new(text: &str, whole: Option<&Sentence>, talk: &'a Conversation) -> Self {
        let sentence = talk.parse(text);
        let classifier = MODEL.classifier(talk.persona());
        let whole = whole.unwrap_or(&sentence);
        let whole_name = whole.first("Name").is_some();
        let terms = arguments::terms(talk, &sentence, whole);
        let is_asked = |intent: &str| has(intent) || arguments::is_asked(&terms, intent);
        let (intent, certainty) = classifier.best(&features::of(&sentence, talk), is_asked);
        Self {
            talk,
            terms,
            sentence,
            intent,
            certainty,
            whole_name,
        }
    }

    /// Text of a rule for an intent that is no argument.
    fn rule(&self, name: &str, intent: &str) -> Option<String> {
        let value = arguments::value(self, intent, name, &Value::Null)?;
        value.as_str().map(str::to_owned)
    }

    /// The single intent of the sentence.
    fn one(&self) -> Option<ModelAnswer> {
        let reads = has(self.intent) || reads(self.intent);
        let least = if reads { LEAST_TO_READ } else { LEAST_TO_WRITE };
        (self.certainty >= least).then(|| self.said())
    }

    /// Answer to the question that ends a message, where it is clearer than the whole and nothing before it asks
    /// for an act: `my husband has the passports, we'll do it later. what room is it?`
    fn answer_to_last_question(&self) -> Option<ModelAnswer> {
        let source = self.sentence.source.trim();
        let question = source.strip_suffix('?')?;
        let (before, question) = question.rsplit_once(['.', '!', '?', '\n'])?;
        let [before, question] =
            [before, question].map(|part| Ask::new(part, Some(&self.sentence), self.talk));
        let least = LEAST_OF_TWO.max(self.certainty);
        let acts = !has(before.intent) && !reads(before.intent) && before.certainty > LEAST_OF_TWO;
        (!acts && reads(question.intent) && question.certainty > least).then(|| question.said())
    }

    fn said(&self) -> ModelAnswer {
        let words = self.text_answer();
        words.unwrap_or_else(|| ModelAnswer::calls(self.calls()))
    }

    /// Text for an intent without a tool; calls a person if that is offered and the intent needs it.
    fn text_answer(&self) -> Option<ModelAnswer> {
        let reason = self.intent.replace(['_', '-'], " ");
        let reason = format!("{reason}: {}", self.sentence.source);
        let presses = self.rule("presses", self.intent);
        let person = presses.and_then(|_| hand_over(self.talk, "", &reason));
        let asks = (self.intent == "information").then(|| self.hotel_information("en"));
        let known = asks.filter(|texts| !texts.is_empty());
        if let Some(said) = person.or(known.map(|texts| ModelAnswer::words(texts.join(" ")))) {
            return Some(said);
        }
        let tool = self.intent.split(' ').next().unwrap_or_default();
        let offered = self.talk.tools.offers(tool);
        let words = self.rule("words", tool);
        let words = words.filter(|_| offered || tool == "small_talk");
        let name = match &words {
            Some(name) => name,
            None if has(self.intent) => self.intent,
            None if offered => return None,
            None => "not offered",
        };
        Some(ModelAnswer::words(say(name, self.talk)))
    }

    /// Answer from the facts about the hotel: breakfast, Wi-Fi, opening hours, directions. The model
    /// knows nothing else about it.
    fn hotel_information(&self, language: &str) -> Vec<String> {
        // Sentences of other languages are not classified: only questions are answered.
        let asks = language == "en" || self.sentence.has(&format!("question {language}"));
        let concepts = self.sentence.concepts.iter().filter(|_| asks);
        let topics = concepts.filter(|found| found.concept.starts_with("information "));
        let texts = topics.map(|topic| say(&format!("{} {language}", topic.concept), self.talk));
        let mut texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
        texts.dedup();
        texts
    }

    /// Calls of the intent: one for each entity that it lists, as in `101, 102 and 103`.
    fn calls(&self) -> Vec<Call> {
        let call = self.call();
        let each = self.rule("each", self.intent).unwrap_or_default();
        let (kind, name) = each.split_once(' ').unwrap_or_default();
        let mut last = None;
        let listed = self.sentence.all(kind).take_while(|entity| {
            let end = last.replace(entity.to).unwrap_or(entity.from);
            let between = self
                .sentence
                .words
                .get(end..entity.from)
                .unwrap_or_default();
            between.iter().all(|word| one_of(&word.text, LISTING))
        });
        let named = listed.map(|entity| entity.text.clone());
        let calls = named.map(|text| call.clone().with(name, Some(text)));
        let mut calls: Vec<Call> = calls.collect();
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
            call = match case.filter(|_| self.talk.has_called(tool)) {
                Some(case) => arguments::fill(self, "manage_cases")
                    .only("status")
                    .with("case_number", Some(case)),
                None => call.only(&only),
            };
        }
        if !action.is_empty() {
            call = call.only("booking_number").with("action", Some(action));
        }
        let instead = self.rule("instead", tool);
        match instead.as_deref() {
            None => {}
            // Lookups of the guest, who is the caller if that is a guest
            Some(first @ ("search_bookings" | "search_executions" | "list_compensations")) => {
                call = Call::to(first).with("guest_email", self.rule("guest", first));
                call = call.with("status", (action == "cancel").then_some("Reserved"));
            }
            Some(first) => call = arguments::fill(self, first),
        }
        // A guest without a known address is searched first.
        let another = instead.is_some() && self.sentence.first("Name").is_some();
        let tools = &self.talk.tools;
        let lacks = matches!(tools.check(&call), Some(Err(name)) if name == "guest_email");
        let unknown = lacks || another && !call.arguments.contains_key("guest_email");
        // A place is needed that only the guest's stay tells
        let place = self.rule("place", tool).filter(|_| self.whole_name);
        let unknown = unknown || place.is_some_and(|field| !call.arguments.contains_key(&field));
        let search = unknown && tools.offers(GUESTS) && !self.talk.has_called(GUESTS);
        match search {
            true => Call::to(GUESTS).with("query", self.rule("query", GUESTS)),
            false => call,
        }
    }

    /// Both sides of each joint.
    fn halves(&self) -> impl Iterator<Item = [Self; 2]> {
        let source = &self.sentence.source;
        let half = |text: &str| {
            let text = text.trim_end_matches([',', '.', ';', ':']);
            Ask::new(text, Some(&self.sentence), self.talk)
        };
        let each = self.rule("each", self.intent).unwrap_or_default();
        // `310, no, 306` is one room
        let rooms = self.sentence.all("Room").count();
        let joints = match each.starts_with("Room ") && rooms > 1 {
            true => JOINT_OR_COMMA.find_iter(source),
            false => JOINT.find_iter(source),
        };
        joints.map(move |joint| [half(&source[..joint.start()]), half(&source[joint.end()..])])
    }

    /// Two intents, where a joint separates them.
    fn two(&self) -> Option<ModelAnswer> {
        let pairs = self.halves().filter_map(|[left, right]| {
            let certainty = left.certainty.min(right.certainty);
            let said = left.with(&right).filter(|_| certainty > LEAST_OF_TWO)?;
            Some((certainty, said))
        });
        let best = pairs.max_by(|one, other| one.0.total_cmp(&other.0));
        best.map(|(_, said)| said)
    }

    /// Calls of both halves, if each is a whole intent of its own; a question about the hotel is
    /// answered beside the other's calls.
    fn with(&self, other: &Self) -> Option<ModelAnswer> {
        let leads = |one: &Self, other: &Self| {
            let pairs = one.rule("pair", one.intent).unwrap_or_default();
            let mut pairs = pairs.split_whitespace();
            pairs.any(|start| other.intent.starts_with(start))
        };
        let pair = leads(self, other) || leads(other, self);
        let halves = [self.said(), other.said()];
        let about = [self, other]
            .into_iter()
            .position(|half| half.intent == "information");
        if let Some(about) = about {
            let (answer, other) = (&halves[about], &halves[1 - about]);
            let whole = !answer.text.is_empty() && other.text.is_empty();
            let (text, calls) = (answer.text.clone(), other.calls.clone());
            let whole = whole && self.talk.tools.can_make(&calls);
            return whole.then_some(ModelAnswer { text, calls });
        }
        let halves = halves.map(|said| said.calls);
        let mut calls = halves.concat();
        // One lookup of the guest serves both
        calls.dedup();
        let mut kept: Vec<Call> = calls.iter().map(|call| call.clone().only(DIFFER)).collect();
        kept.dedup();
        let whole = halves.iter().all(|half| self.talk.tools.can_make(half));
        let made = pair && whole && kept.len() == calls.len();
        made.then(|| ModelAnswer::calls(calls))
    }
}
