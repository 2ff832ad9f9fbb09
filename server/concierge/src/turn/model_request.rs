//! Request to the model, sent with retries.

use std::time::Duration;

use dewy_domain::{
    caller::Caller,
    ports::{ModelAnswer, ModelError, ModelMessage, ModelRequest},
};

use super::request_size;
use crate::{concierge_service::Inner, live_conversations::LiveConversation, offered_tools};

/// Maximum number of attempts per request, if a retry may help.
const MAX_ATTEMPTS: u32 = 3;
/// Delay before the second attempt; doubled before the third.
const PAUSE: Duration = Duration::from_millis(400);
/// Maximum length of an answer in tokens.
const MAX_TOKENS: u32 = 1500;

/// Result of a model request.
pub(super) enum ModelOutcome {
    Answer(ModelAnswer),
    /// Stopped, with the text so far.
    Stopped(String),
    Late,
    Trouble(ModelError),
}

impl Inner {
    /// Sends the request, with retries. Text received before a failure is discarded.
    pub(super) async fn request_answer(
        &self,
        caller: &Caller,
        request: ModelRequest,
        turn: &str,
        room: &LiveConversation,
    ) -> ModelOutcome {
        let mut pause = PAUSE;
        for attempt in 1.. {
            room.begin(turn);
            let hear = |words: &str| room.append_text(turn, words);
            match self.parts.model.answer(request.clone(), &hear).await {
                Ok(answer) => return ModelOutcome::Answer(answer),
                Err(error) => {
                    tracing::warn!(%error, attempt, "the model did not answer");
                    if !error.is_transient() || attempt >= MAX_ATTEMPTS {
                        return ModelOutcome::Trouble(error);
                    }
                    if matches!(error, ModelError::Broken(_)) {
                        let size = request_size::of(&request);
                        let answer = ModelAnswer {
                            text: room.partial_text(turn),
                            ..ModelAnswer::default()
                        };
                        self.record_usage(caller, size, &answer, 0, 0).await;
                    }
                    if let ModelError::Busy { after: Some(after) } = error {
                        pause = pause.max(after.min(Duration::from_secs(5)));
                    }
                }
            }
            self.parts.clock.sleep(pause).await;
            pause *= 2;
        }
        ModelOutcome::Late
    }
}

/// Model request. Its user name is a pseudonym: not even a digest of the address is sent.
pub(super) fn request(
    caller: &Caller,
    conversation: &str,
    messages: Vec<ModelMessage>,
) -> ModelRequest {
    ModelRequest {
        messages,
        tools: offered_tools::tools(caller),
        max_tokens: MAX_TOKENS,
        person: conversation.to_owned(),
    }
}
