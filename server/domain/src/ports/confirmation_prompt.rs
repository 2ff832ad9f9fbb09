//! Confirmations: the question a person answers before money moves.

use async_trait::async_trait;

use crate::{caller::Caller, sentence::Sentence, tool::ToolCall, tool_answer::ToolError};

/// What a call is about to do, built from the outside systems' own facts and never from the
/// caller's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfirmationPrompt {
    /// Question, with amount, guest and room.
    pub question: String,
    /// Label of the confirm button: `Pay $250.00`.
    pub yes: String,
}

/// What a call needs before it is dispatched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// Money would move: a person answers this question first.
    Ask(ConfirmationPrompt),
    /// No new money would move: the tool moves none, its token is already known, or the facts leave
    /// nothing to pay.
    NoMoney,
    /// No money would move, but a card would reserve an amount: which, and how much.
    Reserves(Sentence),
    /// The tool would change nothing, because everything is as requested.
    NoChange,
}

/// Builds confirmations for tools that move money, and refuses early what a tool would refuse;
/// changes and stores nothing.
#[async_trait]
pub trait ConfirmationPrompts: Send + Sync + std::fmt::Debug {
    /// What this call needs before it is dispatched; its input is validated in any case, and that of
    /// a tool that moves no money by all rules of the tool.
    ///
    /// # Errors
    /// What the tool would answer without doing anything: an invalid input, or facts that do not
    /// allow it.
    async fn confirmation_for(
        &self,
        caller: &Caller,
        call: &ToolCall,
    ) -> Result<Confirmation, ToolError>;
}
