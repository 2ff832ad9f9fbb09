//! Sagas as data: the same list drives the runner, the staff's timeline and the drawing of the
//! workflow.

use std::{fmt::Write as _, time::Duration};

/// What a step is to its saga.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Has a compensation.
    Compensatable,
    /// Past its journaled success the saga only goes forward. Until then its effect, should there
    /// be one, is compensated.
    Pivot,
    /// After the pivot: retried until it is done.
    Retriable,
    /// Harmless if left behind, and found again next time.
    Orphan,
}

/// How long a step's unknown outcome is pursued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Within the forward budget; then the saga turns back.
    Budget,
    /// Until the activity itself says what became of it: money must never be given up on.
    UntilKnown,
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Stable: it is part of journals and keys.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// The compensation's title for people; `None` when the step has none, and `why_no_undo` says
    /// why.
    pub undo_title: Option<&'static str>,
    /// What the step is.
    pub kind: Kind,
    /// Money steps are undone first.
    pub money: bool,
    /// How long an unknown outcome is pursued.
    pub patience: Patience,
    /// Why there is no compensation; empty when there is one.
    pub why_no_undo: &'static str,
}

/// A saga's steps in order.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// Stable: executions are stored under it.
    pub name: &'static str,
    /// Rises with every change of steps or of what they journal.
    pub version: u32,
    /// For people.
    pub title: &'static str,
    /// In order.
    pub steps: &'static [Step],
    /// How long after coming to rest with something believed not applied the outside is looked at
    /// again.
    pub looks: &'static [Duration],
}

impl Definition {
    /// The step of that name.
    #[must_use]
    pub fn step(&self, name: &str) -> Option<&'static Step> {
        self.steps.iter().find(|s| s.name == name)
    }

    /// The order in which steps are undone: money first, each group in reverse.
    pub fn undo_order(&self) -> impl Iterator<Item = &'static Step> {
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
    pub fn draw(&self) -> String {
        let mut text = format!("{} v{}\n", self.name, self.version);
        for step in self.steps {
            let kind = match step.kind {
                Kind::Compensatable => "compensatable",
                Kind::Pivot => "pivot",
                Kind::Retriable => "retriable",
                Kind::Orphan => "acceptable orphan",
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
        let _ = write!(text, "  undone in the order: ");
        let names: Vec<_> = self.undo_order().map(|s| s.name).collect();
        text + &names.join(", ") + "\n"
    }
}
