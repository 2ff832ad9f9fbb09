//! Labels of operations on guests' stays: messages named for the tools.

use crate::language::{known_value, t};

/// Page title of an operation.
pub fn title(tool: &str) -> &'static str {
    known_value("activity", tool).unwrap_or(t!("activity-other"))
}

/// First sentence of the activity's history.
pub fn request_sentence(tool: &str) -> &'static str {
    known_value("activity-asked", tool).unwrap_or(t!("activity-asked-other"))
}
