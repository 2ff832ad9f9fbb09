//! Training sentences: those of the description test (`domain/tests/data/README.md`), and short
//! ones.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::classifier::Classifier;
use super::conversation::Conversation;
use super::features;

/// Classifiers, trained once.
pub static MODEL: LazyLock<Model> = LazyLock::new(|| Model::train(table().iter().chain(&short())));
/// Classifier of the team responsible for a request or a case.
pub const TEAM: &str = "team";
/// Label for a list that is not limited to a team.
pub const NO_TEAM: &str = "none";

/// Sentence with what it means; without an intent if it has several.
#[derive(Clone)]
pub struct Example {
    pub talk: Conversation,
    /// A tool with its action, or a text answer.
    pub intent: Option<String>,
    team: Option<String>,
}

impl Example {
    fn read(entry: &Value) -> Self {
        let calls = entry["expect"].as_array().map_or(&[][..], Vec::as_slice);
        let call = calls.first().unwrap_or(&Value::Null);
        let tool = call["tool"].as_str().unwrap_or_default();
        let argument = |name: &str| call["arguments"][name].as_str();
        let called = match argument("action").filter(|action| *action != "update") {
            Some(action) => format!("{tool} {action}"),
            None => tool.to_owned(),
        };
        let intent = entry["intent"].as_str().unwrap_or(&called).to_owned();
        let none = tool.starts_with("search_cases").then_some(NO_TEAM);
        let team = argument("type").or(argument("case_type_filter")).or(none);
        let team = entry["team"].as_str().or(team);
        Self {
            talk: Conversation::of(&entry["context"], &entry["persona"], &entry["says"]),
            intent: Some(intent).filter(|intent| !intent.is_empty() && calls.len() < 2),
            team: team.filter(|_| calls.len() < 2).map(str::to_owned),
        }
    }
}

/// Sentences of the description test.
pub fn table() -> Vec<Example> {
    let text = include_str!("../../../domain/tests/data/sentences.json");
    let entries: Vec<Value> = serde_json::from_str(text).unwrap_or_default();
    entries.iter().map(Example::read).collect()
}

/// Sentences of `examples.txt`: one per line below `[persona intent | fact=value]`.
pub fn short() -> Vec<Example> {
    let mut examples = Vec::new();
    for section in include_str!("examples.txt").split('[') {
        let (head, lines) = section.split_once(']').unwrap_or_default();
        let (head, fact) = head.split_once(" | ").unwrap_or((head, "fact="));
        let (persona, intent) = head.split_once(' ').unwrap_or_default();
        let (name, value) = fact.split_once('=').unwrap_or_default();
        let team = Some(value).filter(|_| name == "type");
        let context = json!({ "today": "2026-03-10", name: value });
        let entry = |says: &str| json!({ "persona": persona, "context": context, "says": says, "intent": intent, "team": team });
        let says = lines.lines().filter(|line| !line.is_empty());
        examples.extend(says.map(|says| Example::read(&entry(says))));
    }
    examples
}

/// Classifiers by name: of intents, one for each persona, and of the team.
pub struct Model(BTreeMap<&'static str, Classifier>);

impl Model {
    /// Classifier with this name.
    pub fn classifier(&self, name: &str) -> &Classifier {
        &self.0[name]
    }

    /// Trains on examples.
    pub fn train<'a>(examples: impl Iterator<Item = &'a Example>) -> Self {
        let mut sets: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for Example { talk, intent, team } in examples {
            let found = features::of(&talk.parse(&talk.said), talk);
            for (name, label) in [(talk.persona(), intent), (TEAM, team)] {
                let labeled = label.clone().map(|label| (found.clone(), label));
                sets.entry(name).or_default().extend(labeled);
            }
        }
        let trained = sets.into_iter();
        Self(
            trained
                .map(|(name, set)| (name, Classifier::train(&set)))
                .collect(),
        )
    }
}
