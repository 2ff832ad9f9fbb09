//! Declaration of a saga: a list of steps, each with its activity and its compensation.
//!
//! ```text
//! Saga::new("process_guest_checkout", 1, "Check out and pay")
//!     .prepare(…)                           reads and validates; refuses without effect
//!     .step(CUSTOMER, …).orphan("…")        harmless if left behind
//!     .step(PAY, …).undo(PAY, …).money()    compensated first
//!     .pivot(MOVE, …).undo(MOVE, …)         no way back after its success
//!     .recheck_after([…], …)                late effects
//!     .projection(…).labels(…)              rows and labels written in the same transaction
//!     .answer(…)                            what the caller reads
//! ```

mod runtime;

use std::{sync::Arc, time::Duration};

use serde::Serialize;
use serde_json::Value;

use crate::{
    activity::{Activity, Journaled, JournaledActivity},
    context::Context,
    definition::{Definition, Step, StepKind, UnknownOutcomePolicy},
    event::{Direction, End, Fault},
    execution_id::ExecutionId,
    journal::Projection,
    prerequisites::{NoPrerequisites, Prerequisites},
    rechecks::Rechecks,
    step_id::StepId,
};

type Hook<T> = Arc<dyn Fn(Context<'_>) -> T + Send + Sync>;

type Answer = Arc<dyn Fn(Context<'_>, End, Option<&str>) -> Value + Send + Sync>;

/// A step's code in both directions.
#[derive(Clone)]
struct Activities {
    forward: Arc<JournaledActivity>,
    back: Option<Arc<JournaledActivity>>,
}

#[derive(Clone)]
pub struct Saga {
    definition: Definition,
    /// Whether it only finishes the executions that began with it.
    pub(crate) finishes_only: bool,
    /// As many as the definition has steps.
    activities: Vec<Activities>,
    prerequisites: Arc<dyn Prerequisites>,
    version_for: fn(&Value) -> Option<u32>,
    rechecks: Option<Arc<dyn Rechecks>>,
    attention: Vec<Hook<Option<String>>>,
    projections: Vec<Hook<Option<Projection>>>,
    labels: Vec<Hook<Vec<(String, String)>>>,
    answer: Answer,
    held: fn(ExecutionId) -> Value,
    unavailable: fn(&Fault) -> Value,
}

/// Declaration.
impl Saga {
    /// Starts a declaration. `version` increases with every change of the steps or of what they
    /// journal; running executions finish with the version they started with.
    #[must_use]
    pub fn new(name: &'static str, version: u32, title: &'static str) -> Self {
        Self {
            definition: Definition {
                name,
                version,
                title,
                steps: Vec::new(),
                recheck_after: Vec::new(),
            },
            finishes_only: false,
            activities: Vec::new(),
            prerequisites: Arc::new(NoPrerequisites),
            version_for: |_| None,
            rechecks: None,
            attention: Vec::new(),
            projections: Vec::new(),
            labels: Vec::new(),
            answer: Arc::new(|_, _, _| Value::Null),
            held: |_| Value::Null,
            unavailable: |_| Value::Null,
        }
    }

    /// Reads and validates all prerequisites, before anything is done.
    #[must_use]
    pub fn prepare(mut self, prerequisites: impl Prerequisites + 'static) -> Self {
        self.prerequisites = Arc::new(prerequisites);
        self
    }

    /// Other version of the saga that fits these facts, if another does. It has the same
    /// prerequisites, and the execution runs it to the end.
    #[must_use]
    pub fn version_for(mut self, version: fn(&Value) -> Option<u32>) -> Self {
        self.version_for = version;
        self
    }

    /// Adds a step that is compensated ([`Self::undo`]) or harmless ([`Self::orphan`]). Its activity
    /// journals what its id says:
    ///
    /// ```
    /// # use dewy_saga::{Activity, Saga, StepId};
    /// # #[derive(serde::Serialize)]
    /// struct Payment;
    /// const PAY: StepId<Payment> = StepId::new("pay");
    ///
    /// fn declare(payment: impl Activity<Output = Payment> + 'static) -> Saga {
    ///     Saga::new("check_out", 1, "Check out").step(PAY, "Charge the card", payment)
    /// }
    /// ```
    ///
    /// A payment step that journals a refund does not compile:
    ///
    /// ```compile_fail,E0271
    /// # use dewy_saga::{Activity, Saga, StepId};
    /// # #[derive(serde::Serialize)]
    /// struct Payment;
    /// # #[derive(serde::Serialize)]
    /// struct Refund;
    /// const PAY: StepId<Payment> = StepId::new("pay");
    ///
    /// fn declare(refund: impl Activity<Output = Refund> + 'static) -> Saga {
    ///     Saga::new("check_out", 1, "Check out").step(PAY, "Charge the card", refund)
    /// }
    /// ```
    #[must_use]
    pub fn step<O: Serialize + Send, U>(
        self,
        id: StepId<O, U>,
        title: &'static str,
        activity: impl Activity<Output = O> + 'static,
    ) -> Self {
        self.with_step(StepKind::Compensatable, id, title, activity)
    }

    /// Adds the pivot: once its success is journaled, the saga only goes forward.
    #[must_use]
    pub fn pivot<O: Serialize + Send, U>(
        self,
        id: StepId<O, U>,
        title: &'static str,
        activity: impl Activity<Output = O> + 'static,
    ) -> Self {
        self.with_step(StepKind::Pivot, id, title, activity)
    }

    /// Adds a step that is retried until it succeeds.
    #[must_use]
    pub fn retriable<O: Serialize + Send, U>(
        self,
        id: StepId<O, U>,
        title: &'static str,
        activity: impl Activity<Output = O> + 'static,
    ) -> Self {
        self.with_step(StepKind::Retriable, id, title, activity)
    }

    fn with_step<O: Serialize + Send, U>(
        mut self,
        kind: StepKind,
        id: StepId<O, U>,
        title: &'static str,
        activity: impl Activity<Output = O> + 'static,
    ) -> Self {
        self.definition.steps.push(Step {
            name: id.name,
            title,
            undo_title: None,
            kind,
            money: false,
            contingent: false,
            patience: UnknownOutcomePolicy::Budget,
            why_no_undo: "",
        });
        self.activities.push(Activities {
            forward: Arc::new(Journaled(activity)),
            back: None,
        });
        self
    }

    /// Compensation of that step.
    #[must_use]
    pub fn undo<O, U: Serialize + Send>(
        mut self,
        id: StepId<O, U>,
        title: &'static str,
        activity: impl Activity<Output = U> + 'static,
    ) -> Self {
        let mut steps = self.definition.steps.iter_mut().zip(&mut self.activities);
        if let Some((step, activities)) = steps.find(|(step, _)| step.name == id.name) {
            step.undo_title = Some(title);
            activities.back = Some(Arc::new(Journaled(activity)));
        }
        self
    }

    /// The last step has no compensation, for this reason.
    #[must_use]
    pub fn no_undo(self, why: &'static str) -> Self {
        self.last(|step| step.why_no_undo = why)
    }

    /// The last step's effect may be left behind, for this reason.
    #[must_use]
    pub fn orphan(self, why: &'static str) -> Self {
        self.no_undo(why).last(|step| step.kind = StepKind::Orphan)
    }

    /// The last step moves money: it is compensated first.
    #[must_use]
    pub fn money(self) -> Self {
        self.last(|step| step.money = true)
    }

    /// The last step is needed only in some executions.
    #[must_use]
    pub fn contingent(self) -> Self {
        self.last(|step| step.contingent = true)
    }

    /// An unknown outcome of the last step is pursued until it is known.
    #[must_use]
    pub fn until_known(self) -> Self {
        self.last(|step| step.patience = UnknownOutcomePolicy::UntilKnown)
    }

    fn last(mut self, change: impl FnOnce(&mut Step)) -> Self {
        if let Some(step) = self.definition.steps.last_mut() {
            change(step);
        }
        self
    }

    /// Rechecks the outside systems this long after the end.
    #[must_use]
    pub fn recheck_after(
        mut self,
        delays: impl Into<Vec<Duration>>,
        rechecks: impl Rechecks + 'static,
    ) -> Self {
        self.definition.recheck_after = delays.into();
        self.rechecks = Some(Arc::new(rechecks));
        self
    }

    /// After the last step: a reason why a person should check it anyway. The first one counts.
    #[must_use]
    pub fn attention(
        mut self,
        reason: impl Fn(Context<'_>) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.attention.push(Arc::new(reason));
        self
    }

    /// A projection to write with the next append.
    #[must_use]
    pub fn projection(
        mut self,
        row: impl Fn(Context<'_>) -> Option<Projection> + Send + Sync + 'static,
    ) -> Self {
        self.projections.push(Arc::new(row));
        self
    }

    /// Labels that only later steps know.
    #[must_use]
    pub fn labels<L: IntoIterator<Item = (String, String)>>(
        mut self,
        labels: impl Fn(Context<'_>) -> L + Send + Sync + 'static,
    ) -> Self {
        let labels = move |cx: Context<'_>| labels(cx).into_iter().collect();
        self.labels.push(Arc::new(labels));
        self
    }

    /// The tool's answer for an end and its reason.
    #[must_use]
    pub fn answer(
        mut self,
        answer: impl Fn(Context<'_>, End, Option<&str>) -> Value + Send + Sync + 'static,
    ) -> Self {
        self.answer = Arc::new(answer);
        self
    }

    /// The tool's answers when another execution holds a required resource, and when the
    /// prerequisites could not be read.
    #[must_use]
    pub fn refusals(
        mut self,
        held: fn(ExecutionId) -> Value,
        unavailable: fn(&Fault) -> Value,
    ) -> Self {
        self.held = held;
        self.unavailable = unavailable;
        self
    }

    /// While this holds, new executions start with an earlier version, and this one only finishes
    /// those that began with it.
    #[must_use]
    pub const fn finishes_only_if(mut self, off: bool) -> Self {
        self.finishes_only = off;
        self
    }

    /// The same saga with its definition changed, such as the version of another release.
    #[must_use]
    pub fn redefined(mut self, change: impl FnOnce(&mut Definition)) -> Self {
        change(&mut self.definition);
        self
    }

    /// The same saga with each activity wrapped.
    #[must_use]
    pub fn wrapped(
        mut self,
        wrap: impl Fn(&Step, Direction, Arc<JournaledActivity>) -> Arc<JournaledActivity>,
    ) -> Self {
        let steps = self.definition.steps.iter();
        for (step, activities) in steps.zip(&mut self.activities) {
            let forward = Arc::clone(&activities.forward);
            activities.forward = wrap(step, Direction::Forward, forward);
            let back = activities.back.take();
            activities.back = back.map(|back| wrap(step, Direction::Back, back));
        }
        self
    }
}
