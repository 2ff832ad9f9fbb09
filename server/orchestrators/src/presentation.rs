//! How a saga's executions are told to people; one implementation beside each saga.

use dewy_domain::view::{Difference, MoneyView};
use dewy_saga::{Progress, State, journal::Record};
use serde_json::Value;

use crate::settings::Settings;

/// The words of one saga.
pub(crate) trait Presentation: Send + Sync {
    /// One honest sentence: where it stands, what became of the money, what happens next.
    fn summary(
        &self,
        record: &Record,
        progress: &Progress,
        body: Option<&Value>,
        settings: &Settings,
    ) -> String;

    /// Money as the journal knows it; `None` while none moved.
    fn money(&self, progress: &Progress) -> Option<MoneyView> {
        let _ = progress;
        None
    }

    /// The payment that it is about.
    fn payment_intent(&self, progress: &Progress) -> Option<String> {
        let _ = progress;
        None
    }

    /// What the compensation left as others had changed it.
    fn differences(&self, progress: &Progress) -> Vec<Difference> {
        let _ = progress;
        Vec::new()
    }

    /// Ids on both sides: (what, id).
    fn ids(&self, progress: &Progress) -> Vec<(String, String)> {
        let _ = progress;
        Vec::new()
    }

    /// Where the guest has to act, while the execution waits for that.
    fn next_action_url(&self, progress: &Progress) -> Option<String> {
        let _ = progress;
        None
    }

    /// Where it stands, for a caller who does not wait any longer.
    fn pending_note(&self, record: &Record, progress: &Progress) -> String {
        let _ = progress;
        match record.state {
            State::Retrying => "An outside system is slow; we keep trying.",
            State::Waiting => "It waits for another execution.",
            _ => "We are working on it.",
        }
        .to_owned()
    }
}
