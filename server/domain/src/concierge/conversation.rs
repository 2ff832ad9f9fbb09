//! A conversation.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Who answers in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// The model.
    Model,
    /// Staff: the model is silent until they hand it back.
    Staff,
}

impl Standing {
    /// As stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Staff => "staff",
        }
    }

    /// The standing of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Model, Self::Staff]
            .into_iter()
            .find(|standing| standing.name() == name)
    }
}

/// A conversation as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// `cnv_…`.
    pub id: String,
    /// Whose it is: the caller's key.
    pub owner: String,
    /// What to call it in the list.
    pub title: String,
    /// Who answers.
    pub standing: Standing,
    /// The case that was opened when it was handed over.
    pub case_number: Option<String>,
    /// When it began.
    pub created_at: Timestamp,
    /// When something was last said or done in it.
    pub changed_at: Timestamp,
    /// The model's turn that is under way, and until when it is believed to be.
    pub turn: Option<(String, Timestamp)>,
    /// Since when the guest waits for staff; none while staff had the last word, or the model
    /// answers.
    pub waiting_since: Option<Timestamp>,
    /// The guest wrote of danger to people, and nobody has handed it back since.
    pub emergency: bool,
}

impl Conversation {
    /// Whether the model is at work at that moment.
    #[must_use]
    pub fn busy(&self, now: Timestamp) -> bool {
        self.turn.as_ref().is_some_and(|(_, until)| now < *until)
    }
}
