//! Port of the concierge, for pages.

use std::time::Duration;

use async_trait::async_trait;

use crate::{
    caller::Caller,
    concierge::{
        ConciergeSwitch, ConversationSummary, ConversationView, LiveState, ProposalView, UsageRow,
        UsageTotals,
    },
    error_code::ErrorCode,
};

/// A person's answer to a proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    pub proposal: String,
    /// Nonce of the displayed proposal.
    pub nonce: String,
    /// True to approve, false to decline.
    pub yes: bool,
    pub choice: Option<String>,
}

/// The model's usage today, for managers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageView {
    pub switch: ConciergeSwitch,
    pub model: String,
    /// Today's total.
    pub today: UsageTotals,
    /// Daily limit of the whole hotel, in millionths of a dollar.
    pub micros_per_day: u64,
    /// Daily limit per guest, in tokens.
    pub tokens_per_guest: u64,
    /// Daily limit per staff member, in tokens.
    pub tokens_per_staff: u64,
    /// Usage of the last days per person, newest first.
    pub lines: Vec<UsageRow>,
}

/// Conversations with the concierge. Guests see only their own; staff see their own and those
/// handed to staff.
#[async_trait]
pub trait Concierge: Send + Sync + std::fmt::Debug {
    /// The conversation with that id, the latest one, or an empty one that the first message will
    /// start.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`, `INTERNAL`.
    async fn conversation(
        &self,
        caller: &Caller,
        id: Option<&str>,
    ) -> Result<ConversationView, ErrorCode>;

    /// The caller's conversations, the latest first.
    ///
    /// # Errors
    /// `INTERNAL`.
    async fn conversations(&self, caller: &Caller) -> Result<Vec<ConversationSummary>, ErrorCode>;

    /// Guest conversations that wait for staff, longest waiting first; for the front desk.
    ///
    /// # Errors
    /// `UNKNOWN_TOOL` for other callers, `INTERNAL`.
    async fn waiting_for_staff(
        &self,
        caller: &Caller,
    ) -> Result<Vec<ConversationSummary>, ErrorCode>;

    /// Notes the language of a person's pages, such as `es`, for the model's answers.
    fn set_preferred_language(&self, caller: &Caller, language: &str);

    /// Posts a message to that conversation or a new one, and returns its id. Idempotent by token.
    /// A guest's message that reports danger goes to staff before any limit applies, in the
    /// returned conversation. In a conversation handed to staff, this is how staff answer.
    ///
    /// # Errors
    /// `VALIDATION_FAILED`, `CONVERSATION_NOT_FOUND`, `CONCIERGE_BUSY` while it is still answering,
    /// `INTERNAL`.
    async fn post_message(
        &self,
        caller: &Caller,
        id: Option<&str>,
        token: &str,
        text: &str,
    ) -> Result<String, ErrorCode>;

    /// Restarts the model's turn after an interruption.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`, `CONCIERGE_BUSY`, `INTERNAL`.
    async fn retry_turn(&self, caller: &Caller, id: &str) -> Result<(), ErrorCode>;

    /// Stops the model; text already produced stays.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`, `INTERNAL`.
    async fn stop(&self, caller: &Caller, id: &str) -> Result<(), ErrorCode>;

    /// Answers a proposal and returns the conversation's id. A second answer changes nothing.
    ///
    /// # Errors
    /// `PROPOSAL_NOT_OPEN` when it has ended, belongs to another person or was not shown to the caller;
    /// `CONCIERGE_OFF`, `INTERNAL`.
    async fn decide(&self, caller: &Caller, decision: &Decision) -> Result<String, ErrorCode>;

    /// The caller's own proposal and its conversation; for a page of its own. A proposal that has
    /// ended is returned with its outcome.
    ///
    /// # Errors
    /// `PROPOSAL_NOT_OPEN` when there is none or it belongs to another person, `INTERNAL`.
    async fn proposal(
        &self,
        caller: &Caller,
        id: &str,
    ) -> Result<(String, ProposalView), ErrorCode>;

    /// Renames a conversation.
    ///
    /// # Errors
    /// `VALIDATION_FAILED`, `CONVERSATION_NOT_FOUND`, `INTERNAL`.
    async fn rename(&self, caller: &Caller, id: &str, title: &str) -> Result<(), ErrorCode>;

    /// Deletes a conversation with all its entries.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`, `INTERNAL`.
    async fn delete(&self, caller: &Caller, id: &str) -> Result<(), ErrorCode>;

    /// Hands the conversation to staff: opens a case with the transcript and silences the model.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`, `INTERNAL`.
    async fn hand_over(&self, caller: &Caller, id: &str, reason: &str) -> Result<(), ErrorCode>;

    /// Marks the emergency of a conversation as handled by whoever has read it up to the entry at
    /// `seen`, and has its case closed; for the front desk. False when the guest has written since:
    /// it stays open.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`, `INVALID_TRANSITION` when there is none, `INTERNAL`.
    async fn mark_emergency_handled(
        &self,
        caller: &Caller,
        id: &str,
        seen: i64,
    ) -> Result<bool, ErrorCode>;

    /// Returns the conversation to the model, by staff or by its guest; not from an emergency that
    /// is not handled.
    ///
    /// # Errors
    /// `CONVERSATION_NOT_FOUND`, `INVALID_TRANSITION`, `INTERNAL`.
    async fn hand_back(&self, caller: &Caller, id: &str) -> Result<(), ErrorCode>;

    /// Returns once the state differs from `seen`, or after `at_most`; `None` when the caller may
    /// no longer see it.
    async fn changed(
        &self,
        caller: &Caller,
        id: &str,
        seen: &LiveState,
        at_most: Duration,
    ) -> Option<LiveState>;

    /// Returns once a guest's conversation with staff changed in this process, or after `at_most`.
    async fn staff_conversation_changed(&self, at_most: Duration);

    /// Number of these changes so far.
    fn staff_conversation_version(&self) -> u64;

    /// Switches the concierge on or off; for managers.
    ///
    /// # Errors
    /// `UNKNOWN_TOOL` for other callers, `INTERNAL`.
    async fn set_enabled(&self, caller: &Caller, on: bool) -> Result<(), ErrorCode>;

    /// The switch and the usage; for managers.
    ///
    /// # Errors
    /// `UNKNOWN_TOOL` for other callers, `INTERNAL`.
    async fn usage(&self, caller: &Caller) -> Result<UsageView, ErrorCode>;
}
