//! The concierge, as pages see it.

use std::time::Duration;

use async_trait::async_trait;

use crate::{
    caller::Caller,
    concierge::{Live, ProposalView, Spent, Switch, Thread, ThreadLine, UsageLine},
    error_code::ErrorCode,
};

/// What a person says about a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Which card.
    pub card: String,
    /// The nonce that the page showed.
    pub nonce: String,
    /// Yes or no.
    pub yes: bool,
    /// What was chosen on it.
    pub choice: Option<String>,
}

/// What the model did today, for managers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageView {
    /// The switch.
    pub switch: Switch,
    /// Which model.
    pub model: String,
    /// Today in all.
    pub today: Spent,
    /// What the house may spend in a day, in millionths of a dollar.
    pub micros_per_day: u64,
    /// What one person may use in a day, in tokens.
    pub tokens_per_person: u64,
    /// The last days, who used how much; the newest first.
    pub lines: Vec<UsageLine>,
}

/// Conversations with the concierge. A guest sees their own only, staff their own and those that
/// were handed to them.
#[async_trait]
pub trait Concierge: Send + Sync + std::fmt::Debug {
    /// The conversation with that id, or the latest one, or an empty one that begins with the first
    /// words.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`, `INTERNAL`.
    async fn thread(&self, caller: &Caller, id: Option<&str>) -> Result<Thread, ErrorCode>;

    /// The caller's conversations, the latest first.
    ///
    /// # Errors
    /// `INTERNAL`.
    async fn threads(&self, caller: &Caller) -> Result<Vec<ThreadLine>, ErrorCode>;

    /// The guests' conversations that wait for staff, the longest waiting first; for the desk.
    ///
    /// # Errors
    /// `UNKNOWN_TOOL` for others, `INTERNAL`.
    async fn waiting(&self, caller: &Caller) -> Result<Vec<ThreadLine>, ErrorCode>;

    /// Says something, in that conversation or a new one, and answers which. The same token says it
    /// once. A guest's words of danger go to staff, before every limit, in the conversation that is
    /// answered. In a conversation that was handed over, staff answer by it.
    ///
    /// # Errors `VALIDATION_FAILED`, `CONVERSATION_NOT_FOUND`, `CONCIERGE_BUSY` while it still
    /// answers, `INTERNAL`.
    async fn say(
        &self,
        caller: &Caller,
        id: Option<&str>,
        token: &str,
        text: &str,
    ) -> Result<String, ErrorCode>;

    /// Asks the model again after it was interrupted.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`, `CONCIERGE_BUSY`, `INTERNAL`.
    async fn again(&self, caller: &Caller, id: &str) -> Result<(), ErrorCode>;

    /// Stops the model; what it has said stays.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`, `INTERNAL`.
    async fn stop(&self, caller: &Caller, id: &str) -> Result<(), ErrorCode>;

    /// A person's answer to a card; answers the conversation. Whoever is second changes nothing.
    ///
    /// # Errors `CARD_NOT_OPEN` when it is over, not theirs or was not shown to them;
    /// `CONCIERGE_OFF`, `INTERNAL`.
    async fn decide(&self, caller: &Caller, decision: &Decision) -> Result<String, ErrorCode>;

    /// One's own card and the conversation it is in; for a page of its own.
    ///
    /// # Errors `CARD_NOT_OPEN` when it is not theirs or there is none, `INTERNAL`. One that is
    /// over is answered as it ended.
    async fn card(&self, caller: &Caller, id: &str) -> Result<(String, ProposalView), ErrorCode>;

    /// Gives a conversation another name.
    ///
    /// # Errors
    /// `VALIDATION_FAILED`, `CONVERSATION_NOT_FOUND`, `INTERNAL`.
    async fn rename(&self, caller: &Caller, id: &str, title: &str) -> Result<(), ErrorCode>;

    /// Forgets a conversation, with everything in it.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`, `INTERNAL`.
    async fn delete(&self, caller: &Caller, id: &str) -> Result<(), ErrorCode>;

    /// Calls a person: opens a case with the transcript, and the model is silent from now on.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`, `INTERNAL`.
    async fn hand_over(&self, caller: &Caller, id: &str, reason: &str) -> Result<(), ErrorCode>;

    /// Staff give it back to the model, or its guest goes back to it; not from an emergency that
    /// nobody has answered.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`, `INVALID_TRANSITION`, `INTERNAL`.
    async fn hand_back(&self, caller: &Caller, id: &str) -> Result<(), ErrorCode>;

    /// Returns as soon as something differs from `seen`, or after `at_most`; `None` when it may no
    /// longer be seen.
    async fn changed(
        &self,
        caller: &Caller,
        id: &str,
        seen: &Live,
        at_most: Duration,
    ) -> Option<Live>;

    /// Returns as soon as a guest's conversation with staff changed in this process, or after
    /// `at_most`.
    async fn desk_rings(&self, at_most: Duration);

    /// Moves the switch; for managers.
    ///
    /// # Errors
    /// `UNKNOWN_TOOL` for others, `INTERNAL`.
    async fn turn(&self, caller: &Caller, on: bool) -> Result<(), ErrorCode>;

    /// The switch and what was spent; for managers.
    ///
    /// # Errors
    /// `UNKNOWN_TOOL` for others, `INTERNAL`.
    async fn usage(&self, caller: &Caller) -> Result<UsageView, ErrorCode>;
}
