//! What the model decides to say, and the ids its answer carries.

use jiff::Timestamp;
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

/// One answer: words, or calls.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// An answer, or a question back.
    Words(String),
    /// Calls to be made, side by side.
    Calls(Vec<Call>),
}

impl Said {
    /// How long it is, in tokens: four characters each, as good a guess as any.
    pub fn tokens(&self) -> usize {
        let length = match self {
            Self::Words(text) => text.len(),
            Self::Calls(calls) => calls.iter().map(|call| call.tool.len() + call.text().len()).sum(),
        };
        length.div_ceil(4).max(1)
    }

    /// Why it ended, in OpenAI's word.
    pub fn finish(&self) -> &'static str {
        match self {
            Self::Words(_) => "stop",
            Self::Calls(_) => "tool_calls",
        }
    }
}

/// A call to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Which tool.
    pub tool: String,
    /// With what.
    pub arguments: Map<String, Value>,
}

impl Call {
    /// A call without arguments yet.
    pub fn to(tool: &str) -> Self {
        Self { tool: tool.to_owned(), arguments: Map::new() }
    }

    /// With an argument, if there is a value.
    #[must_use]
    pub fn with<T: Into<Value>>(mut self, name: &str, value: Option<T>) -> Self {
        if let Some(value) = value {
            self.arguments.insert(name.to_owned(), value.into());
        }
        self
    }

    /// The arguments as the text in which they are sent.
    pub fn text(&self) -> String {
        Value::Object(self.arguments.clone()).to_string()
    }
}

/// Makes ids: of the moment and of the call's place in the log, so that a run that is repeated repeats them.
#[derive(Clone, Copy, Debug)]
pub struct Ids {
    /// The request's number in the call log.
    pub seq: u64,
    /// When it was asked.
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
