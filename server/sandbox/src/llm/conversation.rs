//! Relevant state of a conversation: known facts, the last message, and the results of the calls
//! since.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde_json::{Map, Value};

use super::sentence::Sentence;
use super::transcript::{Asked, Message};

/// Facts about a stay, by argument name.
const OF_STAY: [&str; 5] = [
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
    /// Message before a question that was asked back.
    pub before: Option<String>,
    /// Calls since then, with their results.
    pub done: Vec<Done>,
}

impl Conversation {
    /// Reads the messages of a request.
    pub fn read(messages: &[Message]) -> Self {
        let mut talk = Self::default();
        let (mut open, mut asked_back): (Vec<Asked>, bool) = (Vec::new(), false);
        for message in messages {
            match message {
                Message::System(text) => {
                    let facts = text
                        .split_once("<facts>")
                        .and_then(|(_, rest)| rest.split_once("</facts>"));
                    let lines = facts
                        .map_or("", |(facts, _)| facts)
                        .lines()
                        .filter_map(|line| line.split_once(':'));
                    talk.facts
                        .extend(lines.map(|(name, value)| {
                            (name.trim().to_owned(), value.trim().to_owned())
                        }));
                }
                Message::User(text) => {
                    let before = std::mem::replace(&mut talk.said, text.clone());
                    talk.before = asked_back.then_some(before);
                    talk.done.clear();
                    talk.known.clone_from(&talk.facts);
                }
                Message::Assistant { text, calls } => {
                    asked_back = text.trim_end().ends_with('?');
                    open.clone_from(calls);
                }
                Message::Tool { id, text } => {
                    if let Some(asked) = open.iter().find(|asked| asked.id == *id) {
                        let result = serde_json::from_str(text).unwrap_or_default();
                        let done = Done {
                            tool: asked.tool.clone(),
                            arguments: asked.arguments.clone(),
                            result,
                        };
                        talk.learn_from(&done);
                        talk.done.push(done);
                    }
                }
            }
        }
        talk
    }

    /// Sentence with these facts.
    pub fn of(facts: &Value, persona: &Value, says: &str) -> Self {
        let mut talk = Self {
            said: says.to_owned(),
            ..Self::default()
        };
        talk.learn("persona", persona);
        facts
            .as_object()
            .into_iter()
            .flatten()
            .for_each(|(name, value)| talk.learn(name, value));
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
        self.fact("today")
            .and_then(|day| day.parse().ok())
            .unwrap_or(Date::constant(2000, 1, 1))
    }

    /// Whether the caller is a guest; an unknown caller is treated as one.
    pub fn is_guest(&self) -> bool {
        self.fact("persona") != Some("staff")
    }

    fn learn(&mut self, name: &str, value: &Value) {
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        if !text.is_empty() && (value.is_string() || value.is_number()) {
            self.facts.insert(name.to_owned(), text);
        }
    }

    /// Learns facts about the guest or the stay from a call and its result.
    fn learn_from(&mut self, done: &Done) {
        for name in OF_STAY.into_iter().chain(["room_type"]) {
            match done.tool.as_str() {
                // A searched stay is not the current one.
                "search_available_rooms" => self.learn(
                    &format!("wanted_{name}"),
                    done.arguments.get(name).unwrap_or(&Value::Null),
                ),
                tool if tool != "create_booking" && name != "room_type" => {
                    self.learn(name, done.arguments.get(name).unwrap_or(&Value::Null))
                }
                _ => {}
            }
        }
        self.learn("execution_id", &done.answer()["execution_id"]);
        self.learn("execution_id", &done.answer()["pending"]["execution_id"]);
        let Some(data) = done.data() else { return };
        // A list with one item makes that item the topic.
        let lists =
            ["guests", "compensations", "bookings", "stays"].map(|list| data[list].as_array());
        let item = lists
            .into_iter()
            .flatten()
            .next()
            .map_or(Some(data), |list| list.first().filter(|_| list.len() == 1));
        match done.tool.as_str() {
            "process_guest_checkout" => drop(self.facts.remove("folio_balance")),
            "create_booking" => self.learn("booking_number", &data["booking_number"]),
            "search_executions" => self.learn("executions_seen", &Value::from(1)),
            "list_compensations" => {
                let open =
                    item.filter(|one| one["status"] != "compensated" && one["status"] != "solved");
                self.learn(
                    "payment_intent_id",
                    open.map_or(&Value::Null, |one| &one["payment_intent_id"]),
                );
            }
            "search_guests" => {
                let Some(guest) = item else { return };
                OF_STAY
                    .iter()
                    .chain(&["folio_balance"])
                    .for_each(|name| drop(self.facts.remove(*name)));
                self.learn("guest_found", &guest["last_name"]);
                let stay = guest["stays"]
                    .as_array()
                    .filter(|stays| stays.len() == 1)
                    .map(|stays| &stays[0]);
                OF_STAY.iter().for_each(|name| {
                    self.learn(name, stay.map_or(&Value::Null, |stay| &stay[*name]))
                });
                self.learn("guest_email", &guest["guest_email"]);
            }
            _ => {
                OF_STAY.iter().for_each(|name| {
                    self.learn(name, item.map_or(&Value::Null, |item| &item[*name]))
                });
                if done.tool == "get_folio" {
                    self.learn("folio_balance", &data["balance"]);
                }
            }
        }
    }
}
