//! Named filters of lists, one set per staff member.

use async_trait::async_trait;

use crate::{caller::Caller, error_code::ErrorCode};

/// Maximum length of a view's name.
pub const MAX_VIEW_NAME_LENGTH: usize = 40;

/// A list with its filters, under a name.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SavedView {
    /// Path of the list: `/staff/executions`.
    pub page: String,
    /// Name, unique within the list.
    pub name: String,
    /// Query of the list's URL, without the question mark.
    pub query: String,
}

/// Views of the staff member who asks.
#[async_trait]
pub trait SavedViews: Send + Sync + std::fmt::Debug {
    /// The caller's views of every list, by name.
    ///
    /// # Errors
    /// `UNKNOWN_TOOL` for callers who are not staff, `INTERNAL`.
    async fn views(&self, caller: &Caller) -> Result<Vec<SavedView>, ErrorCode>;

    /// Saves a view; one of the same list and name is replaced.
    ///
    /// # Errors
    /// `VALIDATION_FAILED` when the name is empty or too long, or there are too many views;
    /// `UNKNOWN_TOOL`, `INTERNAL`.
    async fn save(&self, caller: &Caller, view: SavedView) -> Result<(), ErrorCode>;

    /// Deletes the view of that list and name, if there is one.
    ///
    /// # Errors
    /// `UNKNOWN_TOOL`, `INTERNAL`.
    async fn delete(&self, caller: &Caller, page: &str, name: &str) -> Result<(), ErrorCode>;
}
