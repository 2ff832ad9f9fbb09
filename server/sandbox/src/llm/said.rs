//! Answer of the model, and its ids.

use jiff::Timestamp;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

/// Answer: text, or parallel calls, perhaps with a text before them.
#[derive(Clone, Debug)]
pub enum Said {
    Words(String),
    Calls(String, Vec<Call>),
}

impl Said {
    /// Estimated length in tokens of four characters each.
    pub fn tokens(&self) -> usize {
        let of_call = |call: &Call| call.tool.len() + call.text().len();
        let calls: usize = self.calls().iter().map(of_call).sum();
        (self.text().len() + calls).div_ceil(4).max(1)
    }

    /// Its text; often empty beside calls.
    pub fn text(&self) -> &str {
        match self {
            Self::Words(text) | Self::Calls(text, _) => text,
        }
    }

    /// Its calls.
    pub fn calls(&self) -> &[Call] {
        match self {
            Self::Words(_) => &[],
            Self::Calls(_, calls) => calls,
        }
    }

    /// Finish reason, as in OpenAI's API.
    pub fn finish(&self) -> &'static str {
        if matches!(self, Self::Words(_)) {
            "stop"
        } else {
            "tool_calls"
        }
    }
}

/// Call to make.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub tool: String,
    pub arguments: Map<String, Value>,
}

impl Call {
    /// Call without arguments.
    pub fn to(tool: &str) -> Self {
        Self {
            tool: tool.to_owned(),
            arguments: Map::new(),
        }
    }

    /// Adds an argument if there is a value.
    #[must_use]
    pub fn with<T: Into<Value>>(mut self, name: &str, value: Option<T>) -> Self {
        self.arguments
            .extend(value.map(|value| (name.to_owned(), value.into())));
        self
    }

    /// Keeps only these arguments.
    #[must_use]
    pub fn only(mut self, names: &[&str]) -> Self {
        self.arguments
            .retain(|name, _| names.contains(&name.as_str()));
        self
    }

    /// Arguments as JSON text.
    pub fn text(&self) -> String {
        Value::Object(self.arguments.clone()).to_string()
    }
}

/// Generates ids from the time and the request's number in the call log, so that a repeated run
/// repeats them.
#[derive(Clone, Copy)]
pub struct Ids {
    pub seq: u64,
    pub now: Timestamp,
}

impl Ids {
    /// Id of the answer.
    pub fn answer(self) -> String {
        format!("chatcmpl-{}", self.digest("answer"))
    }

    /// Id of the call at this index.
    pub fn call(self, place: usize) -> String {
        format!("call_{}", self.digest(&place.to_string()))
    }

    fn digest(self, what: &str) -> String {
        let hash = Sha256::digest(format!("{} {} {what}", self.seq, self.now.as_nanosecond()));
        hex::encode(&hash[..12])
    }
}
