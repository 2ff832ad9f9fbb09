//! The charge saga: posts or voids a charge on a folio in one composite, identified by our
//! reference.
//!
//! ```text
//! read   the stay in the room (one SOQL) ── rules ──► facts
//! post   + the line, and the booking touched under its stamp   (a void is a separate call)
//! ```

mod post;
mod presentation;
mod rules;

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{money::Cents, ports::Crm, stay::Stay};
use dewy_saga::{
    Activity, Context, Definition, Direction, End, ExecutionId, Fault, Kind, Patience, Read, Saga,
    Step, journal::Projection,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{bridge, reconciled_write::ReconciledWrite, settings::Settings, tool_answer};

pub(crate) use presentation::Labels;

/// Kind of the projections that hold the charges' descriptions; no org has a field for them.
pub(crate) const DESCRIPTIONS: &str = "charge";

/// Definition of the charge saga.
pub static POST_CHARGE: Definition = Definition {
    name: "post_charge",
    version: 1,
    title: "Post a charge",
    steps: &[Step {
        name: "post",
        title: "Write the line on the folio",
        undo_title: None,
        kind: Kind::Pivot,
        money: false,
        patience: Patience::UntilKnown,
        why_no_undo: "it is the only effect: what became of it is pursued until it is known; a void takes it back",
    }],
    looks: &[],
};

/// Facts of a charge.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Stay as read.
    pub stay: Stay,
    /// Amount; for a void, the voided amount.
    pub amount: Cents,
    /// Line to void: (id, number).
    pub void: Option<(String, String)>,
}

pub(crate) fn facts(cx: &Context<'_>) -> Option<Facts> {
    cx.progress.facts.as_ref().and_then(bridge::read)
}

/// The charge saga with its ports.
pub struct PostCharge {
    crm: Arc<dyn Crm>,
    post: ReconciledWrite<post::Post>,
    settings: Settings,
}

impl PostCharge {
    /// Creates the saga.
    #[must_use]
    pub fn new(crm: Arc<dyn Crm>, settings: Settings) -> Self {
        Self {
            post: ReconciledWrite::new(post::Post(Arc::clone(&crm)), settings.salesforce_deadline),
            crm,
            settings,
        }
    }
}

#[async_trait]
impl Saga for PostCharge {
    fn definition(&self) -> &'static Definition {
        &POST_CHARGE
    }

    async fn read(&self, cx: Context<'_>) -> Read {
        rules::read(self, cx).await
    }

    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity> {
        ((step, way) == ("post", Direction::Forward)).then_some(&self.post as &dyn Activity)
    }

    fn answer(&self, cx: Context<'_>, end: End, reason: Option<&str>) -> Value {
        presentation::answer(cx, end, reason, self.settings.currency)
    }

    fn answer_held(&self, by: ExecutionId) -> Value {
        tool_answer::held(by)
    }

    fn answer_unavailable(&self, fault: &Fault) -> Value {
        tool_answer::unavailable(fault)
    }

    fn projections(&self, cx: Context<'_>) -> Vec<Projection> {
        let words = cx.input["description"]
            .as_str()
            .filter(|_| facts(&cx).is_some_and(|f| f.void.is_none()));
        let row = |words: &str| Projection {
            kind: DESCRIPTIONS.to_owned(),
            key: cx.id.to_string(),
            body: json!({ "description": words }),
        };
        words
            .filter(|_| cx.progress.done("post", Direction::Forward).is_some())
            .map(row)
            .into_iter()
            .collect()
    }
}
