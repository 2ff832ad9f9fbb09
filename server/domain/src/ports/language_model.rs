//! Port of a language model: it reads a conversation and answers with text or tool calls. It never
//! gets to choose an identity, an amount, a card or a token.

use std::time::Duration;

use async_trait::async_trait;
use serde_json::Value;

/// A message the model reads.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelMessage {
    System(String),
    User(String),
    /// The model's own message, with the calls it requested.
    Assistant {
        /// Text; may be empty.
        text: String,
        calls: Vec<ModelCall>,
        /// What only its server understands; see [`ModelAnswer::opaque`].
        opaque: Value,
    },
    /// Result of a tool call.
    ToolResult {
        call_id: String,
        /// Result as text.
        content: String,
    },
}

/// A tool call the model requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelCall {
    pub id: String,
    pub name: String,
    /// Arguments as the model wrote them; untrusted until parsed as JSON.
    pub arguments: String,
}

/// A tool the model may call.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelTool {
    pub name: String,
    /// What the tool does and when to use it.
    pub description: String,
    /// JSON schema of its arguments.
    pub schema: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ModelRequest {
    /// Conversation so far.
    pub messages: Vec<ModelMessage>,
    pub tools: Vec<ModelTool>,
    /// Pseudonym of the person, for the vendor's abuse monitoring.
    pub person: String,
}

/// The model's complete answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelAnswer {
    pub text: String,
    /// Tool calls, in order.
    pub calls: Vec<ModelCall>,
    /// Parts that only its server understands: a signature, encrypted reasoning. They are stored with the
    /// conversation and sent back unchanged. Null where there are none.
    pub opaque: Value,
    /// Input tokens by the model's count; zero if not reported.
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// The answer was truncated at the maximum length.
    pub truncated: bool,
}

/// Why the model gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// Rate limited or overloaded.
    #[error("the model is busy ({status}): {reason}")]
    Busy {
        status: u16,
        /// The server's message.
        reason: String,
        /// How long to wait, if reported.
        after: Option<Duration>,
    },
    /// Request refused: a wrong key, an unknown model, an unsupported request.
    #[error("the model refused the request ({status}): {reason}")]
    Refused {
        /// The HTTP status; 200 when an answer that had begun was stopped by a content filter.
        status: u16,
        /// The server's message.
        reason: String,
    },
    /// The server reports a fault of its own.
    #[error("the model's server failed ({status}): {reason}")]
    Failed {
        status: u16,
        /// The server's message.
        reason: String,
    },
    /// Nothing came for this long.
    #[error("the model was silent for {} s", .0.as_secs())]
    Silent(Duration),
    /// Connection failed, broke off, or returned something unreadable.
    #[error("the model broke off: {0}")]
    Broken(String),
}

impl ModelError {
    /// Whether a retry may help.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        !matches!(self, Self::Refused { .. })
    }

    /// Code for metrics and staff: `http_503`, `silent`, `broken`.
    #[must_use]
    pub fn code(&self) -> String {
        match self {
            Self::Busy { status, .. }
            | Self::Refused { status, .. }
            | Self::Failed { status, .. } => format!("http_{status}"),
            Self::Silent(_) => "silent".to_owned(),
            Self::Broken(_) => "broken".to_owned(),
        }
    }
}

#[async_trait]
pub trait Model: Send + Sync + std::fmt::Debug {
    /// Reads the request and answers. Text is passed to `on_text` as it arrives; the complete
    /// answer is returned. Dropping the future cancels the request.
    ///
    /// # Errors
    /// When there is no complete answer; text received until then must be discarded.
    async fn answer(
        &self,
        request: ModelRequest,
        on_text: &(dyn for<'a> Fn(&'a str) + Send + Sync),
    ) -> Result<ModelAnswer, ModelError>;

    fn name(&self) -> &str;

    /// Whether it is the sandbox's: rules instead of a model.
    fn offline(&self) -> bool;
}
