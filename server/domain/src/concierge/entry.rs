//! What is said and done in a conversation, in order; nothing is ever changed, only added.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A call the model asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallAsked {
    /// The model's own id of it.
    pub id: String,
    /// Which tool, as it wrote it.
    pub tool: String,
    /// Its arguments, as it wrote them; text where they are no JSON.
    pub arguments: Value,
}

/// What became of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallState {
    /// It answered.
    Done,
    /// It goes on by itself.
    Running,
    /// It was not allowed or not possible.
    Refused,
    /// It failed for a reason of ours or of an outside system.
    Failed,
}

impl CallState {
    /// As pages' attributes have it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Running => "running",
            Self::Refused => "refused",
            Self::Failed => "failed",
        }
    }
}

/// One thing that was said or done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Entry {
    /// The person wrote.
    Said {
        /// Their words.
        text: String,
    },
    /// The model answered, and its turn was over.
    Answered {
        /// Its words.
        text: String,
        /// The person stopped it there.
        #[serde(default)]
        stopped: bool,
    },
    /// The model asked for calls.
    Asked {
        /// What it said beside; may be empty.
        #[serde(default)]
        text: String,
        /// The calls.
        calls: Vec<CallAsked>,
    },
    /// A call came back.
    Returned {
        /// Which.
        call_id: String,
        /// Which tool.
        tool: String,
        /// How.
        state: CallState,
        /// The answer's body.
        answer: Value,
        /// The execution, of what writes.
        #[serde(default)]
        execution_id: Option<String>,
    },
    /// A call became a card.
    Proposed {
        /// Which.
        call_id: String,
        /// The card.
        card: String,
    },
    /// A card came to an end, or was begun.
    Decided {
        /// Which.
        card: String,
        /// Of which call.
        call_id: String,
        /// Its state then.
        state: super::ProposalState,
        /// The answer's body, once there is one.
        #[serde(default)]
        answer: Value,
        /// The execution.
        #[serde(default)]
        execution_id: Option<String>,
    },
    /// Something went wrong between us and the model, or a limit was reached; in words for the
    /// person.
    Trouble {
        /// The words.
        text: String,
    },
    /// It was handed to staff.
    HandedOver {
        /// Why.
        reason: String,
        /// The case.
        #[serde(default)]
        case_number: Option<String>,
        /// The model's call that asked for it, if one did.
        #[serde(default)]
        call_id: Option<String>,
    },
    /// Staff wrote.
    StaffSaid {
        /// Who: the email, for staff only.
        by: String,
        /// Their words.
        text: String,
    },
    /// Staff gave it back to the model.
    HandedBack {
        /// Who.
        by: String,
    },
}

/// An entry in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Its place: 1 is the first.
    pub seq: i64,
    /// When.
    pub at: Timestamp,
    /// What.
    pub entry: Entry,
}
