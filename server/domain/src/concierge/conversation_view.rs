//! A conversation as pages display it.

use jiff::Timestamp;
use serde_json::Value;

use super::{CallState, Choice, ProposalState, Responder};
use crate::{
    execution_view::ExecutionView, guest_identity::GuestIdentity, money::Money, sentence::Sentence,
};

/// A proposal as its person sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposalView {
    pub id: String,
    pub title: String,
    pub question: Sentence,
    /// Label of the approve button.
    pub yes: Sentence,
    /// Further facts.
    pub facts: Vec<Sentence>,
    /// Options to select from.
    pub choices: Vec<Choice>,
    /// Amount charged if the person enters a new card on a payment page, where allowed.
    pub new_card: Option<Money>,
    /// Nonce to send with the answer; empty for readers who may not answer.
    pub nonce: String,
    pub state: ProposalState,
    /// Expiration time.
    pub expires_at: Timestamp,
    /// True when it moves money or its person can't undo it.
    pub irreversible: bool,
    /// True when approving gives something up: a booking, a charge, a room.
    pub loses: bool,
    /// Its execution, with steps.
    pub execution: Option<ExecutionView>,
    /// Outcome, in sentences; may be empty.
    pub outcome: Vec<Sentence>,
    /// Where the person continues: at their bank, or on the page to choose a card.
    pub next_action_url: Option<String>,
}

/// One displayed item of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum ConversationItem {
    /// The person's message.
    Said {
        at: Timestamp,
        text: String,
    },
    /// The model's answer.
    Answered {
        at: Timestamp,
        text: String,
        /// The person stopped the answer there.
        stopped: bool,
        /// Sentences in it that the hotel wrote.
        said: Vec<Sentence>,
    },
    Call {
        at: Timestamp,
        title: String,
        /// Outcome; none while it is running.
        state: Option<CallState>,
        /// Arguments sent.
        arguments: Value,
        /// Answer received.
        answer: Value,
        /// Execution id, for tools that write.
        execution_id: Option<String>,
    },
    Proposal(Box<ProposalView>),
    Trouble {
        at: Timestamp,
        text: Sentence,
    },
    /// A staff message.
    Staff {
        at: Timestamp,
        /// Author, for staff; empty for guests.
        by: String,
        text: String,
    },
    /// A handover between the model and staff.
    Note {
        at: Timestamp,
        text: Sentence,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub struct ConversationView {
    /// Conversation id; empty before the first message.
    pub id: String,
    pub title: String,
    pub owner: GuestIdentity,
    /// True when the reader is not the owner: staff in a guest's conversation.
    pub owned_by_other: bool,
    /// Who answers.
    pub standing: Responder,
    /// Case opened at the handover.
    pub case_number: Option<String>,
    pub items: Vec<ConversationItem>,
    /// Position of the last entry.
    pub seq: i64,
    /// The model is working.
    pub busy: bool,
    /// The model's turn was cut off; the person may ask again.
    pub interrupted: bool,
    /// Suggested messages that fit the stay.
    pub suggestions: Vec<String>,
    /// Why the model is unavailable, if it is.
    pub closed: Option<Sentence>,
    /// The model is the offline one.
    pub offline: bool,
    /// The conversation reports danger to people, and nobody has marked it handled.
    pub emergency: bool,
    /// Since when the guest has waited for staff; none while staff wrote last or the model answers.
    pub waiting_since: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationSummary {
    pub id: String,
    pub title: String,
    pub owner: GuestIdentity,
    /// Who answers.
    pub standing: Responder,
    /// Case opened at the handover.
    pub case_number: Option<String>,
    /// Time of the last entry.
    pub changed_at: Timestamp,
    /// Since when the guest has waited for staff; none while staff wrote last or the model answers.
    pub waiting_since: Option<Timestamp>,
    /// What the guest wrote about danger to people, until somebody has marked it handled.
    pub emergency: Option<DangerReport>,
}

/// What a person wrote about danger to people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DangerReport {
    /// Their latest message that reports danger.
    pub text: String,
    /// It only may be danger.
    pub possible: bool,
    pub at: Timestamp,
    /// Their latest message, if they wrote again after that.
    pub latest: Option<String>,
    /// Position of their latest message.
    pub seq: i64,
}

/// Live state of a conversation, for pages that follow it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveState {
    /// Position of the last entry. If it differs from the page's, reload the conversation.
    pub seq: i64,
    /// The model is working.
    pub busy: bool,
    /// Number of the streamed answer. If it differs, the text starts over.
    pub round: u64,
    /// Text streamed so far, or why there is none yet.
    pub text: String,
    /// Notification count and time of the last store read; used only by the next read.
    pub last_read: (u64, i64),
}

impl LiveState {
    /// A state that differs from every real one.
    #[must_use]
    pub fn unseen() -> Self {
        Self {
            seq: i64::MIN,
            ..Self::default()
        }
    }

    /// Whether a page that has seen `seen` needs an update.
    #[must_use]
    pub fn differs(&self, seen: &Self) -> bool {
        (self.seq, self.busy, self.round, &self.text)
            != (seen.seq, seen.busy, seen.round, &seen.text)
    }
}
