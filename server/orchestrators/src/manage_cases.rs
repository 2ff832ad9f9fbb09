//! The case saga: opens a case, or changes one under its stamp; assignments are stored by the hotel
//! itself.
//!
//! ```text
//! read    the case ∥ the room ∥ the guest ── rules ──► facts
//! change  + fields and comment in one composite     (skipped for a new case)
//! open    + a new case under our unique reference   (skipped otherwise)
//! assign  + our own note of the assignee
//! ```

mod assign;
mod change;
mod rules;

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    case::{Case, CaseChange, CaseOrder},
    ports::Crm,
};
use dewy_saga::{Activity, Context, Definition, Direction, Kind, Read};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    bridge,
    key_value_store::KeyValueStore,
    open_case::{self, Open, presentation},
    reconciled_write::ReconciledWrite,
    settings::Settings,
    task::{self, Job, text},
};

pub(crate) use assign::assignee;

/// Definition of the case saga.
pub static MANAGE_CASES: Definition = Definition {
    name: "manage_cases",
    version: 1,
    title: "Open or update a case",
    steps: &[
        task::step(
            "change",
            "Change the case",
            Kind::Pivot,
            "it is pursued until it is known; changing it back is a call of its own",
        ),
        open_case::STEP,
        task::step(
            "assign",
            "Note who has it",
            Kind::Retriable,
            "the latest note counts",
        ),
    ],
    looks: &[],
};

/// Presentation of the case saga.
pub(crate) static WORDS: task::Labels = task::Labels {
    done: |data| {
        format!(
            "Case {} is {}: {}.",
            text(data, "case_number"),
            text(data, "case_status"),
            text(data, "subject").trim_end_matches('.')
        )
    },
    doing: "Working on the case.",
    not_done: "The case was not changed.",
};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Facts {
    /// Case as read; `None` for a new one.
    there: Option<Case>,
    /// Requested change; `None` if only the assignment changes.
    change: Option<CaseChange>,
    /// Case to open.
    order: Option<CaseOrder>,
    assignee: Option<String>,
}

fn facts(cx: &Context<'_>) -> Option<Facts> {
    cx.progress.facts.as_ref().and_then(bridge::read)
}

/// Case as the steps left it.
fn now(cx: &Context<'_>) -> Option<Case> {
    let done = |step: &str| {
        cx.progress
            .done(step, Direction::Forward)
            .and_then(bridge::read::<Case>)
    };
    done("open")
        .or_else(|| done("change"))
        .or_else(|| facts(cx)?.there)
}

/// The case saga with its ports.
pub(crate) struct ManageCases {
    crm: Arc<dyn Crm>,
    change: ReconciledWrite<change::Change>,
    open: ReconciledWrite<Open>,
    assign: assign::Assign,
}

impl ManageCases {
    /// Creates the saga.
    pub(crate) fn new(
        crm: Arc<dyn Crm>,
        key_value_store: Arc<dyn KeyValueStore>,
        settings: &Settings,
    ) -> Self {
        let open = Open {
            crm: Arc::clone(&crm),
            order: |cx| facts(cx)?.order,
        };
        Self {
            change: ReconciledWrite::new(
                change::Change(Arc::clone(&crm)),
                settings.salesforce_deadline,
            ),
            open: ReconciledWrite::new(open, settings.salesforce_deadline),
            assign: assign::Assign(key_value_store),
            crm,
        }
    }
}

#[async_trait]
impl Job for ManageCases {
    fn definition(&self) -> &'static Definition {
        &MANAGE_CASES
    }

    async fn read(&self, cx: Context<'_>) -> Read {
        rules::read(self, cx).await
    }

    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity> {
        match (step, way) {
            ("change", Direction::Forward) => Some(&self.change),
            ("open", Direction::Forward) => Some(&self.open),
            ("assign", Direction::Forward) => Some(&self.assign),
            _ => None,
        }
    }

    fn done(&self, cx: Context<'_>) -> Option<(Value, bool)> {
        let facts = facts(&cx)?;
        let mut data = presentation(&now(&cx)?);
        if let Some(assignee) = facts.assignee {
            data["assignee"] = json!(assignee);
        }
        Some((data, facts.there.is_none()))
    }
}
