//! What the runner and presentations read of a declared saga.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use super::Saga;
use crate::{
    activity::JournaledActivity,
    context::Context,
    definition::Definition,
    event::{Direction, End, Fault},
    execution_id::ExecutionId,
    journal::Projection,
    prerequisites::PrerequisitesResult,
    progress::Progress,
    rechecks::RecheckResult,
};

impl Saga {
    /// The saga's steps as data.
    #[must_use]
    pub const fn definition(&self) -> &Definition {
        &self.definition
    }

    /// Reads the prerequisites for this input, without starting anything.
    pub async fn preview(&self, input: &Value, now: Timestamp) -> PrerequisitesResult {
        let nobody = ExecutionId(Uuid::nil());
        self.read(Context {
            id: nobody,
            input,
            progress: &Progress::new(nobody),
            now,
            definition: &self.definition,
            step: None,
        })
        .await
    }

    pub(crate) async fn read(&self, cx: Context<'_>) -> PrerequisitesResult {
        self.prerequisites.read(cx).await
    }

    pub(crate) fn version_of(&self, facts: &Value) -> Option<u32> {
        (self.version_for)(facts)
    }

    /// A step's activity; `None` for a direction without work.
    pub(crate) fn activity(
        &self,
        step: &str,
        direction: Direction,
    ) -> Option<Arc<JournaledActivity>> {
        let at = self.definition.steps.iter().position(|s| s.name == step)?;
        let activities = self.activities.get(at)?;
        match direction {
            Direction::Forward => Some(Arc::clone(&activities.forward)),
            Direction::Back => activities.back.clone(),
        }
    }

    pub(crate) fn answer_ended(&self, cx: Context<'_>, end: End, reason: Option<&str>) -> Value {
        (self.answer)(cx, end, reason)
    }

    pub(crate) fn answer_held(&self, by: ExecutionId) -> Value {
        (self.held)(by)
    }

    pub(crate) fn answer_unavailable(&self, fault: &Fault) -> Value {
        (self.unavailable)(fault)
    }

    pub(crate) fn attention_after(&self, cx: Context<'_>) -> Option<String> {
        self.attention.iter().find_map(|reason| reason(cx))
    }

    pub(crate) fn projections_after(&self, cx: Context<'_>) -> Vec<Projection> {
        self.projections.iter().filter_map(|row| row(cx)).collect()
    }

    pub(crate) fn labels_after(&self, cx: Context<'_>) -> Vec<(String, String)> {
        self.labels.iter().flat_map(|labels| labels(cx)).collect()
    }

    pub(crate) fn wants_rechecks(&self, cx: Context<'_>) -> bool {
        self.rechecks.as_ref().is_some_and(|r| r.wanted(cx))
    }

    pub(crate) async fn recheck(&self, cx: Context<'_>) -> RecheckResult {
        match &self.rechecks {
            Some(rechecks) => rechecks.recheck(cx).await,
            None => RecheckResult::Quiet,
        }
    }
}
