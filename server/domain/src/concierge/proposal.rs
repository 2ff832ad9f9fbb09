//! A card: one act that the model proposed and only its person can let happen, once.
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
//! | confirmed | expire | expired |
//! | running | complete | done |
//! | running | undo | compensated |
//! | running | refuse | refused |
//! | running | get stuck | needs_attention |
//! | needs_attention | complete | done |
//! | needs_attention | undo | compensated |
//!
//! Everything else is not possible: an end is an end, also for whoever clicks twice or has an old
//! page open.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where a card stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalState {
    /// It waits for its person.
    Proposed,
    /// The person said yes; that is stored before anything is begun.
    Confirmed,
    /// The person said no.
    Declined,
    /// Nobody answered in time.
    Expired,
    /// The person wrote something else, or the facts changed.
    Superseded,
    /// An execution is under way.
    Running,
    /// It was done.
    Done,
    /// It was undone, and nothing is left of it.
    Compensated,
    /// It was not possible; nothing was done.
    Refused,
    /// It waits for staff.
    NeedsAttention,
}

/// What happens to a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProposalEvent {
    /// The person said yes, in time.
    Confirm,
    /// The person said no.
    Decline,
    /// Time ran out.
    Expire,
    /// Something else was said, or another card took its place.
    Supersede,
    /// An execution was accepted.
    Begin,
    /// It completed.
    Complete,
    /// It was compensated.
    Undo,
    /// It was refused without effect.
    Refuse,
    /// It needs a person of the house.
    GetStuck,
}

impl ProposalState {
    /// All of them.
    pub const ALL: [Self; 10] = [
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
    ];

    /// As stored and as pages' attributes have it.
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
        }
    }

    /// The state of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// Where the event leads; `None` when it is not possible here.
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
            _ => return None,
        })
    }

    /// The states from which the event is possible.
    pub fn before(event: ProposalEvent) -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(move |state| state.next(event).is_some())
    }

    /// Whether the person's yes is being carried out.
    #[must_use]
    pub const fn under_way(self) -> bool {
        matches!(self, Self::Confirmed | Self::Running)
    }
}

/// Something the person chooses on the card itself, such as which card pays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// Sent with the yes; empty for what needs no value.
    pub value: String,
    /// In words.
    pub label: String,
    /// What it means, where the label does not say.
    #[serde(default)]
    pub note: String,
}

/// A card as it is stored. The yes is bound to all of it: person, conversation, tool and exact
/// input, nonce, and time.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// `crd_…`; the execution's idempotency token is made of it.
    pub id: String,
    /// In which conversation.
    pub conversation: String,
    /// Who alone may answer it: the caller's key.
    pub owner: String,
    /// Which of the model's calls it is.
    pub call_id: String,
    /// Which tool.
    pub tool: String,
    /// The exact input, with what the backend filled in.
    pub input: Value,
    /// The question, from the server's own facts.
    pub question: String,
    /// What saying yes means: the button's words.
    pub yes: String,
    /// What else is good to know, line by line: what can be undone, and how.
    pub facts: Vec<String>,
    /// What the person chooses, if anything.
    pub choices: Vec<Choice>,
    /// The field of the input that the choice fills.
    pub chooses: Option<String>,
    /// Besides the choices, the person may type a new card on a pay page.
    pub takes_new_card: bool,
    /// Proves that the answer comes from a page that showed this card; used once.
    pub nonce: String,
    /// Where it stands.
    pub state: ProposalState,
    /// When it was made.
    pub created_at: Timestamp,
    /// Until when it may be answered.
    pub expires_at: Timestamp,
    /// The execution it began.
    pub execution_id: Option<String>,
    /// What the person chose.
    pub chosen: Option<String>,
}

impl Proposal {
    /// The token under which its execution is begun, however often that is tried.
    #[must_use]
    pub fn token(&self) -> String {
        format!("chat-{}", self.id)
    }

    /// The state as it is at that moment: nobody has to write down that time ran out.
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

    const EVENTS: [(&str, ProposalEvent); 9] = [
        ("confirm", ProposalEvent::Confirm),
        ("decline", ProposalEvent::Decline),
        ("expire", ProposalEvent::Expire),
        ("supersede", ProposalEvent::Supersede),
        ("begin", ProposalEvent::Begin),
        ("complete", ProposalEvent::Complete),
        ("undo", ProposalEvent::Undo),
        ("refuse", ProposalEvent::Refuse),
        ("get stuck", ProposalEvent::GetStuck),
    ];

    #[test]
    fn the_table_above_is_what_the_code_does() {
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
