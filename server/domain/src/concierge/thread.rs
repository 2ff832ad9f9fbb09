//! A conversation as pages show it.

use jiff::Timestamp;
use serde_json::Value;

use super::{CallState, Choice, ProposalState, Standing};
use crate::{money::Money, view::ExecutionView};

/// A card as its person sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposalView {
    /// Its id.
    pub id: String,
    /// The tool's title.
    pub title: String,
    /// The question.
    pub question: String,
    /// The button's words.
    pub yes: String,
    /// What else is good to know.
    pub facts: Vec<String>,
    /// What the person chooses.
    pub choices: Vec<Choice>,
    /// What a card would be charged that the reader types on a pay page, where they may.
    pub new_card: Option<Money>,
    /// Sent with the answer; empty for whoever may not answer.
    pub nonce: String,
    /// Where it stands now.
    pub state: ProposalState,
    /// Until when it may be answered.
    pub expires_at: Timestamp,
    /// True when it moves money or cannot be taken back by its person.
    pub weighty: bool,
    /// Saying yes gives something up: a booking, a charge, a room.
    pub loses: bool,
    /// Its execution, with steps.
    pub execution: Option<ExecutionView>,
    /// How it ended, in words; may be empty.
    pub outcome: String,
    /// Where the person has to go on: their bank, or the page on which a card is chosen.
    pub next_action_url: Option<String>,
}

/// One thing in a conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// The person's words.
    Said {
        /// When.
        at: Timestamp,
        /// What.
        text: String,
    },
    /// The model's words.
    Answered {
        /// When.
        at: Timestamp,
        /// What.
        text: String,
        /// It was stopped there.
        stopped: bool,
    },
    /// A call of a tool.
    Call {
        /// When.
        at: Timestamp,
        /// The tool's title.
        title: String,
        /// How it went; none while it is under way.
        state: Option<CallState>,
        /// What was sent.
        arguments: Value,
        /// What came back.
        answer: Value,
        /// The execution, of what writes.
        execution_id: Option<String>,
    },
    /// A card.
    Proposal(Box<ProposalView>),
    /// Something went wrong.
    Trouble {
        /// When.
        at: Timestamp,
        /// In words.
        text: String,
    },
    /// Staff's words.
    Staff {
        /// When.
        at: Timestamp,
        /// Who, for staff; empty for guests.
        by: String,
        /// What.
        text: String,
    },
    /// It changed hands.
    Note {
        /// When.
        at: Timestamp,
        /// In words.
        text: String,
    },
}

/// A conversation.
#[derive(Clone, Debug, PartialEq)]
pub struct Thread {
    /// Its id; empty for one that has not begun.
    pub id: String,
    /// What to call it.
    pub title: String,
    /// Whose it is: the email.
    pub owner: String,
    /// True when the reader is not the one whose it is: staff in a guest's conversation.
    pub foreign: bool,
    /// Who answers.
    pub standing: Standing,
    /// The case of its handing over.
    pub case_number: Option<String>,
    /// What is in it.
    pub items: Vec<Item>,
    /// Place of the last entry.
    pub seq: i64,
    /// The model is at work.
    pub busy: bool,
    /// The model was at work when something cut it off; the person may ask again.
    pub interrupted: bool,
    /// Things to say that fit the stay.
    pub suggestions: Vec<String>,
    /// Why the model does not answer at all just now, if it does not.
    pub closed: Option<String>,
    /// The model is the offline one.
    pub offline: bool,
    /// It is about danger to people.
    pub emergency: bool,
    /// Since when the guest waits for staff; none while staff had the last word, or the model
    /// answers.
    pub waiting_since: Option<Timestamp>,
}

/// A conversation in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadLine {
    /// Its id.
    pub id: String,
    /// What to call it.
    pub title: String,
    /// Whose it is: the email.
    pub owner: String,
    /// Who answers.
    pub standing: Standing,
    /// The case of its handing over.
    pub case_number: Option<String>,
    /// When something was last said or done in it.
    pub changed_at: Timestamp,
    /// Since when the guest waits for staff; none while staff had the last word, or the model
    /// answers.
    pub waiting_since: Option<Timestamp>,
    /// The guest's latest words, where they are about danger to people.
    pub emergency: Option<String>,
}

/// What a page that follows a conversation is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Live {
    /// Place of the last entry: another one than the page has means that it should be read again.
    pub seq: i64,
    /// The model is at work.
    pub busy: bool,
    /// Which answer the words belong to: another one means that the words begin anew.
    pub round: u64,
    /// The words so far.
    pub text: String,
    /// How often the bell had rung, and when the store was looked at; for the next look alone.
    pub looked: (u64, i64),
}

impl Live {
    /// What nobody has seen yet: everything differs from it.
    #[must_use]
    pub fn unseen() -> Self {
        Self {
            seq: i64::MIN,
            ..Self::default()
        }
    }

    /// Whether there is anything to tell who has seen the other one.
    #[must_use]
    pub fn differs(&self, seen: &Self) -> bool {
        (self.seq, self.busy, self.round, &self.text)
            != (seen.seq, seen.busy, seen.round, &seen.text)
    }
}
