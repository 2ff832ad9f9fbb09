//! A saga's steps as data, for the runner, the staff timeline and the drawing of the workflow.

use std::{fmt::Write as _, time::Duration};

/// Role of a step in its saga.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// Has a compensation.
    Compensatable,
    /// After its journaled success the saga only goes forward. Until then its effect, if any, is
    /// compensated.
    Pivot,
    /// After the pivot: retried until it succeeds.
    Retriable,
    /// Harmless if left behind, and found again next time.
    Orphan,
}

/// How long to pursue a step's unknown outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownOutcomePolicy {
    /// Within the forward budget; then the saga compensates.
    Budget,
    /// Until the activity determines the outcome: never give up on money.
    UntilKnown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Stable name: part of journals and keys.
    pub name: &'static str,
    pub title: &'static str,
    /// Title of the compensation; `None` when the step has none, which `why_no_undo` explains.
    pub undo_title: Option<&'static str>,
    /// Role in the saga.
    pub kind: StepKind,
    /// Money steps are compensated first.
    pub money: bool,
    /// Needed only in some executions: views leave it out while nothing happens in it.
    pub contingent: bool,
    /// How long to pursue an unknown outcome.
    pub patience: UnknownOutcomePolicy,
    /// Why there is no compensation; empty when there is one.
    pub why_no_undo: &'static str,
}

/// A saga's steps, in order. [`Saga`](crate::Saga) builds it.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Stable name: executions are stored under it.
    pub name: &'static str,
    /// Increases with every change of the steps or of what they journal.
    pub version: u32,
    pub title: &'static str,
    pub steps: Vec<Step>,
    /// Delays of the rechecks after the end, if a request was recorded as not applied.
    pub recheck_after: Vec<Duration>,
}

impl Definition {
    #[must_use]
    pub fn step(&self, name: &str) -> Option<&Step> {
        self.steps.iter().find(|s| s.name == name)
    }

    /// Steps in the order of compensation: money first, each group in reverse.
    pub fn undo_order(&self) -> impl Iterator<Item = &Step> {
        let undoable = |money: bool| {
            self.steps
                .iter()
                .rev()
                .filter(move |s| s.undo_title.is_some() && s.money == money)
        };
        undoable(true).chain(undoable(false))
    }

    /// The workflow as text, one line per step.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = format!("{} v{}\n", self.name, self.version);
        for step in &self.steps {
            let kind = match step.kind {
                StepKind::Compensatable => "compensatable",
                StepKind::Pivot => "pivot",
                StepKind::Retriable => "retriable",
                StepKind::Orphan => "orphan",
            };
            let undo = step.undo_title.map_or_else(
                || format!("(no undo: {})", step.why_no_undo),
                |u| format!("- {u}"),
            );
            // Writing to a String cannot fail.
            let _ = writeln!(
                text,
                "  {:<10} {:<18} + {}  {undo}",
                step.name, kind, step.title
            );
        }
        let _ = write!(text, "  compensation order: ");
        let names: Vec<_> = self.undo_order().map(|s| s.name).collect();
        text + &names.join(", ") + "\n"
    }
}
