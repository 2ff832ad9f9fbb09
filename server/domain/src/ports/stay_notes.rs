//! Internal staff notes about a stay. Guests never see them.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{booking_number::BookingNumber, caller::Caller, error_code::ErrorCode};

/// Maximum length of a note; longer texts belong in a case.
pub const MAX_NOTE_LENGTH: usize = 1000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StayNote {
    pub at: Timestamp,
    /// Author's email.
    pub by: String,
    pub body: String,
}

/// Notes about a stay, for the front desk.
#[async_trait]
pub trait StayNotes: Send + Sync + std::fmt::Debug {
    /// Notes, newest first.
    ///
    /// # Errors
    /// `UNKNOWN_TOOL` for callers other than the front desk, `INTERNAL`.
    async fn notes(
        &self,
        caller: &Caller,
        booking_number: &BookingNumber,
    ) -> Result<Vec<StayNote>, ErrorCode>;

    /// Adds a note. Idempotent by token.
    ///
    /// # Errors
    /// `VALIDATION_FAILED` when it is empty or longer than [`MAX_NOTE_LENGTH`], `UNKNOWN_TOOL`,
    /// `INTERNAL`.
    async fn add(
        &self,
        caller: &Caller,
        booking_number: &BookingNumber,
        token: &str,
        body: &str,
    ) -> Result<(), ErrorCode>;
}
