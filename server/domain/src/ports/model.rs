//! A language model: it reads a conversation and answers in words or in calls. It is given nothing
//! that it could misuse: no identity to choose, no amount, no card, no token.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;

/// One message of what the model reads.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelMessage {
    /// Our own words.
    System(String),
    /// The person's.
    Person(String),
    /// Its own, with the calls it asked for.
    Own {
        /// Its words; may be empty.
        text: String,
        /// Its calls.
        calls: Vec<ModelCall>,
    },
    /// What a call came back with.
    Result {
        /// Which call.
        call_id: String,
        /// As text.
        content: String,
    },
}

/// A call the model asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelCall {
    /// Its own id of it.
    pub id: String,
    /// Which tool.
    pub name: String,
    /// The arguments as it wrote them: meant to be JSON, believed only after parsing.
    pub arguments: String,
}

/// A tool the model may ask for.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelTool {
    /// Its name.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// The schema of its arguments.
    pub schema: Value,
}

/// What it is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelRequest {
    /// The conversation so far.
    pub messages: Vec<ModelMessage>,
    /// What it may ask for.
    pub tools: Vec<ModelTool>,
    /// The longest answer, in tokens.
    pub most_tokens: u32,
    /// Who is asking, by a name that says nothing: for the vendor's own watch on misuse.
    pub person: String,
}

/// What it said in the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelAnswer {
    /// Words.
    pub text: String,
    /// Calls, in its order.
    pub calls: Vec<ModelCall>,
    /// Tokens it read, as it counts them; zero when it did not say.
    pub input_tokens: u64,
    /// Tokens it wrote.
    pub output_tokens: u64,
    /// It was cut off at the longest answer.
    pub cut: bool,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelTrouble {
    /// Too much is asked of it just now.
    #[error("the model is busy")]
    Busy {
        /// When to come back, if it said so.
        after: Option<Duration>,
    },
    /// It refused what was asked: a wrong key, an unknown model, a request it does not take.
    #[error("the model refused the request ({status}): {reason}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// In its words.
        reason: String,
    },
    /// It could not be reached, broke off, or said something that cannot be read.
    #[error("the model broke off: {0}")]
    Broken(String),
}

impl ModelTrouble {
    /// Whether asking again may help.
    #[must_use]
    pub const fn passing(&self) -> bool {
        !matches!(self, Self::Refused { .. })
    }
}

/// A model.
#[async_trait]
pub trait Model: Send + Sync + std::fmt::Debug {
    /// Reads and answers. Words are handed to `hear` as they come; the whole answer is returned.
    /// Dropping it stops it.
    ///
    /// # Errors
    /// When there is no whole answer; what was heard until then counts for nothing.
    async fn answer(
        &self,
        request: ModelRequest,
        hear: &(dyn for<'a> Fn(&'a str) + Send + Sync),
    ) -> Result<ModelAnswer, ModelTrouble>;

    /// What it is called.
    fn name(&self) -> &str;

    /// Whether it is the sandbox's: rules in place of a model.
    fn offline(&self) -> bool;
}
