//! Training sentences: those of the description test (`domain/tests/data/README.md`), and short
//! ones.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::classifier::Classifier;
use super::conversation::Conversation;
use super::features;

/// Classifiers, trained once.
pub static MODEL: LazyLock<Model> = LazyLock::new(|| Model::train(table().iter().chain(&short())));
/// Label for a list that is not limited to a team.
pub const NO_TEAM: &str = "none";

/// Sentence with what it means; without an intent if it has several.
#[derive(Clone)]
pub struct Example {
    pub talk: Conversation,
    /// A tool with its action, or a text answer.
    pub wish: Option<String>,
    team: Option<String>,
}

/// Sentences of the description test.
pub fn table() -> Vec<Example> {
    let text = include_str!("../../../domain/tests/data/sentences.json");
    let entries: Vec<Value> = serde_json::from_str(text).unwrap_or_default();
    let example = |entry: &Value| {
        let calls = entry["expect"].as_array().map_or(&[][..], Vec::as_slice);
        let call = calls.first().filter(|_| calls.len() == 1);
        let tool = call
            .and_then(|call| call["tool"].as_str())
            .unwrap_or_default();
        let argument = |name: &str| call?["arguments"][name].as_str();
        let action = argument("action").filter(|action| *action != "update");
        let called = action.map_or(tool.to_owned(), |action| format!("{tool} {action}"));
        let wish = entry["wish"].as_str().unwrap_or(&called).to_owned();
        let none = tool.starts_with("search_cases").then_some(NO_TEAM);
        let team = argument("type").or(argument("case_type_filter")).or(none);
        Example {
            talk: Conversation::of(&entry["context"], &entry["persona"], &entry["says"]),
            wish: Some(wish).filter(|wish| !wish.is_empty() && calls.len() < 2),
            team: team.map(str::to_owned),
        }
    };
    entries.iter().map(example).collect()
}

/// Sentences of `examples.txt`: one per line below `[persona intent | fact=value]`.
pub fn short() -> Vec<Example> {
    let mut examples = Vec::new();
    for section in include_str!("examples.txt").split('[') {
        let (head, lines) = section.split_once(']').unwrap_or_default();
        let (head, fact) = head.split_once(" | ").unwrap_or((head, "fact="));
        let (persona, wish) = head.split_once(' ').unwrap_or_default();
        let (name, value) = fact.split_once('=').unwrap_or_default();
        let facts = json!({ "today": "2026-03-10", name: value });
        examples.extend(
            lines
                .lines()
                .filter(|line| !line.is_empty())
                .map(|line| Example {
                    talk: Conversation::of(&facts, &persona.into(), &line.into()),
                    wish: Some(wish.to_owned()),
                    team: Some(value.to_owned()).filter(|_| name == "type"),
                }),
        );
    }
    examples
}

/// Intent classifiers.
pub struct Model {
    guest: Classifier,
    staff: Classifier,
    /// Team responsible for a request or a case.
    pub team: Classifier,
}

impl Model {
    /// Intents of the caller.
    pub fn classifier(&self, talk: &Conversation) -> &Classifier {
        match talk.is_guest() {
            true => &self.guest,
            false => &self.staff,
        }
    }

    /// Trains on examples.
    pub fn train<'a>(examples: impl Iterator<Item = &'a Example>) -> Self {
        let (mut guest, mut staff, mut team) = (Vec::new(), Vec::new(), Vec::new());
        for Example {
            talk,
            wish,
            team: of,
            ..
        } in examples
        {
            let found = features::of(&talk.parse(&talk.said), talk);
            team.extend(of.clone().map(|name| (found.clone(), name)));
            let wishes = if talk.is_guest() {
                &mut guest
            } else {
                &mut staff
            };
            wishes.extend(wish.clone().map(|wish| (found, wish)));
        }
        let [guest, staff, team] =
            [guest, staff, team].map(|examples| Classifier::train(&examples));
        Self { guest, staff, team }
    }
}
