//! A conversation.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Who answers in a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Responder {
    Model,
    /// Staff. The model stays silent until they hand the conversation back.
    Staff,
}

impl Responder {
    /// Name as stored.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Staff => "staff",
        }
    }

    /// The value with that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Model, Self::Staff]
            .into_iter()
            .find(|standing| standing.name() == name)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversation {
    /// `cnv_…`.
    pub id: String,
    /// Owner, by caller key.
    pub owner: String,
    pub title: String,
    /// Who answers.
    pub responder: Responder,
    /// Case opened when the conversation was handed to staff.
    pub case_number: Option<String>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last entry.
    pub changed_at: Timestamp,
    /// The model's running turn, and when it is presumed dead.
    pub turn: Option<(String, Timestamp)>,
    /// Since when the guest has waited for staff; none while staff wrote last or the model answers.
    pub waiting_since: Option<Timestamp>,
    /// The guest reported danger to people, and nobody has marked it handled since.
    pub emergency: bool,
}

impl Conversation {
    /// Whether the model is working at that moment.
    #[must_use]
    pub fn busy(&self, now: Timestamp) -> bool {
        self.turn.as_ref().is_some_and(|(_, until)| now < *until)
    }
}
