//! Relevant state of a conversation: known facts, the last message, and the results of the calls
//! since.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde_json::{Map, Value};

use super::sentence::Sentence;
use super::transcript::{Asked, Message};

/// Facts about a stay, by argument name.
const OF_STAY: [&str; 6] = [
    "room_type",
    "guest_email",
    "room_number",
    "booking_number",
    "check_in_date",
    "check_out_date",
];

/// Call with its result.
#[derive(Clone)]
pub struct Done {
    pub tool: String,
    arguments: Map<String, Value>,
    result: Value,
}

impl Done {
    /// Answer of the tool, if there is one.
    pub fn answer(&self) -> &Value {
        &self.result["answer"]
    }

    /// Data of a successful answer.
    pub fn data(&self) -> Option<&Value> {
        (self.answer()["success"] == true)
            .then(|| &self.answer()["data"])
            .filter(|data| data.is_object())
    }

    /// Whether it waits for the person's click.
    pub fn is_proposed(&self) -> bool {
        self.result["proposed"].is_object()
    }
}

/// Conversation.
#[derive(Clone, Default)]
pub struct Conversation {
    facts: BTreeMap<String, String>,
    /// Facts known when the person wrote: search results don't change the intent.
    known: BTreeMap<String, String>,
    /// Last message of the person.
    pub said: String,
    /// Messages before the questions that were asked back, the latest first.
    pub before: Option<String>,
    /// The last question.
    pub asked: String,
    /// Whether the question followed a failed call.
    pub failed: bool,
    /// Calls since then, with their results.
    pub done: Vec<Done>,
}

impl Conversation {
    /// Reads the messages of a request.
    pub fn read(messages: &[Message]) -> Self {
        let mut talk = Self::default();
        let mut open: Vec<Asked> = Vec::new();
        for message in messages {
            match message {
                Message::System(text) => talk.read_facts(text),
                Message::User(text) => talk.hear(text),
                Message::Assistant { text, calls } => {
                    talk.asked.clone_from(text);
                    open.clone_from(calls);
                }
                Message::Tool { id, text } => {
                    let Some(asked) = open.iter().find(|asked| asked.id == *id) else {
                        continue;
                    };
                    let done = Done {
                        tool: asked.tool.clone(),
                        arguments: asked.arguments.clone(),
                        result: serde_json::from_str(text).unwrap_or_default(),
                    };
                    talk.learn_from(&done);
                    talk.done.push(done);
                }
            }
        }
        talk
    }

    fn read_facts(&mut self, text: &str) {
        let facts = text.split_once("<facts>");
        let facts = facts.and_then(|(_, rest)| rest.split_once("</facts>"));
        let lines = facts.map_or("", |(facts, _)| facts).lines();
        let lines = lines.filter_map(|line| line.split_once(':'));
        self.facts
            .extend(lines.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())));
    }

    fn hear(&mut self, text: &str) {
        let last = std::mem::replace(&mut self.said, text.to_owned());
        let asked_back = self.asked.trim_end().ends_with('?');
        self.before = asked_back.then(|| match &self.before {
            Some(before) => format!("{last}. {before}"),
            None => last,
        });
        self.failed = self
            .done
            .iter()
            .any(|done| done.answer()["success"] == false);
        self.done.clear();
        self.known.clone_from(&self.facts);
    }

    /// Sentence with these facts.
    pub fn of(facts: &Value, persona: &Value, says: &str) -> Self {
        let mut talk = Self::default();
        says.clone_into(&mut talk.said);
        talk.learn("persona", persona);
        for (name, value) in facts.as_object().into_iter().flatten() {
            talk.learn(name, value);
        }
        talk.known.clone_from(&talk.facts);
        talk
    }

    /// Fact with that name.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.facts.get(name).map(String::as_str)
    }

    /// Whether a fact was known when the person wrote.
    pub fn knew(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// Parses a text relative to today.
    pub fn parse(&self, text: &str) -> Sentence {
        Sentence::parse(text, self.today())
    }

    /// Current date in the hotel; without the fact, a date long past, on which nothing is
    /// available.
    pub fn today(&self) -> Date {
        let today = self.fact("today").and_then(|day| day.parse().ok());
        today.unwrap_or(Date::constant(2000, 1, 1))
    }

    /// Whether the caller is a guest; an unknown caller is treated as one.
    pub fn is_guest(&self) -> bool {
        self.fact("persona") != Some("staff")
    }

    fn learn(&mut self, name: &str, value: &Value) {
        let text = match value {
            Value::String(text) if !text.is_empty() => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return,
        };
        self.facts.insert(name.to_owned(), text);
    }

    /// Learns facts about the guest or the stay from a call and its result.
    fn learn_from(&mut self, done: &Done) {
        let tool = done.tool.as_str();
        for name in OF_STAY {
            let value = &done.arguments.get(name).cloned().unwrap_or_default();
            match tool {
                // A wanted stay is not the current one.
                "search_available_rooms" | "create_booking" => {
                    self.learn(&format!("wanted_{name}"), value);
                }
                _ if name == "room_type" => {}
                _ => self.learn(name, value),
            }
        }
        self.learn("execution_id", &done.answer()["execution_id"]);
        self.learn("execution_id", &done.answer()["pending"]["execution_id"]);
        let Some(data) = done.data() else { return };
        // A list with one item makes that item the topic.
        let lists = ["guests", "compensations", "bookings", "stays", "cases"];
        let list = lists.into_iter().find_map(|list| data[list].as_array());
        let none = Value::Null;
        let item = match list.map(Vec::as_slice) {
            None => data,
            Some([only]) => only,
            Some(_) => &none,
        };
        match tool {
            "process_guest_checkout" => drop(self.facts.remove("folio_balance")),
            "create_booking" => self.learn("booking_number", &data["booking_number"]),
            "search_executions" => self.learn("executions_seen", &Value::from(1)),
            "list_compensations"
                if item["status"] != "compensated" && item["status"] != "solved" =>
            {
                self.learn("payment_intent_id", &item["payment_intent_id"]);
            }
            "search_guests" if !item.is_null() => {
                self.facts
                    .retain(|name, _| !OF_STAY.contains(&name.as_str()) && name != "folio_balance");
                self.learn("guest_found", &item["last_name"]);
                if let Some([stay]) = item["stays"].as_array().map(Vec::as_slice) {
                    OF_STAY
                        .iter()
                        .for_each(|name| self.learn(name, &stay[*name]));
                }
                self.learn("guest_email", &item["guest_email"]);
            }
            "list_compensations" | "search_guests" => {}
            _ => {
                for name in OF_STAY.iter().filter(|name| **name != "room_type") {
                    self.learn(name, &item[*name]);
                }
                self.learn("case_number", &item["case_number"]);
                self.learn("folio_balance", &data["balance"]);
            }
        }
    }
}
