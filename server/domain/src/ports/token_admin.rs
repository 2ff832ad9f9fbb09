//! Bearer tokens for programs, as people make and revoke them.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{
    answer::Problem,
    caller::{Caller, Persona, Role},
};

/// A token as its owner sees it; the token itself is shown once, when it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenView {
    /// What to call it: `tok_…`; says nothing of the token.
    pub id: String,
    /// What it is for, in its owner's words.
    pub name: String,
    /// As whom it acts.
    pub persona: Persona,
    /// For which person.
    pub email: String,
    /// The role it was narrowed to; without one it has its owner's.
    pub role: Option<Role>,
    /// Read only.
    pub read_only: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// Who made it, when that was somebody else than its owner.
    pub created_by: Option<String>,
    /// From when on it is worthless.
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// A token to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenOrder {
    /// As whom it acts.
    pub persona: Persona,
    /// For which person.
    pub email: String,
    /// What it is for.
    pub name: String,
    /// The role it is narrowed to.
    pub role: Option<Role>,
    /// Read only.
    pub read_only: bool,
    /// For how many days it is good.
    pub days: u64,
}

/// Why a token was not made or not revoked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Not by this caller.
    #[error("Only managers make tokens for others.")]
    NotAllowed,
    /// The order has faults.
    #[error("Some of what was entered needs a change.")]
    Problems(Vec<Problem>),
    /// The store failed.
    #[error("Tokens cannot be made or read right now.")]
    Unavailable,
}

/// Makes, lists and revokes tokens. It knows the session of the request it is made for.
#[async_trait]
pub trait TokenAdmin: Send + Sync + std::fmt::Debug {
    /// The tokens this caller may see, newest first: managers all, others their own.
    ///
    /// # Errors
    /// Why not.
    async fn list(&self, caller: &Caller) -> Result<Vec<TokenView>, TokenError>;

    /// Makes a token and keeps it for [`Self::take_made`].
    ///
    /// # Errors
    /// Why not, field by field.
    async fn make(&self, caller: &Caller, order: TokenOrder) -> Result<(), TokenError>;

    /// The token made in this session, once.
    async fn take_made(&self) -> Option<String>;

    /// Makes a token worthless at once; false when there is none of that id that was good and that
    /// this caller may revoke.
    ///
    /// # Errors
    /// When the store failed.
    async fn revoke(&self, caller: &Caller, id: &str) -> Result<bool, TokenError>;
}
