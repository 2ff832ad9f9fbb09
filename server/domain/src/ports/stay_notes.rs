//! What staff write down about a stay for one another. Guests never see it.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{caller::Caller, error_code::ErrorCode};

/// Longer notes belong into a case.
pub const LONGEST_NOTE: usize = 1000;

/// One note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StayNote {
    /// When it was written.
    pub at: Timestamp,
    /// By whom: the email.
    pub by: String,
    /// The words.
    pub body: String,
}

/// Notes about a stay, for the desk.
#[async_trait]
pub trait StayNotes: Send + Sync + std::fmt::Debug {
    /// The newest first.
    ///
    /// # Errors
    /// `UNKNOWN_TOOL` for who is not of the desk, `INTERNAL`.
    async fn notes(
        &self,
        caller: &Caller,
        booking_number: &str,
    ) -> Result<Vec<StayNote>, ErrorCode>;

    /// Writes one down; the same token writes it once.
    ///
    /// # Errors `VALIDATION_FAILED` when it is empty or longer than [`LONGEST_NOTE`],
    /// `UNKNOWN_TOOL`, `INTERNAL`.
    async fn add(
        &self,
        caller: &Caller,
        booking_number: &str,
        token: &str,
        body: &str,
    ) -> Result<(), ErrorCode>;
}
