//! An assembled answer.

use dewy_domain::ports::ModelAnswer;
use serde_json::Value;

/// Maximum number of tool calls; a stream that goes beyond it is cut off.
pub(super) const MAX_CALLS: usize = 16;
/// Maximum length of an answer with its reasoning, and of one call's arguments, in bytes.
pub(super) const MAX_BYTES: usize = 256 * 1024;

/// An answer, and what it tells about its model.
#[derive(Debug)]
pub(super) struct Assembled {
    pub answer: ModelAnswer,
    /// The model spent tokens on reasoning.
    pub reasoned: bool,
}

impl Assembled {
    /// Whether reasoning used up all tokens, so that nothing was answered.
    pub(super) fn is_starved(&self) -> bool {
        self.answer.truncated && self.answer.text.trim().is_empty()
    }
}

/// Arguments of a call, which some servers send as parsed JSON.
pub(super) fn arguments(sent: &Value) -> String {
    match sent {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        whole => whole.to_string(),
    }
}
