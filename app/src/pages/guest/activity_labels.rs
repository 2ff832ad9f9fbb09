//! Labels of operations on guests' stays: messages named for the tools.

use crate::language::{message_of, t};

/// Page title of an operation.
pub fn title(tool: &str) -> &'static str {
    message_of("activity", tool).unwrap_or(t!("activity-other"))
}

/// First sentence of the activity's history.
pub fn request_sentence(tool: &str) -> &'static str {
    message_of("activity-asked", tool).unwrap_or(t!("activity-asked-other"))
}
