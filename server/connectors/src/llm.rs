//! Language model behind the interfaces that OpenAI made common: `POST {base}/chat/completions` and
//! `POST {base}/responses`, streamed.
//!
//! ```text
//! ModelRequest ─► chat_request.rs or responses_request.rs ─► profile.rs: what this server takes ─► HTTP
//!                    ▲                                          │ refused: error_body.rs; learn, and once more
//! ModelAnswer ◄── chat_stream.rs or responses_stream.rs ◄── server-sent events
//! ```
//! Chunks are parsed leniently as plain JSON, because servers differ in what they omit. The one
//! strict rule is the end: a stream that stops without a finish reason is an error, however
//! complete it looks. Nothing is repeated here that could succeed unchanged later; whoever asks
//! decides about that.

mod answer_limit;
mod assembled;
mod assembly;
mod call_id;
mod chat_request;
mod chat_stream;
mod endpoint;
mod error_body;
mod event_lines;
mod lenient_json;
mod observed_model;
mod profile;
mod responses_request;
mod responses_stream;
mod retry_after;
mod thought_filter;
mod tool_list;

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use dewy_domain::ports::{Clock, Model, ModelAnswer, ModelError, ModelRequest};
use reqwest::{Client, Response, header};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use crate::{http_transport, without_secret::without_secret};
use answer_limit::AnswerLimit;
use assembled::Assembled;
use assembly::Assembly;
use endpoint::{Api, Endpoint};
use error_body::ErrorBody;
use event_lines::{Event, EventLines};
pub use observed_model::{ModelCount, ObservedModel};
use profile::Profile;

/// Maximum number of refusals that one request may learn from.
const MAX_LESSONS: usize = 8;
/// Maximum length of a body that is no stream, in bytes.
const MAX_BODY: usize = 512 * 1024;
/// Wait for the usage after an answer's end.
const GRACE: Duration = Duration::from_secs(2);

/// Model settings and timeouts.
#[derive(Clone, Debug)]
pub struct ModelConfig {
    /// URL up to and without `/chat/completions`: `https://api.openai.com/v1`. A whole address of
    /// one of the interfaces is accepted, too.
    pub base_url: String,
    /// Bearer token.
    pub api_key: SecretString,
    pub model: String,
    /// Maximum silence before the first chunk and between two chunks.
    pub silence: Duration,
    /// Maximum length of an answer, in tokens.
    pub answer_tokens: u32,
    /// Room for reasoning beside the answer, in tokens, for models that reason.
    pub reasoning_tokens: u32,
    /// Reasoning effort, if not the server's own.
    pub reasoning_effort: Option<String>,
    /// Whether it is the sandbox's model.
    pub offline: bool,
}

/// Model over HTTP.
#[derive(Debug)]
pub struct ChatModel {
    client: Client,
    endpoint: Endpoint,
    config: ModelConfig,
    clock: Arc<dyn Clock>,
    /// What was learned of the server.
    profile: Mutex<Profile>,
}

/// A failed request, and what its server said, if it did.
struct Failure {
    error: ModelError,
    said: Option<Box<(u16, ErrorBody)>>,
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Self { error, said: None }
    }
}

/// Text as it arrives.
type Listener<'a> = &'a (dyn for<'b> Fn(&'b str) + Send + Sync);

impl ChatModel {
    /// Creates a client with an empty pool.
    ///
    /// # Errors
    /// When the base is not a web address, or no HTTP client can be built for it.
    pub fn new(config: ModelConfig, clock: Arc<dyn Clock>) -> Result<Self, String> {
        let (endpoint, api) = Endpoint::parse(&config.base_url)?;
        Ok(Self {
            client: http_transport::client_for(endpoint.base())?,
            endpoint,
            config,
            clock,
            profile: Mutex::new(Profile::new(api)),
        })
    }

    /// Body of a request, as the server takes it by what is known so far.
    fn body(&self, profile: &Profile, limit: AnswerLimit, request: ModelRequest) -> Value {
        let (model, origin) = (&self.config.model, self.origin(profile.api));
        let mut body = match profile.api {
            Api::Chat => chat_request::body(model, request, &origin, profile.opaque),
            Api::Responses => responses_request::body(model, request, &origin, profile.opaque),
        };
        let room = if profile.reasons || profile.api == Api::Responses {
            self.config.reasoning_tokens
        } else {
            0
        };
        let configured = u64::from(self.config.answer_tokens.saturating_add(room));
        if let Some(tokens) = limit.of(configured) {
            body[profile.limit_name()] = json!(tokens);
        }
        if let Some(effort) = profile.effort(self.config.reasoning_effort.as_deref()) {
            match profile.api {
                Api::Chat => body["reasoning_effort"] = json!(effort),
                Api::Responses => body["reasoning"] = json!({ "effort": effort }),
            }
        }
        profile.fit(body)
    }

    /// Where opaque parts come from, and may go back to.
    fn origin(&self, api: Api) -> String {
        format!(
            "{} {} {}",
            self.endpoint.host(),
            self.config.model,
            api.path()
        )
    }

    /// Next item of a stream, or an error if it stays silent.
    async fn within<T>(
        &self,
        patience: Duration,
        next: impl Future<Output = T> + Send,
    ) -> Result<T, ModelError> {
        tokio::select! {
            biased;
            next = next => Ok(next),
            () = self.clock.sleep(patience) => Err(ModelError::Silent(patience)),
        }
    }

    async fn ask(
        &self,
        profile: &Profile,
        body: &Value,
        hear: Listener<'_>,
    ) -> Result<Assembled, Failure> {
        let url = self.endpoint.url(profile.api, profile.other_address);
        let key = self.config.api_key.expose_secret();
        let mut request = self.client.post(url).bearer_auth(key).json(body);
        // Azure's older addresses know only this header
        if self.endpoint.host().ends_with(".azure.com") {
            request = request.header("api-key", key);
        }
        let sent = self.within(self.config.silence, request.send()).await?;
        let response = sent.map_err(|error| ModelError::Broken(http_transport::reasons(&error)))?;
        let status = response.status().as_u16();
        let kind = response.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let page = kind.contains("html");
        if page || !response.status().is_success() {
            let after = retry_after::of(response.headers(), self.clock.now());
            let text = self.text(response).await?;
            // Some servers repeat our key
            let said = ErrorBody::parse(&without_secret(&text, &self.config.api_key));
            let error = match status {
                200..=299 => ModelError::Broken(said.reason.clone()),
                _ => said.error(status, after),
            };
            let said = Some(Box::new((status, said)));
            return Err(Failure { error, said });
        }
        self.read_stream(profile.api, response, hear).await
    }

    /// Reads events, or one whole answer, whatever the response is called.
    async fn read_stream(
        &self,
        api: Api,
        mut response: Response,
        hear: Listener<'_>,
    ) -> Result<Assembled, Failure> {
        let broken = |words: &str| Err(ModelError::Broken(words.to_owned()).into());
        let (mut assembly, mut lines) = (Assembly::new(api), EventLines::default());
        let (grace, mut ended_at) = (GRACE.min(self.config.silence), None);
        // Everything before the first event
        let mut whole = Some(Vec::new());
        'stream: loop {
            // Some servers leave the connection open after the end
            let patience = match ended_at {
                None => self.config.silence,
                Some(at) => grace.saturating_sub(self.clock.uptime().saturating_sub(at)),
            };
            if patience.is_zero() {
                break;
            }
            let bytes = match self.within(patience, response.chunk()).await {
                Ok(Ok(Some(bytes))) => bytes,
                Ok(Ok(None)) => {
                    let rest = std::mem::take(&mut lines).finish();
                    let rest = rest.or_else(|| Event::whole(&whole.take()?));
                    if let Some(event) = rest.filter(|_| ended_at.is_none()) {
                        self.take(&mut assembly, &event, hear)?;
                    }
                    break;
                }
                Ok(Err(_)) | Err(_) if ended_at.is_some() => break,
                Ok(Err(_)) => return broken("the stream broke"),
                Err(silent) => return Err(silent.into()),
            };
            let events = lines.take(&bytes);
            match &mut whole {
                Some(whole) if events.is_empty() => whole.extend_from_slice(&bytes),
                _ => whole = None,
            }
            for event in events {
                if self.take(&mut assembly, &event, hear)? || assembly.is_too_long() {
                    break 'stream;
                }
            }
            if lines.is_too_long() {
                return broken("its answer is too long");
            }
            if assembly.has_ended() {
                ended_at = ended_at.or_else(|| Some(self.clock.uptime()));
            }
        }
        Ok(assembly.finish(&self.origin(api))?)
    }

    /// Takes an event, or the error that it is: servers report those in the middle of a stream that
    /// began well, too. Returns whether it is the last one.
    fn take(
        &self,
        assembly: &mut Assembly,
        event: &Event,
        hear: Listener<'_>,
    ) -> Result<bool, Failure> {
        if event.data == "[DONE]" {
            return Ok(true);
        }
        let chunk = match event.is_error {
            true => Value::Null,
            false => lenient_json::parse(&event.data).map_err(|_| not_json())?,
        };
        let text = match event.is_error {
            true => Some(event.data.clone()),
            false => ErrorBody::is_told_by(&chunk).then(|| chunk.to_string()),
        };
        if let Some(text) = text {
            let said = ErrorBody::parse(&without_secret(&text, &self.config.api_key));
            let error = said.error_in_stream();
            let status = match &error {
                ModelError::Refused { status, .. } if !assembly.has_begun() => Some(*status),
                _ => None,
            };
            let said = status.map(|status| Box::new((status, said)));
            return Err(Failure { error, said });
        }
        if let Some(words) = assembly.take(&chunk) {
            hear(&words);
        }
        Ok(false)
    }

    /// Beginning of a body.
    async fn text(&self, mut response: Response) -> Result<String, ModelError> {
        let mut bytes = Vec::new();
        while bytes.len() < MAX_BODY
            && let Ok(Some(more)) = self.within(self.config.silence, response.chunk()).await?
        {
            bytes.extend_from_slice(&more);
        }
        let text = String::from_utf8_lossy(&bytes);
        Ok(text.trim_start_matches('\u{feff}').to_owned())
    }

    fn known(&self) -> Profile {
        self.profile
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn remember(&self, profile: Profile) {
        let mut known = self.profile.lock().unwrap_or_else(PoisonError::into_inner);
        if *known != profile {
            tracing::info!(model = self.config.model, profile = %profile.summary(), "learned what the model's server takes");
            *known = profile;
        }
    }
}

#[async_trait]
impl Model for ChatModel {
    async fn answer(
        &self,
        request: ModelRequest,
        hear: Listener<'_>,
    ) -> Result<ModelAnswer, ModelError> {
        let (mut profile, mut limit) = (self.known(), AnswerLimit::default());
        for lesson in 1.. {
            let body = self.body(&profile, limit, request.clone());
            match self.ask(&profile, &body, hear).await {
                Ok(found) if found.is_starved() && !profile.reasons && lesson < MAX_LESSONS => {
                    profile.reasons = true;
                }
                Ok(found) => {
                    profile.reasons |= found.reasoned;
                    self.remember(profile);
                    return Ok(found.answer);
                }
                Err(Failure { error, said }) => {
                    let name = profile.limit_name();
                    let learns = said.is_some_and(|said| {
                        matches!(said.0, 400 | 422)
                            && limit.lower(&said.1, name, body[name].as_u64())
                            || profile.learn(said.0, &said.1, &body)
                    });
                    if !learns || lesson >= MAX_LESSONS {
                        return Err(error);
                    }
                    tracing::info!(model = self.config.model, %error, "the model's server refused a request as it was; sending another form");
                }
            }
        }
        Err(ModelError::Broken("it was not asked".to_owned()))
    }

    fn name(&self) -> &str {
        &self.config.model
    }

    fn offline(&self) -> bool {
        self.config.offline
    }
}

fn not_json() -> ModelError {
    ModelError::Broken("it sent something that is not JSON".to_owned())
}
