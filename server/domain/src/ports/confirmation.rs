//! What a person is asked before money moves.

use async_trait::async_trait;

use crate::{answer::ToolError, caller::Caller, tool::ToolCall};

/// What a call is about to do, in words made from the outside systems' own facts and never from the
/// caller's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmation {
    /// The question, with amount, guest and room.
    pub question: String,
    /// What saying yes means, in a few words: `Pay $250.00`.
    pub yes: String,
}

/// Confirmations for the tools that move money; nothing is done and nothing is kept.
#[async_trait]
pub trait Confirmations: Send + Sync + std::fmt::Debug {
    /// The question to ask before this call is dispatched; its input is checked in any case. `None`
    /// when nothing new would move: the tool moves no money, its token is known already, or the
    /// facts leave nothing to be moved.
    ///
    /// # Errors What the tool would answer without having done anything: a fault of the input, or
    /// facts that do not allow it.
    async fn quote(
        &self,
        caller: &Caller,
        call: &ToolCall,
    ) -> Result<Option<Confirmation>, ToolError>;
}
