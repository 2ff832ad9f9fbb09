//! An assembled answer.

use dewy_domain::ports::ModelAnswer;
use serde_json::Value;

/// Maximum number of tool calls; a stream that goes beyond it is cut off.
pub(super) const MAX_CALLS: usize = 16;
/// Maximum length of an answer with its reasoning, and of one call's arguments, in bytes.
pub(super) const MAX_BYTES: usize = 256 * 1024;

/// Maximum number of tokens of one request that is believed.
const MAX_TOKENS: u64 = 100_000_000;
/// Maximum length of a tool's name, in a request.
const MAX_NAME: usize = 64;

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

/// A number of tokens, if it is plausible: a whole number up to [`MAX_TOKENS`].
pub(super) fn tokens(told: &Value) -> Option<u64> {
    told.as_u64().filter(|tokens| *tokens <= MAX_TOKENS)
}

/// Name of a tool as it was offered: some models write their namespace before it
/// (`functions.get_folio`), and servers refuse a history with other characters in a name.
pub(super) fn tool_name(sent: &str) -> String {
    let own = sent
        .trim()
        .rsplit(['.', ':', '/'])
        .next()
        .unwrap_or_default();
    let known = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let letters = own.chars().map(|c| if known(c) { c } else { '_' });
    letters.take(MAX_NAME).collect()
}

/// Arguments of a call, which some servers send as parsed JSON.
pub(super) fn arguments(sent: &Value) -> String {
    match sent {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        whole => whole.to_string(),
    }
}
