//! Language model behind the interface that OpenAI made common: `POST {base}/chat/completions`,
//! streamed.
//!
//! ```text
//! ModelRequest ─► request.rs: JSON ─► async-openai: HTTP, server-sent events ─► stream_assembly.rs: text at once, calls when complete
//! ```
//! Chunks are parsed leniently as plain JSON, because servers differ in what they omit. The one
//! strict rule is the end: a stream that stops without a finish reason is an error, however
//! complete it looks.

mod observed_model;
mod request;
mod stream_assembly;

use std::{sync::Arc, time::Duration};

use async_openai::{Client, config::OpenAIConfig, error::OpenAIError};
use async_trait::async_trait;
use dewy_domain::ports::{Clock, Model, ModelAnswer, ModelError, ModelRequest};
use futures::{Stream, StreamExt};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use url::Url;

use crate::http_transport;
pub use observed_model::ObservedModel;
use stream_assembly::Assembly;

/// Beginning of the reason when the model answered with a server error: its status follows.
const ANSWERED: &str = "it answered ";

/// Model settings and timeouts.
#[derive(Clone, Debug)]
pub struct ModelConfig {
    /// URL up to and without `/chat/completions`: `https://api.openai.com/v1`.
    pub base_url: String,
    /// Bearer token.
    pub api_key: SecretString,
    /// Model name.
    pub model: String,
    /// Maximum silence before the first chunk and between two chunks.
    pub silence: Duration,
    /// Whether it is the sandbox's model.
    pub offline: bool,
}

/// Model over HTTP.
#[derive(Clone, Debug)]
pub struct ChatModel {
    client: Client<OpenAIConfig>,
    config: ModelConfig,
    clock: Arc<dyn Clock>,
}

impl ChatModel {
    /// Creates a client with an empty pool.
    ///
    /// # Errors
    /// When the base is not a web address, or no HTTP client can be built for it.
    pub fn new(config: ModelConfig, clock: Arc<dyn Clock>) -> Result<Self, String> {
        let url = Url::parse(&config.base_url).map_err(|error| error.to_string())?;
        let keys = OpenAIConfig::new()
            .with_api_base(config.base_url.trim_end_matches('/'))
            .with_api_key(config.api_key.expose_secret());
        let client = Client::build(http_transport::client_for(&url)?, keys);
        Ok(Self {
            client,
            config,
            clock,
        })
    }

    /// Next item of a stream, or an error if it stays silent.
    async fn within<T>(&self, next: impl Future<Output = T> + Send) -> Result<T, ModelError> {
        tokio::select! {
            biased;
            next = next => Ok(next),
            () = self.clock.sleep(self.config.silence) => {
                Err(ModelError::Broken(format!("no data for {} s", self.config.silence.as_secs())))
            }
        }
    }
}

#[async_trait]
impl Model for ChatModel {
    async fn answer(
        &self,
        request: ModelRequest,
        hear: &(dyn for<'a> Fn(&'a str) + Send + Sync),
    ) -> Result<ModelAnswer, ModelError> {
        let body = request::body(&self.config.model, request);
        let chat = self.client.chat();
        let opened = self
            .within(chat.create_stream_byot::<_, Value>(body))
            .await?;
        let mut chunks = opened.map_err(|error| model_error(&error))?;
        let mut assembly = Assembly::default();
        while let Some(chunk) = self.next(&mut chunks).await? {
            if let Some(words) = assembly.take(&chunk) {
                hear(&words);
            }
        }
        assembly.finish()
    }

    fn name(&self) -> &str {
        &self.config.model
    }

    fn offline(&self) -> bool {
        self.config.offline
    }
}

impl ChatModel {
    async fn next<S>(&self, chunks: &mut S) -> Result<Option<Value>, ModelError>
    where
        S: Stream<Item = Result<Value, OpenAIError>> + Send + Unpin,
    {
        match self.within(chunks.next()).await? {
            None => Ok(None),
            Some(Ok(chunk)) => match chunk.get("error") {
                // Some servers report errors in the middle of a stream that began well
                Some(error) if !error.is_null() => Err(ModelError::Broken(error_message(error))),
                _ => Ok(Some(chunk)),
            },
            Some(Err(error)) => Err(model_error(&error)),
        }
    }
}

/// Converts the library's error. Nothing of the request is repeated in it: it contains what people
/// wrote.
fn model_error(error: &OpenAIError) -> ModelError {
    match error {
        OpenAIError::ApiError(answer) => match answer.status_code.as_u16() {
            429 => ModelError::Busy { after: None },
            408 | 409 | 500.. => {
                ModelError::Broken(format!("{ANSWERED}{}", answer.status_code.as_u16()))
            }
            status => ModelError::Refused {
                status,
                reason: short(&answer.api_error.message),
            },
        },
        OpenAIError::Reqwest(error) => match error.status().map(|status| status.as_u16()) {
            Some(429) => ModelError::Busy { after: None },
            _ => ModelError::Broken(http_transport::reasons(error)),
        },
        OpenAIError::JSONDeserialize(..) => {
            ModelError::Broken("it sent something that is not JSON".to_owned())
        }
        OpenAIError::StreamError(_) => ModelError::Broken("the stream broke".to_owned()),
        other => ModelError::Refused {
            status: 0,
            reason: short(&other.to_string()),
        },
    }
}

fn error_message(error: &Value) -> String {
    short(
        error["message"]
            .as_str()
            .unwrap_or("an error in the stream"),
    )
}

fn short(text: &str) -> String {
    text.chars().take(200).collect()
}
