//! What a saga's code sees of its execution.

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    definition::Definition,
    event::{Direction, Fault},
    execution_id::ExecutionId,
    progress::{DirectionProgress, Progress},
    step_id::StepId,
};

/// Input of an activity. It may only depend on what is journaled, so that recovery sees the same.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    pub id: ExecutionId,
    /// The caller's validated input.
    pub input: &'a Value,
    pub progress: &'a Progress,
    /// Current time.
    pub now: Timestamp,
    /// Steps of the saga.
    pub definition: &'a Definition,
    /// The activity's own step and direction; `None` outside of activities.
    pub step: Option<(&'static str, Direction)>,
}

impl<'a> Context<'a> {
    /// The same context for the activity of that step and direction.
    #[must_use]
    pub const fn at(self, step: &'static str, direction: Direction) -> Self {
        Self {
            step: Some((step, direction)),
            ..self
        }
    }

    /// The activity's own step and direction, if anything happened in it.
    #[must_use]
    pub fn direction_progress(&self) -> Option<&'a DirectionProgress> {
        let (name, direction) = self.step?;
        self.progress.direction_progress(name, direction)
    }

    #[must_use]
    pub fn is_undo(&self) -> bool {
        self.step
            .is_some_and(|(_, direction)| direction == Direction::Back)
    }

    /// Facts from the prerequisites.
    #[must_use]
    pub fn facts<F: DeserializeOwned>(&self) -> Option<F> {
        self.progress.facts()
    }

    /// Output of a completed step.
    #[must_use]
    pub fn output<O: DeserializeOwned, U>(&self, step: StepId<O, U>) -> Option<O> {
        self.progress.output(step)
    }

    /// Why the execution did not succeed: the cause of its compensation, or the fault of the last
    /// step that has one.
    #[must_use]
    pub fn failure(&self) -> Option<&'a Fault> {
        let progress = self.progress;
        let of_step = || {
            let mut steps = self.definition.steps.iter().rev();
            steps.find_map(|s| {
                progress
                    .direction_progress(s.name, Direction::Forward)?
                    .fault
                    .as_ref()
            })
        };
        let decision = progress.decision.as_ref().map(|decision| &decision.fault);
        decision.or_else(of_step)
    }
}
