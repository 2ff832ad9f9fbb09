//! Training sentences: those of the description test (`domain/tests/data/README.md`), and short
//! ones.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::classifier::Classifier;
use super::conversation::Conversation;
use super::features;

static EXAMPLES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let told: Vec<Value> =
        serde_json::from_str(include_str!("../../../domain/tests/data/sentences.json"))
            .unwrap_or_default();
    told.into_iter().chain(short_examples()).collect()
});

/// Short sentences of `examples.txt`: one per line below `[persona intent | fact=value]`.
pub fn short_examples() -> impl Iterator<Item = Value> {
    include_str!("examples.txt").split('[').filter_map(|section| section.split_once(']')).flat_map(|(head, lines)| {
        let (head, fact) = head.split_once(" | ").unwrap_or((head, ""));
        let (persona, wish) = head.split_once(' ').unwrap_or((head, ""));
        let (name, value) = fact.split_once('=').unwrap_or(("fact", ""));
        lines.lines().filter(|line| !line.is_empty()).map(move |says| {
            let call = json!({ "tool": wish, "arguments": { "type": value } });
            let expected = if name == "type" { vec![call] } else { Vec::new() };
            let facts = json!({ "today": "2026-03-10", name: value });
            json!({ "persona": persona, "says": says, "wish": wish, "context": facts, "expect": expected })
        })
    })
}

/// Texts without misspelled words.
pub fn well_spelled() -> impl Iterator<Item = &'static str> {
    let texts = EXAMPLES
        .iter()
        .filter(|example| example["style"] != "misspelt");
    texts.filter_map(|example| example["says"].as_str())
}

/// Classifiers, trained once.
pub static MODEL: LazyLock<Model> = LazyLock::new(|| Model::train(EXAMPLES.iter()));

/// Intent classifiers.
pub struct Model {
    /// Intents of guests.
    pub guest: Classifier,
    /// Intents of staff.
    pub staff: Classifier,
    /// Team responsible for a request or a case.
    pub team: Classifier,
}

impl Model {
    /// Trains on examples.
    pub fn train<'a>(examples: impl Iterator<Item = &'a Value>) -> Self {
        let (mut guest, mut staff, mut team) = (Vec::new(), Vec::new(), Vec::new());
        for example in examples {
            let says = example["says"].as_str().unwrap_or_default();
            let calls = example["expect"].as_array().map_or(&[][..], Vec::as_slice);
            if calls.len() > 1 {
                continue;
            }
            let talk = Conversation::of(&example["context"], &example["persona"], says);
            let found = features::of(&talk.parse(says), &talk);
            team.extend(
                calls
                    .first()
                    .and_then(team_of)
                    .map(|name| (found.clone(), name)),
            );
            let wishes = if talk.is_guest() {
                &mut guest
            } else {
                &mut staff
            };
            wishes.extend(wish(example).map(|wish| (found, wish)));
        }
        Self {
            guest: Classifier::train(&guest),
            staff: Classifier::train(&staff),
            team: Classifier::train(&team),
        }
    }
}

/// Label for a list that is not limited to a team.
pub const NO_TEAM: &str = "none";

fn team_of(call: &Value) -> Option<String> {
    let arguments = &call["arguments"];
    let lists = call["tool"]
        .as_str()
        .is_some_and(|tool| tool.starts_with("search_cases"));
    let team = arguments["type"]
        .as_str()
        .or(arguments["case_type_filter"].as_str());
    team.or(lists.then_some(NO_TEAM)).map(str::to_owned)
}

/// Intent of an example: a tool with its action, or a text answer.
pub fn wish(example: &Value) -> Option<String> {
    if let Some(wish) = example["wish"].as_str() {
        return Some(wish.to_owned());
    }
    let call = example["expect"].get(0)?;
    let action = call["arguments"]["action"]
        .as_str()
        .filter(|action| *action != "update");
    let tool = call["tool"].as_str()?;
    Some(action.map_or_else(|| tool.to_owned(), |action| format!("{tool} {action}")))
}
