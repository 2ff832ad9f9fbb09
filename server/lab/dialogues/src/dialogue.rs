//! Dialogue as data; `data/README.md` documents the format.

use std::collections::BTreeSet;

use anyhow::{Context, ensure};
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Value;

use crate::relative_dates;

/// Data files, one per family.
const FILES: &[&str] = &[
    include_str!("../data/check-out.json"),
    include_str!("../data/check-in.json"),
    include_str!("../data/booking.json"),
    include_str!("../data/changes.json"),
    include_str!("../data/canceling.json"),
    include_str!("../data/requests.json"),
    include_str!("../data/danger.json"),
    include_str!("../data/privacy.json"),
    include_str!("../data/front-desk.json"),
    include_str!("../data/crew.json"),
    include_str!("../data/outages.json"),
];

/// Dialogues about one matter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    pub family: String,
    /// Policy of the hotel that the dialogues test.
    pub policy: String,
    pub dialogues: Vec<Dialogue>,
}

/// One conversation: the person, the world, and the required end.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dialogue {
    /// Unique name.
    pub name: String,
    /// What the person wants, and what makes it difficult.
    pub task: String,
    /// Email the person signs in with; staff addresses end in `@dewy.example`.
    #[serde(rename = "as")]
    pub who: String,
    /// Changes to the sandbox before the conversation.
    #[serde(default)]
    pub world: Vec<Change>,
    /// Messages of the person, in order.
    pub turns: Vec<Turn>,
    pub ends: End,
}

/// Change to the sandbox.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Change {
    /// Changes a record of Salesforce.
    #[serde(rename = "edit")]
    Edit {
        /// `Booking__c BK-0042`, `Hotel_Room__c 302` or `Case 00001001`.
        record: String,
        fields: Value,
    },
    /// Body of an order to `/admin/faults`.
    #[serde(rename = "fault")]
    Fault(Value),
}

/// Message of the person, and how they react until they send the next one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    pub say: String,
    /// What an ideal agent does.
    pub gold: Vec<Reply>,
    /// Reactions to proposals; one that fits none of these is declined.
    #[serde(default)]
    pub cards: Vec<Card>,
    #[serde(default)]
    pub answers: Vec<Answer>,
}

/// Reply of a model: a text, or calls of tools.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Reply {
    /// Text.
    Says(String),
    /// Calls of one reply: name and arguments.
    Calls(serde_json::Map<String, Value>),
}

impl Reply {
    /// Reply with its days filled in.
    pub fn on(&self, today: Date) -> anyhow::Result<Self> {
        Ok(match self {
            Self::Says(text) => Self::Says(relative_dates::substitute_dates(text, today)?),
            Self::Calls(calls) => {
                let filled =
                    relative_dates::substitute_dates_in(&Value::Object(calls.clone()), today)?;
                Self::Calls(serde_json::from_value(filled)?)
            }
        })
    }
}

/// Reaction to a proposal.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    pub title: String,
    /// Texts that it must show, or else it is not this one.
    pub shows: Vec<String>,
    #[serde(rename = "do")]
    pub reaction: Reaction,
    /// Value of the option to choose; by default the preselected one.
    #[serde(default)]
    pub choice: Option<String>,
}

/// Reaction to a proposal.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Reaction {
    /// Approves it.
    Yes,
    /// Declines it.
    No,
    /// Leaves it open.
    Wait,
}

/// Answer to a question of the concierge; given once.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The last reply contains this text and a question mark; alternatives are separated by `|`.
    pub asked: String,
    pub say: String,
    /// What an ideal agent does then.
    #[serde(default)]
    pub gold: Vec<Reply>,
}

/// Required end of a dialogue.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// Every change of the ledgers, as [`crate::ledger`] writes them; there may be no others.
    #[serde(default)]
    pub ledger: Vec<String>,
    /// Facts that the person must have been told; alternatives are separated by `|`.
    #[serde(default)]
    pub told: Vec<String>,
    /// Texts that the person must never be told.
    #[serde(default)]
    pub never: Vec<String>,
    /// Titles of the proposals that are still open.
    #[serde(default)]
    pub open: Vec<String>,
    /// Who answers in the conversation.
    #[serde(default)]
    pub with: With,
    /// Whether the front desk sees an emergency.
    #[serde(default)]
    pub urgent: bool,
}

/// Who answers in a conversation at its end.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum With {
    #[default]
    Model,
    /// The front desk.
    Staff,
    /// Either.
    Anyone,
}

impl End {
    /// Whether there is anything that an agent must do or say.
    pub fn wants_something(&self) -> bool {
        !(self.ledger.is_empty() && self.told.is_empty() && self.open.is_empty())
            || self.with == With::Staff
    }
}

/// All dialogues; see [`crate::all`].
pub fn all() -> anyhow::Result<Vec<Family>> {
    let mut names = BTreeSet::new();
    let mut families = Vec::new();
    for file in FILES {
        let name = file.lines().nth(1).unwrap_or_default();
        let family: Family =
            serde_json::from_str(file).with_context(|| format!("the data file with {name}"))?;
        for dialogue in &family.dialogues {
            let name = &dialogue.name;
            ensure!(names.insert(name.clone()), "two dialogues are named {name}");
            ensure!(!dialogue.turns.is_empty(), "{name}: turns is empty");
            ensure!(
                dialogue.ends.wants_something(),
                "{name}: ends asks for nothing, so an agent that does nothing would pass"
            );
        }
        families.push(family);
    }
    Ok(families)
}
