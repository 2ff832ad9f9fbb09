//! The check-in saga: reads the reservation, then moves booking, room and opportunity.
//!
//! ```text
//! read   reservations (one SOQL) ── rules ──► facts
//! move   + one composite, all or nothing     (no compensation: pursued until known, fenced before "not applied" is accepted)
//! ```

mod move_in;
mod presentation;
mod rules;

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::ports::Crm;
use dewy_saga::{
    Activity, Context, Definition, Direction, End, ExecutionId, Fault, Kind, Patience, Read, Saga,
    Step, journal::Projection,
};
use serde_json::Value;

use crate::{outbox, reconciled_write::ReconciledWrite, settings::Settings, tool_answer};

pub(crate) use presentation::Labels;

/// Definition of the check-in saga.
pub static CHECK_IN: Definition = Definition {
    name: "check_in_guest",
    version: 1,
    title: "Check in",
    steps: &[Step {
        name: "move",
        title: "Check the guest into the room",
        undo_title: None,
        kind: Kind::Pivot,
        money: false,
        patience: Patience::UntilKnown,
        why_no_undo: "it is the only effect: what became of it is pursued until it is known",
    }],
    looks: &[],
};

/// The check-in saga with its ports.
pub struct CheckIn {
    crm: Arc<dyn Crm>,
    settings: Settings,
    move_in: ReconciledWrite<move_in::MoveIn>,
}

impl CheckIn {
    /// Creates the saga.
    #[must_use]
    pub fn new(crm: Arc<dyn Crm>, settings: Settings) -> Self {
        let move_in = ReconciledWrite::new(
            move_in::MoveIn(Arc::clone(&crm)),
            settings.salesforce_deadline,
        );
        Self {
            move_in,
            crm,
            settings,
        }
    }
}

#[async_trait]
impl Saga for CheckIn {
    fn definition(&self) -> &'static Definition {
        &CHECK_IN
    }

    async fn read(&self, cx: Context<'_>) -> Read {
        rules::read(self, cx).await
    }

    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity> {
        ((step, way) == ("move", Direction::Forward)).then_some(&self.move_in as &dyn Activity)
    }

    fn answer(&self, cx: Context<'_>, end: End, reason: Option<&str>) -> Value {
        presentation::answer(cx, end, reason)
    }

    fn answer_held(&self, by: ExecutionId) -> Value {
        tool_answer::held(by)
    }

    fn answer_unavailable(&self, fault: &Fault) -> Value {
        tool_answer::unavailable(fault)
    }

    fn afterthought(&self, cx: Context<'_>) -> Option<String> {
        move_in::left_otherwise(&cx)
    }

    fn projections(&self, cx: Context<'_>) -> Vec<Projection> {
        outbox::after(
            cx,
            End::Completed,
            "check_in",
            cx.input["guest_email"].as_str(),
            presentation::text(cx, &self.settings),
        )
        .into_iter()
        .collect()
    }
}
