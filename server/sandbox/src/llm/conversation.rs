//! A conversation as far as it matters now: who is asking, what is known, what was just said, and what came of the
//! calls made since.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde_json::{Map, Value};

use super::transcript::{Asked, Message};

/// A call that was made, and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// Which tool.
    pub tool: String,
    /// With what.
    pub arguments: Map<String, Value>,
    /// What came back.
    pub result: Value,
}

impl Done {
    /// What the tool answered, where it has answered.
    pub fn answer(&self) -> &Value {
        &self.result["answer"]
    }

    /// The data of an answer that is a success.
    pub fn data(&self) -> Option<&Value> {
        (self.answer()["success"] == true).then(|| &self.answer()["data"]).filter(|data| data.is_object())
    }

    /// Whether it waits for the person's own click.
    pub fn proposed(&self) -> bool {
        self.result["proposed"].is_object()
    }
}

/// What is known, by the names that arguments have.
#[derive(Clone, Debug, Default)]
pub struct Facts(BTreeMap<String, String>);

impl Facts {
    /// A fact.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    fn read(&mut self, system: &str) {
        let inside = system.split_once("<facts>").and_then(|(_, rest)| rest.split_once("</facts>"));
        for line in inside.map_or("", |(facts, _)| facts).lines() {
            if let Some((name, value)) = line.split_once(':') {
                self.0.insert(name.trim().to_owned(), value.trim().to_owned());
            }
        }
    }

    fn learn(&mut self, name: &str, value: &Value) {
        match value {
            Value::String(text) if !text.is_empty() => drop(self.0.insert(name.to_owned(), text.clone())),
            Value::Number(number) => drop(self.0.insert(name.to_owned(), number.to_string())),
            _ => {}
        }
    }

    /// What a call and its result teach about the person or the stay that is talked of.
    fn learn_from(&mut self, done: &Done) {
        const OF_STAY: [&str; 5] = ["guest_email", "room_number", "booking_number", "check_in_date", "check_out_date"];
        // What somebody is looking for is not the stay they have.
        const WANTED: [&str; 3] = ["check_in_date", "check_out_date", "room_type"];
        let (names, prefix): (&[&str], &str) = match done.tool.as_str() {
            "search_available_rooms" => (&WANTED, "wanted_"),
            "create_booking" => (&[], ""),
            _ => (&OF_STAY, ""),
        };
        for name in names {
            if let Some(value) = done.arguments.get(*name) {
                self.learn(&format!("{prefix}{name}"), value);
            }
        }
        self.learn("execution_id", &done.answer()["execution_id"]);
        self.learn("execution_id", &done.answer()["pending"]["execution_id"]);
        let Some(data) = done.data() else { return };
        let only = |list: &str| data[list].as_array().filter(|items| items.len() == 1).map(|items| items[0].clone());
        match done.tool.as_str() {
            "get_folio" => {
                self.learn("folio_balance", &data["balance"]);
                self.learn("room_number", &data["room_number"]);
                self.learn("booking_number", &data["booking_number"]);
            }
            "process_guest_checkout" => drop(self.0.remove("folio_balance")),
            "create_booking" => self.learn("booking_number", &data["booking_number"]),
            "manage_bookings" => OF_STAY.iter().for_each(|name| self.learn(name, &data[*name])),
            "search_guests" => {
                if let Some(guest) = only("guests") {
                    self.learn("guest_email", &guest["guest_email"]);
                    self.learn("guest_found", &guest["last_name"]);
                    self.0.remove("folio_balance");
                    let stays = guest["stays"].as_array().filter(|stays| stays.len() == 1);
                    for name in ["room_number", "booking_number", "check_in_date", "check_out_date"] {
                        self.0.remove(name);
                        self.learn(name, stays.map_or(&Value::Null, |stays| &stays[0][name]));
                    }
                }
            }
            // Whatever ran says no payment's id; the record of what was undone does
            "search_executions" => self.learn("executions_seen", &Value::from(1)),
            "list_compensations" => {
                let open =
                    only("compensations").filter(|one| one["status"] != "compensated" && one["status"] != "solved");
                if let Some(one) = open {
                    self.learn("payment_intent_id", &one["payment_intent_id"]);
                }
            }
            "search_bookings" | "search_rooms_on_behalf_of_guest" => {
                if let Some(stay) = only("bookings").or_else(|| only("stays")) {
                    OF_STAY.iter().for_each(|name| self.learn(name, &stay[*name]));
                }
            }
            _ => {}
        }
    }
}

/// The conversation.
#[derive(Clone, Debug)]
pub struct Conversation {
    /// What is known.
    pub facts: Facts,
    /// What the person said last.
    pub said: String,
    /// What they had said before, where they were asked back.
    pub before: Option<String>,
    /// What was called since, and what came of it.
    pub done: Vec<Done>,
}

impl Conversation {
    /// Reads the messages of a request.
    pub fn read(messages: &[Message]) -> Self {
        let mut talk = Self { facts: Facts::default(), said: String::new(), before: None, done: Vec::new() };
        let mut open: Vec<Asked> = Vec::new();
        let mut asked_back = false;
        for message in messages {
            match message {
                Message::System(text) => talk.facts.read(text),
                Message::User(text) => {
                    let before = std::mem::replace(&mut talk.said, text.clone());
                    talk.before = asked_back.then_some(before);
                    talk.done.clear();
                }
                Message::Assistant { text, calls } => {
                    asked_back = text.trim_end().ends_with('?');
                    open.clone_from(calls);
                }
                Message::Tool { id, text } => {
                    if let Some(asked) = open.iter().find(|asked| asked.id == *id) {
                        let result = serde_json::from_str(text).unwrap_or_default();
                        let done = Done { tool: asked.tool.clone(), arguments: asked.arguments.clone(), result };
                        talk.facts.learn_from(&done);
                        talk.done.push(done);
                    }
                }
            }
        }
        talk
    }

    /// The hotel's day; without the fact, a day long past, on which nothing is free.
    pub fn today(&self) -> Date {
        self.facts.get("today").and_then(|day| day.parse().ok()).unwrap_or(Date::constant(2000, 1, 1))
    }

    /// Whether a guest is asking; who is not known is treated as one.
    pub fn is_guest(&self) -> bool {
        self.facts.get("persona") != Some("staff")
    }
}
