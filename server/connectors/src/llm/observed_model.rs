//! A model whose calls are counted, for *Outside systems* and metrics.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use async_trait::async_trait;
use dewy_domain::{
    access_refusal::refused_access,
    ports::{Clock, Model, ModelAnswer, ModelError, ModelRequest},
    upstream_request::{Fault, Outcome, System},
};
use serde_json::json;

use crate::{Count, HealthStats, exchange_log::ExchangeLog};

/// Name of the only operation, in metrics.
const CHAT: &str = "chat";

/// Number of failures in a row after which the model counts as down. Nothing is held back.
const DOWN_AFTER: u32 = 3;

/// Interval of the breaker, which holds nothing back.
const PAUSE: Duration = Duration::from_secs(20);

/// Number of a model's requests with one result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelCount {
    pub model: String,
    /// `answered`, `truncated`, or the code of the failure: `http_503`, `silent`, `broken`.
    pub result: String,
    pub requests: u64,
    /// Tokens that the server counted for them, of input and output.
    pub tokens: (u64, u64),
}

/// A model, and what is known of its recent calls.
#[derive(Debug)]
pub struct ObservedModel {
    model: Arc<dyn Model>,
    clock: Arc<dyn Clock>,
    log: ExchangeLog,
    /// Requests and tokens by result.
    results: Mutex<BTreeMap<String, (u64, u64, u64)>>,
}

impl ObservedModel {
    #[must_use]
    pub fn new(model: Arc<dyn Model>, clock: Arc<dyn Clock>) -> Self {
        let log = ExchangeLog::new(System::Llm, DOWN_AFTER, PAUSE, Arc::clone(&clock));
        let results = Mutex::default();
        Self {
            model,
            clock,
            log,
            results,
        }
    }

    /// Calls so far, by outcome.
    #[must_use]
    pub fn counts(&self) -> Vec<Count> {
        self.log.counts()
    }

    /// The model's requests so far, by result.
    #[must_use]
    pub fn model_counts(&self) -> Vec<ModelCount> {
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let count = |(result, (requests, input, output)): (&String, &(u64, u64, u64))| ModelCount {
            model: self.name().to_owned(),
            result: result.clone(),
            requests: *requests,
            tokens: (*input, *output),
        };
        results.iter().map(count).collect()
    }

    /// Recent health of the model's server.
    #[must_use]
    pub fn health_stats(&self) -> HealthStats {
        HealthStats {
            circuit_open_until: None,
            ..self.log.health_stats()
        }
    }

    fn count(&self, answer: &Result<ModelAnswer, ModelError>) {
        let (result, input, output) = match answer {
            Ok(answer) => {
                let result = if answer.truncated {
                    "truncated"
                } else {
                    "answered"
                };
                (result.to_owned(), answer.input_tokens, answer.output_tokens)
            }
            Err(error) => (error.code(), 0, 0),
        };
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let so_far = results.entry(result).or_default();
        *so_far = (so_far.0 + 1, so_far.1 + input, so_far.2 + output);
    }
}

#[async_trait]
impl Model for ObservedModel {
    async fn answer(
        &self,
        request: ModelRequest,
        on_text: &(dyn for<'a> Fn(&'a str) + Send + Sync),
    ) -> Result<ModelAnswer, ModelError> {
        let began = self.clock.uptime();
        let answer = self.model.answer(request, on_text).await;
        self.log.note(CHAT, &reply(answer.as_ref().err()));
        self.count(&answer);
        if answer.is_ok() {
            self.log
                .record_duration(self.clock.uptime().saturating_sub(began));
        }
        answer
    }

    fn name(&self) -> &str {
        self.model.name()
    }

    fn offline(&self) -> bool {
        self.model.offline()
    }
}

/// Meaning of a call's result for the server's health. Every call without an answer failed.
fn reply(error: Option<&ModelError>) -> Outcome<()> {
    let Some(error) = error else {
        return Outcome::Done(());
    };
    let (code, reason) = (error.code(), error.to_string());
    match error {
        ModelError::Refused { reason, .. } if refused_access(System::Llm, &code).is_some() => {
            Outcome::TryLater(Fault {
                details: json!({ "message": reason }),
                ..Fault::new(code, reason)
            })
        }
        _ => Outcome::Unknown(Fault::new(code, reason)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_key_is_an_alarm_and_everything_else_without_an_answer_a_failure() {
        let reason = || "Incorrect API key provided".to_owned();
        let refused = |status| {
            let reason = reason();
            reply(Some(&ModelError::Refused { status, reason }))
        };
        assert!(matches!(refused(401), Outcome::TryLater(error) if error.code == "http_401"));
        assert!(matches!(refused(400), Outcome::TryLater(error) if error.code == "http_400"));
        assert!(matches!(refused(418), Outcome::Unknown(error) if error.code == "http_418"));
        let (status, after) = (503, None);
        let reason = reason();
        let busy = reply(Some(&ModelError::Busy {
            status,
            reason,
            after,
        }));
        assert!(matches!(busy, Outcome::Unknown(error) if error.code == "http_503"));
        let silent = reply(Some(&ModelError::Silent(PAUSE)));
        assert!(matches!(silent, Outcome::Unknown(error) if error.code == "silent"));
        assert_eq!(reply(None), Outcome::Done(()));
    }
}
