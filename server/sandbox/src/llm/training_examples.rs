//! Training sentences: those of the tool selection test (`domain/tests/data/README.md`), and short
//! ones.

use serde_json::{Value, json};

use super::conversation::Conversation;

/// Label for a list that is not limited to a team.
pub const NO_TEAM: &str = "none";

/// Sentence with what it means; without an intent if it has several.
#[derive(Clone)]
pub struct Example {
    pub talk: Conversation,
    /// A tool with its action, or a text answer.
    pub intent: Option<String>,
    pub team: Option<String>,
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
        let mut talk = Conversation::default();
        talk.learn("persona", &entry["persona"]);
        for (name, value) in entry["context"].as_object().into_iter().flatten() {
            talk.learn(name, value);
        }
        talk.begin(entry["says"].as_str().unwrap_or_default());
        Self {
            talk,
            intent: Some(intent).filter(|intent| !intent.is_empty() && calls.len() < 2),
            team: team.filter(|_| calls.len() < 2).map(str::to_owned),
        }
    }
}

/// Sentences of the tool selection test.
pub fn table() -> Vec<Example> {
    let text = include_str!("../../../domain/tests/data/sentences.json");
    let entries: Vec<Value> = serde_json::from_str(text).unwrap_or_default();
    entries.iter().map(Example::read).collect()
}

/// Sentences of `training_examples.txt`: one per line below `[persona intent | fact=value]`.
pub fn short() -> Vec<Example> {
    let mut examples = Vec::new();
    for section in include_str!("training_examples.txt").split('[') {
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
