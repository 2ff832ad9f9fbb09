//! A proposal: one action the model suggests. Only its person can approve it, and only once.
//!
//! | from | event | to |
//! |---|---|---|
//! | proposed | confirm | confirmed |
//! | proposed | decline | declined |
//! | proposed | expire | expired |
//! | proposed | supersede | superseded |
//! | confirmed | begin | running |
//! | confirmed | complete | done |
//! | confirmed | undo | compensated |
//! | confirmed | refuse | refused |
//! | confirmed | get stuck | needs_attention |
//! | confirmed | settle | settled_by_hand |
//! | confirmed | expire | expired |
//! | running | complete | done |
//! | running | undo | compensated |
//! | running | refuse | refused |
//! | running | get stuck | needs_attention |
//! | running | settle | settled_by_hand |
//! | needs_attention | complete | done |
//! | needs_attention | undo | compensated |
//! | needs_attention | settle | settled_by_hand |
//!
//! No other transition exists: an end state is final, even for a person who clicks twice or uses an
//! outdated page.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::sentence::Sentence;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalState {
    /// Waiting for the person.
    Proposed,
    /// Approved; stored before anything starts.
    Confirmed,
    /// Declined by the person.
    Declined,
    /// Not answered in time.
    Expired,
    /// The person wrote something else, or the facts changed.
    Superseded,
    /// An execution is running.
    Running,
    /// Completed.
    Done,
    /// Compensated; no effect remains.
    Compensated,
    /// Not possible; nothing was done.
    Refused,
    /// Waiting for staff.
    NeedsAttention,
    /// Staff settled it by hand; whether it was done is not known here.
    SettledByHand,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProposalEvent {
    /// The person approved in time.
    Confirm,
    /// The person declined.
    Decline,
    /// Time ran out.
    Expire,
    /// The person wrote something else, or another proposal replaced it.
    Supersede,
    /// An execution was accepted.
    Begin,
    /// The execution completed.
    Complete,
    /// The execution was compensated.
    Undo,
    /// The execution was refused without effect.
    Refuse,
    /// The execution needs a staff member.
    GetStuck,
    /// Staff settled it by hand.
    Settle,
}

impl ProposalState {
    pub const ALL: [Self; 11] = [
        Self::Proposed,
        Self::Confirmed,
        Self::Declined,
        Self::Expired,
        Self::Superseded,
        Self::Running,
        Self::Done,
        Self::Compensated,
        Self::Refused,
        Self::NeedsAttention,
        Self::SettledByHand,
    ];

    /// Name as stored and in HTML attributes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Confirmed => "confirmed",
            Self::Declined => "declined",
            Self::Expired => "expired",
            Self::Superseded => "superseded",
            Self::Running => "running",
            Self::Done => "done",
            Self::Compensated => "compensated",
            Self::Refused => "refused",
            Self::NeedsAttention => "needs_attention",
            Self::SettledByHand => "settled_by_hand",
        }
    }

    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// State after the event; `None` when the event is not possible here.
    #[must_use]
    pub const fn next(self, event: ProposalEvent) -> Option<Self> {
        use ProposalEvent as E;
        Some(match (self, event) {
            (Self::Proposed, E::Confirm) => Self::Confirmed,
            (Self::Proposed, E::Decline) => Self::Declined,
            (Self::Proposed | Self::Confirmed, E::Expire) => Self::Expired,
            (Self::Proposed, E::Supersede) => Self::Superseded,
            (Self::Confirmed, E::Begin) => Self::Running,
            (Self::Confirmed | Self::Running | Self::NeedsAttention, E::Complete) => Self::Done,
            (Self::Confirmed | Self::Running | Self::NeedsAttention, E::Undo) => Self::Compensated,
            (Self::Confirmed | Self::Running, E::Refuse) => Self::Refused,
            (Self::Confirmed | Self::Running, E::GetStuck) => Self::NeedsAttention,
            (Self::Confirmed | Self::Running | Self::NeedsAttention, E::Settle) => {
                Self::SettledByHand
            }
            _ => return None,
        })
    }

    /// The states in which the event is possible.
    pub fn before(event: ProposalEvent) -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(move |state| state.next(event).is_some())
    }

    /// Whether an approved proposal is being executed.
    #[must_use]
    pub const fn under_way(self) -> bool {
        matches!(self, Self::Confirmed | Self::Running)
    }
}

/// An option the person selects on the proposal, such as which card pays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// Value sent with the approval; empty when none is needed.
    pub value: String,
    /// Display text.
    pub label: Sentence,
    /// Explanation where the label is not enough; may be empty.
    #[serde(default)]
    pub note: String,
}

/// A proposal as stored. Approval covers all of it: person, conversation, tool, exact input, nonce
/// and time.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// Proposal id, `crd_…`; the execution's idempotency token derives from it.
    pub id: String,
    pub conversation: String,
    /// Caller key of the only person who may answer it.
    pub owner: String,
    /// Id of the model's tool call.
    pub call_id: String,
    pub tool: String,
    /// Exact input, including what the backend filled in.
    pub input: Value,
    /// Question, built from the server's own facts.
    pub question: Sentence,
    /// Label of the approve button.
    pub yes: Sentence,
    /// Further facts, one per line: what can be undone, and how.
    pub facts: Vec<Sentence>,
    /// Options to select from, if any.
    pub choices: Vec<Choice>,
    /// Input field the selected option fills.
    pub chooses: Option<String>,
    /// Besides the options, the person may enter a new card on a payment page.
    pub takes_new_card: bool,
    /// Proves that the answer comes from a page that showed this proposal; single use.
    pub nonce: String,
    pub state: ProposalState,
    pub created_at: Timestamp,
    /// Expiration time.
    pub expires_at: Timestamp,
    /// Execution it started.
    pub execution_id: Option<String>,
    pub chosen: Option<String>,
}

impl Proposal {
    /// Idempotency token of its execution, the same for every attempt.
    #[must_use]
    pub fn token(&self) -> String {
        format!("chat-{}", self.id)
    }

    /// The state at that moment. Expiration follows from the time; it need not be stored.
    #[must_use]
    pub fn state_at(&self, now: Timestamp) -> ProposalState {
        if self.state == ProposalState::Proposed && now >= self.expires_at {
            ProposalState::Expired
        } else {
            self.state
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENTS: [(&str, ProposalEvent); 10] = [
        ("confirm", ProposalEvent::Confirm),
        ("decline", ProposalEvent::Decline),
        ("expire", ProposalEvent::Expire),
        ("supersede", ProposalEvent::Supersede),
        ("begin", ProposalEvent::Begin),
        ("complete", ProposalEvent::Complete),
        ("undo", ProposalEvent::Undo),
        ("refuse", ProposalEvent::Refuse),
        ("get stuck", ProposalEvent::GetStuck),
        ("settle", ProposalEvent::Settle),
    ];

    #[test]
    fn transitions_match_the_documented_table() {
        let written: Vec<String> = include_str!("proposal.rs")
            .lines()
            .filter_map(|line| line.strip_prefix("//! | "))
            .filter(|line| !line.starts_with("from"))
            .map(|line| line.trim_end_matches(" |").to_owned())
            .collect();
        let mut done = Vec::new();
        for state in ProposalState::ALL {
            for (words, event) in EVENTS {
                if let Some(next) = state.next(event) {
                    done.push(format!("{} | {words} | {}", state.name(), next.name()));
                }
            }
        }
        let sorted = |mut list: Vec<String>| {
            list.sort();
            list
        };
        assert_eq!(sorted(written), sorted(done));
    }

    #[test]
    fn ends_are_final() {
        use ProposalState as S;
        for end in [
            S::Declined,
            S::Expired,
            S::Superseded,
            S::Done,
            S::Compensated,
            S::Refused,
            S::SettledByHand,
        ] {
            assert!(
                EVENTS.iter().all(|(_, event)| end.next(*event).is_none()),
                "{}",
                end.name()
            );
        }
        assert_eq!(
            ProposalState::before(ProposalEvent::Confirm).collect::<Vec<_>>(),
            [S::Proposed]
        );
    }
}
