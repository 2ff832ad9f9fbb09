//! Entries of a conversation, in order. Entries are only added, never changed, except that
//! danger is noted in messages of older releases.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{emergency::Emergency, sentence::Sentence};

/// A tool call the model requested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RequestedCall {
    /// Call id, as the model chose it.
    pub id: String,
    /// Tool name, as the model wrote it.
    pub tool: String,
    /// Arguments, as the model wrote them; a string where they are not valid JSON.
    pub arguments: Value,
}

/// Outcome of a tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallState {
    /// The tool answered.
    Done,
    /// The execution continues in the background.
    Running,
    /// Not allowed or not possible.
    Refused,
    /// Failed because of us or an outside system.
    Failed,
}

impl CallState {
    /// Name in HTML attributes.
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

/// Danger to people that a message reports. It is looked for once, when the message arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Danger {
    /// The message reports none.
    None,
    /// There may be danger.
    Possible,
    /// There is danger.
    Certain,
}

impl Danger {
    #[must_use]
    pub const fn of(emergency: Option<&Emergency>) -> Self {
        match emergency {
            None => Self::None,
            Some(emergency) if emergency.possible => Self::Possible,
            Some(_) => Self::Certain,
        }
    }
}

/// One entry of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Entry {
    /// The person wrote a message.
    Said {
        /// Danger that it reports; `None` in what older releases stored. Must be the first field:
        /// the store finds messages by it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        danger: Option<Danger>,
        text: String,
    },
    /// The model answered and its turn ended.
    Answered {
        text: String,
        /// The person stopped the answer there.
        #[serde(default)]
        stopped: bool,
        /// Parts of the answer that only the model's server understands; they are sent back unchanged.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        opaque: Value,
        /// Sentences in the text that the hotel wrote.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        said: Vec<Sentence>,
    },
    /// The model requested tool calls.
    Asked {
        /// Accompanying text; may be empty.
        #[serde(default)]
        text: String,
        calls: Vec<RequestedCall>,
        /// Parts of the answer that only the model's server understands; they are sent back unchanged.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        opaque: Value,
    },
    Returned {
        call_id: String,
        tool: String,
        state: CallState,
        /// Body of the answer.
        answer: Value,
        /// Execution id, for tools that write.
        #[serde(default)]
        execution_id: Option<String>,
    },
    /// A tool call became a proposal.
    Proposed {
        call_id: String,
        #[serde(rename = "card")]
        proposal: String,
    },
    /// A proposal ended or was started.
    Decided {
        #[serde(rename = "card")]
        proposal: String,
        call_id: String,
        state: super::ProposalState,
        /// Body of the answer, once there is one.
        #[serde(default)]
        answer: Value,
        #[serde(default)]
        execution_id: Option<String>,
    },
    /// The model failed or a limit was reached; worded for the person.
    Trouble { text: Sentence },
    /// The conversation was handed to staff.
    HandedOver {
        reason: String,
        #[serde(default)]
        case_number: Option<String>,
        /// Id of the model's call that requested it, if one did.
        #[serde(default)]
        call_id: Option<String>,
    },
    /// A staff member wrote a message.
    StaffSaid {
        /// Author's email, visible to staff only.
        by: String,
        text: String,
    },
    /// Staff handed the conversation back to the model.
    HandedBack {
        /// Staff member's email.
        by: String,
    },
}

impl Entry {
    /// Whole answer that the model did not write.
    #[must_use]
    pub fn answered(text: impl Into<String>) -> Self {
        Self::Answered {
            text: text.into(),
            stopped: false,
            opaque: Value::Null,
            said: Vec::new(),
        }
    }

    /// Whole answer of the hotel itself, a sentence per line.
    #[must_use]
    pub fn told(sentences: Vec<Sentence>) -> Self {
        let lines: Vec<_> = sentences.iter().map(Sentence::to_string).collect();
        Self::Answered {
            text: lines.join("\n"),
            stopped: false,
            opaque: Value::Null,
            said: sentences,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct NumberedEntry {
    /// Position, starting at 1.
    pub seq: i64,
    pub at: Timestamp,
    pub entry: Entry,
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Entry;

    /// Entries as the store holds them. Renaming a field here makes stored conversations lose it.
    #[test]
    fn stored_entries_keep_their_form() {
        let stored = json!([
            {"kind": "said", "text": "Hello"},
            {"kind": "said", "danger": "possible", "text": "I smell something"},
            {"kind": "answered", "text": "Good m", "stopped": true},
            {"kind": "asked", "text": "", "calls": []},
            {"kind": "returned", "call_id": "call_1", "tool": "get_folio", "state": "done", "answer": {"success": true},
             "execution_id": null},
            {"kind": "proposed", "call_id": "call_2", "card": "prp_1"},
            {"kind": "decided", "card": "prp_1", "call_id": "call_2", "state": "running", "answer": null,
             "execution_id": "exe_1"},
            {"kind": "trouble", "text": "Try again."},
            {"kind": "handed_over", "reason": "asked", "case_number": "00001042", "call_id": null},
            {"kind": "staff_said", "by": "ann@dewy.test", "text": "I'm here."},
            {"kind": "handed_back", "by": "ann@dewy.test"},
        ]);
        let entries: Vec<Entry> = serde_json::from_value(stored.clone()).unwrap();
        let written: Value = serde_json::to_value(entries).unwrap();
        assert_eq!(written, stored);
    }
}
