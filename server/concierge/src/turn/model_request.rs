//! Request to the model, sent with retries. This is the only place that repeats one.

use std::time::Duration;

use dewy_domain::{
    blank_text::is_blank,
    caller::Caller,
    ports::{ModelAnswer, ModelError, ModelMessage, ModelRequest},
    said,
};
use dewy_languages::Language;
use jiff::Timestamp;

use super::request_size;
use crate::{concierge_service::Inner, live_conversations::LiveConversation, offered_tools};

/// Maximum number of attempts per request, if a retry may help.
const MAX_ATTEMPTS: u32 = 3;
/// The same when the model stays silent: each attempt takes long.
const MAX_SILENT_ATTEMPTS: u32 = 2;
/// Delay before the second attempt, if the server names none; doubled before the third.
const PAUSE: Duration = Duration::from_millis(400);
/// Longest delay that a person waits for.
const MAX_PAUSE: Duration = Duration::from_secs(60);
/// Delays from this on are told.
const TOLD_FROM: Duration = Duration::from_secs(2);

/// Result of a model request.
pub(super) enum ModelOutcome {
    Answer(ModelAnswer),
    /// Stopped, with the text so far.
    Stopped(String),
    Late,
    Trouble(ModelError),
}

impl Inner {
    /// Sends the request, with retries that end before `until`. Text received before a failure is
    /// discarded. Whoever waits is told why.
    pub(super) async fn request_answer(
        &self,
        caller: &Caller,
        request: ModelRequest,
        (turn, until): (&str, Timestamp),
        room: &LiveConversation,
    ) -> ModelOutcome {
        let mut pause = PAUSE;
        for attempt in 1.. {
            room.begin(turn);
            let hear = |words: &str| room.append_text(turn, words);
            let error = match self.parts.model.answer(request.clone(), &hear).await {
                Ok(answer) => return ModelOutcome::Answer(answer),
                Err(error) => error,
            };
            let wait = match &error {
                ModelError::Busy { after, .. } => after.unwrap_or(pause).max(pause),
                _ => pause,
            };
            let attempts = match &error {
                ModelError::Silent(_) => MAX_SILENT_ATTEMPTS,
                _ => MAX_ATTEMPTS,
            };
            let left = Duration::try_from(until.duration_since(self.now())).unwrap_or_default();
            let again =
                error.is_transient() && attempt < attempts && wait <= MAX_PAUSE && wait < left;
            tracing::warn!(%error, code = error.code(), attempt, again, "the model did not answer");
            if !again {
                return ModelOutcome::Trouble(error);
            }
            // What was written before it broke off is paid for; the last attempt's text is counted
            // with its outcome
            let text = room.partial_text(turn);
            if !is_blank(&text) {
                let broken = ModelAnswer {
                    text,
                    ..ModelAnswer::default()
                };
                let size = request_size::of(&request);
                self.record_usage(caller, size, &broken, 0, 0).await;
            }
            let silent = matches!(error, ModelError::Silent(_));
            if silent || wait >= TOLD_FROM {
                let notice = match silent {
                    true => said!("talk-slow"),
                    false => said!("talk-trying", seconds = wait.as_secs_f64().ceil()),
                };
                let language = Language::named(&self.hub.languages.of(&caller.key()));
                let language = language.unwrap_or_default();
                let told = notice.told(|_| None, |id, values| language.translation(id, values));
                room.set_notice(turn, told);
            }
            self.parts.clock.sleep(wait).await;
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
        person: conversation.to_owned(),
    }
}
