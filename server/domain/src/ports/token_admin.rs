//! Management of bearer tokens for programs.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{
    caller::{Caller, Persona, Role},
    email_address::EmailAddress,
    tool_answer::Problem,
};

/// A token as its owner sees it. The token itself is shown once, on creation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenView {
    /// Id, `tok_…`; reveals nothing about the token.
    pub id: String,
    /// Purpose, in the owner's words.
    pub name: String,
    /// Persona it acts as.
    pub persona: Persona,
    /// Email of the person it acts for.
    pub email: EmailAddress,
    /// Role it is narrowed to; otherwise the owner's.
    pub role: Option<Role>,
    pub read_only: bool,
    pub created_at: Timestamp,
    /// Creator, if not the owner.
    pub created_by: Option<String>,
    /// Expiration time.
    pub expires_at: Option<Timestamp>,
    /// Last use, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// Revocation time.
    pub revoked_at: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenOrder {
    /// Persona it acts as.
    pub persona: Persona,
    /// Email of the person it acts for.
    pub email: EmailAddress,
    /// Purpose.
    pub name: String,
    /// Role it is narrowed to.
    pub role: Option<Role>,
    pub read_only: bool,
    /// Lifetime in days.
    pub days: u64,
}

/// Why a token was not created or revoked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// The caller is not allowed to.
    #[error("Only managers can create tokens for others.")]
    NotAllowed,
    /// The order is invalid.
    #[error("Some of the entries are invalid.")]
    Problems(Vec<Problem>),
    /// The store failed.
    #[error("Tokens cannot be created or read right now.")]
    Unavailable,
}

/// Creates, lists and revokes tokens. Knows the session of the current request.
#[async_trait]
pub trait TokenAdmin: Send + Sync + std::fmt::Debug {
    /// Tokens this caller may see, newest first: all for managers, otherwise their own.
    ///
    /// # Errors
    /// Returns a [`TokenError`] when the caller may not list tokens or the store fails.
    async fn list(&self, caller: &Caller) -> Result<Vec<TokenView>, TokenError>;

    /// Creates a token and keeps it for [`Self::take_created`].
    ///
    /// # Errors
    /// Returns a [`TokenError`], with the problems of each field.
    async fn create(&self, caller: &Caller, order: TokenOrder) -> Result<(), TokenError>;

    /// Takes the token created in this session, once.
    async fn take_created(&self) -> Option<String>;

    /// Revokes a token immediately; false when this caller may revoke no active token with that id.
    ///
    /// # Errors
    /// Returns a [`TokenError`] when the store fails.
    async fn revoke(&self, caller: &Caller, id: &str) -> Result<bool, TokenError>;
}
