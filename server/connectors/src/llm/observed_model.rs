//! A model whose calls are counted, for *Outside systems* and metrics.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    ports::{Clock, Model, ModelAnswer, ModelError, ModelRequest},
    upstream_request::{Reply, System, UpstreamError},
};
use serde_json::json;

use super::ANSWERED;
use crate::{Count, HealthStats, access_alarms::refused_access, exchange_log::ExchangeLog};

/// Name of the only operation, in metrics.
const CHAT: &str = "chat";

/// Number of failures in a row after which the model counts as down. Nothing is held back.
const DOWN_AFTER: u32 = 3;

/// Interval of the breaker, which holds nothing back.
const PAUSE: Duration = Duration::from_secs(20);

/// A model, and what is known of its recent calls.
#[derive(Debug)]
pub struct ObservedModel {
    model: Arc<dyn Model>,
    clock: Arc<dyn Clock>,
    log: ExchangeLog,
}

impl ObservedModel {
    /// Wraps a model.
    #[must_use]
    pub fn new(model: Arc<dyn Model>, clock: Arc<dyn Clock>) -> Self {
        let log = ExchangeLog::new(System::Llm, DOWN_AFTER, PAUSE, Arc::clone(&clock));
        Self { model, clock, log }
    }

    /// Calls so far, by outcome.
    #[must_use]
    pub fn counts(&self) -> Vec<Count> {
        self.log.counts()
    }

    /// Recent health of the model's server.
    #[must_use]
    pub fn health_stats(&self) -> HealthStats {
        HealthStats {
            circuit_open_until: None,
            ..self.log.health_stats()
        }
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
fn reply(error: Option<&ModelError>) -> Reply<()> {
    match error {
        None => Reply::Done(()),
        Some(ModelError::Busy { .. }) => {
            Reply::TryLater(UpstreamError::new("http_429", "the model is busy"))
        }
        Some(ModelError::Refused { status, reason }) => {
            let code = format!("http_{status}");
            if refused_access(System::Llm, &code).is_none() {
                return Reply::Unknown(UpstreamError::new(code, reason));
            }
            Reply::TryLater(UpstreamError {
                details: json!({ "message": reason }),
                ..UpstreamError::new(code, reason)
            })
        }
        Some(ModelError::Broken(reason)) => {
            let status = reason.strip_prefix(ANSWERED);
            let code =
                status.map_or_else(|| "broken".to_owned(), |status| format!("http_{status}"));
            Reply::Unknown(UpstreamError::new(code, reason))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_key_is_an_alarm_and_everything_else_without_an_answer_a_failure() {
        let refused = |status| {
            let reason = "Incorrect API key provided".to_owned();
            reply(Some(&ModelError::Refused { status, reason }))
        };
        assert!(matches!(refused(401), Reply::TryLater(error) if error.code == "http_401"));
        assert!(matches!(refused(400), Reply::TryLater(error) if error.code == "http_400"));
        assert!(matches!(refused(418), Reply::Unknown(error) if error.code == "http_418"));
        let broken = reply(Some(&ModelError::Broken(format!("{ANSWERED}500"))));
        assert!(matches!(broken, Reply::Unknown(error) if error.code == "http_500"));
        assert_eq!(reply(None), Reply::Done(()));
    }
}
