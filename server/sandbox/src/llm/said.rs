//! What the model decides to say, and the ids its answer carries.

use jiff::Timestamp;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

/// One answer: words, or calls to be made side by side.
#[derive(Clone, Debug)]
pub enum Said {
    Words(String),
    Calls(Vec<Call>),
}

impl Said {
    /// Length in tokens of four characters each, as good a guess as any.
    pub fn tokens(&self) -> usize {
        let length = match self {
            Self::Words(text) => text.len(),
            Self::Calls(calls) => calls
                .iter()
                .map(|call| call.tool.len() + call.text().len())
                .sum(),
        };
        length.div_ceil(4).max(1)
    }

    /// Why it ended, in OpenAI's word.
    pub fn finish(&self) -> &'static str {
        if matches!(self, Self::Words(_)) {
            "stop"
        } else {
            "tool_calls"
        }
    }
}

/// A call to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub tool: String,
    pub arguments: Map<String, Value>,
}

impl Call {
    /// A call without arguments yet.
    pub fn to(tool: &str) -> Self {
        Self {
            tool: tool.to_owned(),
            arguments: Map::new(),
        }
    }

    /// With an argument, if there is a value.
    #[must_use]
    pub fn with<T: Into<Value>>(mut self, name: &str, value: Option<T>) -> Self {
        self.arguments
            .extend(value.map(|value| (name.to_owned(), value.into())));
        self
    }

    /// With no arguments but these.
    #[must_use]
    pub fn only(mut self, names: &[&str]) -> Self {
        self.arguments
            .retain(|name, _| names.contains(&name.as_str()));
        self
    }

    /// The arguments as the text in which they are sent.
    pub fn text(&self) -> String {
        Value::Object(self.arguments.clone()).to_string()
    }
}

/// Makes ids of the moment and of the request's number in the call log, so that a run that is
/// repeated repeats them.
#[derive(Clone, Copy)]
pub struct Ids {
    pub seq: u64,
    pub now: Timestamp,
}

impl Ids {
    /// The answer's id.
    pub fn answer(self) -> String {
        format!("chatcmpl-{}", self.digest("answer"))
    }

    /// The id of the call at this place.
    pub fn call(self, place: usize) -> String {
        format!("call_{}", self.digest(&place.to_string()))
    }

    fn digest(self, what: &str) -> String {
        let hash = Sha256::digest(format!("{} {} {what}", self.seq, self.now.as_nanosecond()));
        hex::encode(&hash[..12])
    }
}
