//! Presentation of executions to people; one implementation per saga.

use dewy_domain::{
    answer_body::AnswerBody,
    execution_view::{Difference, MoneyView},
    money::Cents,
    payment_intent_id::PaymentIntentId,
    said,
    sentence::Sentence,
};
use dewy_saga::{Progress, State, journal::ExecutionRecord};
use serde::de::DeserializeOwned;

use crate::saga_parts::settings::Settings;

#[derive(Clone, Copy)]
pub(crate) struct Presented<'a> {
    pub record: &'a ExecutionRecord,
    /// What its journal says.
    pub progress: &'a Progress,
    /// The tool's answer, once final.
    pub body: Option<&'a AnswerBody>,
    /// How the hotel writes.
    pub settings: &'a Settings,
}

pub(crate) trait Presentation: Send + Sync {
    /// One sentence: the current state, what happened to the money, what happens next.
    fn summary(&self, of: Presented<'_>) -> Sentence;

    /// Money according to the journal; `None` until any moved.
    fn money(&self, progress: &Progress) -> Option<MoneyView> {
        let _ = progress;
        None
    }

    /// What one payment of several took; `None` where there is only one.
    fn captured_by(&self, progress: &Progress, payment: &PaymentIntentId) -> Option<Cents> {
        let _ = (progress, payment);
        None
    }

    /// Payments that the money was taken with.
    fn payment_intents(&self, progress: &Progress) -> Vec<PaymentIntentId> {
        let _ = progress;
        Vec::new()
    }

    /// What the compensation left unchanged because others had edited it.
    fn differences(&self, progress: &Progress) -> Vec<Difference> {
        let _ = progress;
        Vec::new()
    }

    /// Ids in the outside systems: (kind, id).
    fn ids(&self, progress: &Progress) -> Vec<(String, String)> {
        let _ = progress;
        Vec::new()
    }

    /// URL where the guest has to act, while the execution waits for that.
    fn next_action_url(&self, progress: &Progress) -> Option<String> {
        let _ = progress;
        None
    }

    /// Status text for a caller who stops waiting.
    fn pending_note(&self, record: &ExecutionRecord, progress: &Progress) -> String {
        let _ = progress;
        match record.state {
            State::Retrying => "An outside system is slow; we keep trying.",
            State::Waiting => "It waits for another execution.",
            _ => "We are working on it.",
        }
        .to_owned()
    }
}

/// Presentation of a saga whose states read alike.
pub(crate) struct Labels<T> {
    /// Summary on success, from the tool's result.
    pub done: fn(T) -> Sentence,
    /// Summary while it is running.
    pub doing: fn() -> Sentence,
    /// Summary on failure.
    pub not_done: fn() -> Sentence,
}

impl<T: DeserializeOwned> Presentation for Labels<T> {
    fn summary(&self, of: Presented<'_>) -> Sentence {
        let (record, progress, body) = (of.record, of.progress, of.body);
        match record.state {
            State::Completed => {
                let result = body.and_then(AnswerBody::result);
                result.map_or_else(Sentence::default, self.done)
            }
            State::Refused | State::Compensated => {
                let failure = body.and_then(AnswerBody::failure);
                failure.unwrap_or_else(self.not_done)
            }
            State::Retrying | State::Waiting => said!("booking-slow"),
            State::NeedsAttention => said!("desk"),
            State::SettledByHand => said!("settled"),
            State::Compensating => said!("reverting"),
            _ if progress.facts.is_some() => (self.doing)(),
            _ => said!("looking-up"),
        }
    }
}
