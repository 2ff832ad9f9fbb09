//! The check-out saga: reads the stay, takes the payment, moves booking, room and opportunity. Its
//! compensation refunds the payment and reverts the rows.
//!
//! ```text
//! read    stay (one SOQL) ∥ customer (one GET) ── rules ──► facts
//! customer  + create one                          (acceptable orphan: found again by email next time)
//! pay       + create and confirm in one call      − refund the whole remainder
//! move      + one composite, all or nothing       − revert what is still exactly as we wrote it
//! ```

mod customer;
mod facts;
mod move_out;
mod pay;
mod presentation;
mod recheck;
mod rechecks;
mod record;
mod rules;
mod tool_answer;
mod undoing;

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::ports::{Crm, Payments};
use dewy_saga::{
    Activity, Context, Definition, Direction, End, ExecutionId, Fault, Journal, Kind, Patience,
    Read, Recheck, Saga, Step, journal::Projection,
};
use serde_json::Value;

use crate::{
    brake,
    key_value_store::KeyValueStore,
    outbox,
    reconciled_write::ReconciledWrite,
    settings::Settings,
    tool_answer as shared,
    undo::{Refund, Revert},
};

pub(crate) use presentation::Labels;
pub(crate) use record::CARD;
pub(crate) use rules::judge;

/// Definition of the check-out saga.
pub static CHECK_OUT: Definition = Definition {
    name: "process_guest_checkout",
    version: 1,
    title: "Check out and pay",
    steps: &[
        Step {
            name: "customer",
            title: "Prepare the payment account",
            undo_title: None,
            kind: Kind::Orphan,
            money: false,
            patience: Patience::Budget,
            why_no_undo: "a customer without payments is harmless and is found again by email",
        },
        Step {
            name: "pay",
            title: "Charge the card",
            undo_title: Some("Refund the payment"),
            kind: Kind::Compensatable,
            money: true,
            patience: Patience::UntilKnown,
            why_no_undo: "",
        },
        Step {
            name: "move",
            title: "Check the guest out of the room",
            undo_title: Some("Revert the booking"),
            kind: Kind::Pivot,
            money: false,
            patience: Patience::Budget,
            why_no_undo: "",
        },
    ],
    // A late effect appears at most as long as a gateway holds a request (30 s); ten minutes cover
    // unknown cases.
    looks: &[
        std::time::Duration::from_secs(30),
        std::time::Duration::from_secs(600),
    ],
};

/// The next release's definition, for tests that run two releases side by side.
#[cfg(debug_assertions)]
pub static CHECK_OUT_NEXT: Definition = Definition {
    version: 2,
    name: CHECK_OUT.name,
    title: CHECK_OUT.title,
    steps: CHECK_OUT.steps,
    looks: CHECK_OUT.looks,
};

/// The check-out saga with its ports.
pub struct CheckOut {
    definition: &'static Definition,
    pub(crate) crm: Arc<dyn Crm>,
    pub(crate) payments: Arc<dyn Payments>,
    pub(crate) journal: Arc<dyn Journal>,
    pub(crate) key_value_store: Arc<dyn KeyValueStore>,
    pub(crate) settings: Settings,
    customer: customer::MakeCustomer,
    pay: pay::Pay,
    refund: Refund,
    move_out: recheck::Rechecked<ReconciledWrite<move_out::MoveOut>>,
    revert: Revert,
}

impl CheckOut {
    /// Creates the saga.
    #[must_use]
    pub fn new(
        crm: Arc<dyn Crm>,
        payments: Arc<dyn Payments>,
        journal: Arc<dyn Journal>,
        key_value_store: Arc<dyn KeyValueStore>,
        settings: Settings,
    ) -> Self {
        Self {
            definition: &CHECK_OUT,
            customer: customer::MakeCustomer::new(Arc::clone(&payments), settings.clone()),
            pay: pay::Pay::new(Arc::clone(&payments), settings.clone()),
            refund: Refund::new(
                Arc::clone(&payments),
                settings.clone(),
                Arc::new(undoing::OfCheckOut),
            ),
            move_out: recheck::Rechecked::new(
                ReconciledWrite::new(
                    move_out::MoveOut(Arc::clone(&crm)),
                    settings.salesforce_deadline,
                ),
                Arc::clone(&payments),
            ),
            revert: Revert::new(
                Arc::clone(&crm),
                settings.clone(),
                Arc::new(undoing::OfCheckOut),
            ),
            crm,
            payments,
            journal,
            key_value_store,
            settings,
        }
    }
}

impl CheckOut {
    /// Returns this saga with another of its definitions: running executions finish with the
    /// definition they started with.
    #[must_use]
    pub fn by(mut self, definition: &'static Definition) -> Self {
        self.definition = definition;
        self
    }
}

#[async_trait]
impl Saga for CheckOut {
    fn definition(&self) -> &'static Definition {
        self.definition
    }

    async fn read(&self, cx: Context<'_>) -> Read {
        rules::read(self, cx).await
    }

    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity> {
        match (step, way) {
            ("customer", Direction::Forward) => Some(&self.customer),
            ("pay", Direction::Forward) => Some(&self.pay),
            ("pay", Direction::Back) => Some(&self.refund),
            ("move", Direction::Forward) => Some(&self.move_out),
            ("move", Direction::Back) => Some(&self.revert),
            _ => None,
        }
    }

    fn answer(&self, cx: Context<'_>, end: End, reason: Option<&str>) -> Value {
        tool_answer::answer(cx, end, reason)
    }

    fn answer_held(&self, by: ExecutionId) -> Value {
        shared::held(by)
    }

    fn answer_unavailable(&self, fault: &Fault) -> Value {
        shared::unavailable(fault)
    }

    fn afterthought(&self, cx: Context<'_>) -> Option<String> {
        tool_answer::left_otherwise(cx).or_else(|| tool_answer::open_balance(cx))
    }

    fn projections(&self, cx: Context<'_>) -> Vec<Projection> {
        let email = cx.input["guest_email"].as_str();
        record::compensation(cx)
            .into_iter()
            .chain(outbox::after(
                cx,
                End::Completed,
                "check_out",
                email,
                presentation::goodbye(cx, &self.settings),
            ))
            .chain(
                presentation::refunded(cx, &self.settings)
                    .and_then(|words| outbox::owed(cx, "refund", email, Some(words))),
            )
            .collect()
    }

    fn labels(&self, cx: Context<'_>) -> Vec<(String, String)> {
        record::labels(cx)
            .into_iter()
            .chain(brake::label(cx, CHECK_OUT.name, "move"))
            .collect()
    }

    fn wants_looks(&self, cx: Context<'_>) -> bool {
        rechecks::wanted(cx)
    }

    async fn look(&self, cx: Context<'_>) -> Recheck {
        rechecks::look(self, cx).await
    }
}
