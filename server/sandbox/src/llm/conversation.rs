//! Relevant state of a conversation: known facts, the last message, the results of the calls since,
//! and the tools that may be called.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jiff::civil::Date;
use regex::Regex;
use serde_json::Value;

use super::lexicon::built_in;
use super::meant_stay;
use super::request;
use super::sentence::Sentence;
use super::tokenizer::one_of;
use super::toolbox::Toolbox;

/// Facts about a stay, by argument name.
const OF_STAY: &str =
    "guest_email room_number booking_number check_in_date check_out_date room_type";
/// Lists in results.
const LISTS: [&str; 5] = ["guests", "compensations", "bookings", "stays", "cases"];

/// What the model offers in a question.
static OFFER: LazyLock<Regex> =
    LazyLock::new(|| built_in(Regex::new(r"(?:Shall I|Do you want to) ([^,?]+)\?\s*$")));

/// Whether a fact is about a stay.
pub fn is_of_stay(name: &str) -> bool {
    one_of(name, OF_STAY) || name == "folio_balance"
}

#[derive(Clone, Default)]
pub struct Done {
    pub tool: String,
    /// Whether no call was made after its result.
    pub last: bool,
    arguments: Value,
    pub result: Value,
}

impl Done {
    /// Answer of the tool, if there is one.
    pub fn answer(&self) -> &Value {
        &self.result["answer"]
    }

    /// Data of a successful answer.
    pub fn data(&self) -> Option<&Value> {
        let data = Some(&self.answer()["data"]).filter(|data| data.is_object());
        data.filter(|_| self.answer()["success"] == true)
    }
}

#[derive(Clone, Default)]
pub struct Conversation {
    pub facts: BTreeMap<String, String>,
    /// Facts known when the person wrote: search results don't change the intent.
    pub known: BTreeMap<String, String>,
    /// Last message of the person.
    pub said: String,
    /// Messages before the questions that were asked back, the latest first.
    pub before: Option<String>,
    /// The last question.
    pub asked: String,
    /// Calls since then, with their results.
    pub done: Vec<Done>,
    /// Tools that may be called.
    pub tools: Toolbox,
}

impl Conversation {
    /// Reads the messages of a request.
    pub fn read(asked: &Value) -> Self {
        let (mut talk, mut asking) = (Self::default(), &Value::Null);
        if asked["tool_choice"] != "none" {
            talk.tools = Toolbox::read(&asked["tools"]);
        }
        for message in request::messages(asked) {
            let text = request::text(message);
            match message["role"].as_str() {
                Some("user") => talk.add_message(text),
                Some("assistant") => {
                    (talk.asked, asking) = (text, message);
                    talk.done.iter_mut().for_each(|done| done.last = false);
                }
                Some("tool") => {
                    let mut calls = request::calls(asking);
                    let call = calls.find(|call| call["id"] == message["tool_call_id"]);
                    let function = call.map_or(&Value::Null, |call| &call["function"]);
                    let string = |name: &str| function[name].as_str().unwrap_or_default();
                    let done = Done {
                        tool: string("name").to_owned(),
                        last: true,
                        arguments: serde_json::from_str(string("arguments")).unwrap_or_default(),
                        result: serde_json::from_str(&text).unwrap_or_default(),
                    };
                    talk.learn_from(&done);
                    talk.done.push(done);
                }
                _ => {
                    let facts = text.split_once("<facts>").map_or("", |(_, rest)| rest);
                    let facts = facts.split("</facts>").next().unwrap_or_default().lines();
                    for (name, value) in facts.filter_map(|line| line.split_once(':')) {
                        talk.learn(name.trim(), &value.trim().into());
                    }
                }
            }
        }
        talk
    }

    /// Begins with a message, which can't refer to an earlier one.
    pub fn begin(&mut self, text: &str) {
        text.clone_into(&mut self.said);
        self.known.clone_from(&self.facts);
    }

    /// Adds a message: a yes takes up what was offered, a room alone the request that is open.
    pub fn add_message(&mut self, text: String) {
        let sentence = self.parse(&text);
        let agrees = sentence.whole().any(|found| found.concept == "yes");
        let offer = OFFER.captures(&self.asked).filter(|_| agrees);
        let offer = offer.map(|offer| offer[1].to_owned());
        let room = sentence.words.len() < 3 && sentence.first("Room").is_some();
        let waits = self.fact("card") == Some("submit_guest_service_request waits for the person");
        let asked_back = offer.is_none() && self.asked.trim_end().ends_with('?');
        let text = match offer {
            None if room && waits => format!("{}, {text}", self.said),
            offer => offer.unwrap_or(text),
        };
        let last = std::mem::replace(&mut self.said, text);
        let before = self.before.take().map(|before| format!("{last}. {before}"));
        self.before = asked_back.then(|| before.unwrap_or(last));
        self.done.clear();
        meant_stay::choose(&mut self.facts, &sentence, agrees || asked_back);
        self.known.clone_from(&self.facts);
    }

    pub fn fact(&self, name: &str) -> Option<&str> {
        self.facts.get(name).map(String::as_str)
    }

    /// Whether a tool was called since the person wrote.
    pub fn has_called(&self, tool: &str) -> bool {
        self.done.iter().any(|done| done.tool == tool)
    }

    /// Parses a text relative to the current date in the hotel; without the fact, a date long past,
    /// on which nothing is available.
    pub fn parse(&self, text: &str) -> Sentence {
        let today = self.fact("today").and_then(|day| day.parse().ok());
        Sentence::parse(text, today.unwrap_or(Date::constant(2000, 1, 1)))
    }

    /// The caller's persona; an unknown caller is treated as a guest.
    pub fn persona(&self) -> &'static str {
        let staff = self.fact("persona") == Some("staff");
        if staff { "staff" } else { "guest" }
    }

    /// Adds a fact, unless the value is empty.
    pub fn learn(&mut self, name: &str, value: &Value) {
        let text = match value {
            Value::String(text) if !text.is_empty() => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return,
        };
        self.facts.insert(name.to_owned(), text);
    }

    fn learn_all(&mut self, names: &str, values: &Value) {
        let names = names.split(' ');
        names.for_each(|name| self.learn(name, &values[name]));
    }

    /// Learns facts about the guest or the stay from a call and its result.
    fn learn_from(&mut self, done: &Done) {
        let tool = done.tool.as_str();
        for name in OF_STAY.split(' ') {
            // A wanted stay is not the current one.
            let wanted = matches!(tool, "search_available_rooms" | "create_booking");
            let of = if wanted { "wanted_" } else { "" };
            self.learn(&format!("{of}{name}"), &done.arguments[name]);
        }
        self.learn_all("execution_id", done.answer());
        let card = done.result["proposed"]["state"].as_str();
        self.learn("card", &card.map(|state| format!("{tool} {state}")).into());
        self.facts.remove("found_nothing");
        let Some(data) = done.data() else { return };
        // A list with one item makes that item the topic.
        let list = LISTS.iter().find_map(|list| data[*list].as_array());
        let item = match list.map(Vec::as_slice) {
            Some([item]) => item,
            Some([]) => return self.learn("found_nothing", &tool.into()),
            Some(_) => return,
            None => data,
        };
        match tool {
            "process_guest_checkout" => {
                self.facts.remove("folio_balance");
                self.learn("checked_out", &data["room_number"]);
            }
            "search_available_rooms" => {
                let rooms = data["rooms"].as_array().into_iter().flatten();
                let cheapest = rooms.min_by_key(|room| room["total"].as_i64());
                self.learn("cheapest_room", &cheapest.unwrap_or(data)["room_number"]);
                self.learn("first_room", &data["rooms"][0]["room_number"]);
            }
            "create_booking" => self.learn_all("booking_number", data),
            "search_executions" => self.learn("executions_seen", &Value::from(1)),
            "search_guests" => {
                self.facts.retain(|name, _| !is_of_stay(name));
                self.learn("guest_found", &item["last_name"]);
                if let Some([stay]) = item["stays"].as_array().map(Vec::as_slice) {
                    self.learn_all(OF_STAY, stay);
                }
                self.learn_all("guest_email", item);
            }
            _ if item["status"] == "compensated" || item["status"] == "solved" => {}
            _ => {
                self.learn_all(OF_STAY, item);
                self.learn_all("case_number payment_intent_id", item);
                self.learn("folio_balance", &data["balance"]);
            }
        }
    }
}
