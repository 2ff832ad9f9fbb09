//! The compensation saga: refunds the payment of an unfinished check-out, requested by staff or
//! found by the orphan check.
//!
//! ```text
//! read    the payment (one GET) ── whose is it? ──► facts        Salesforce is not asked before the refund is on its way
//! judge   may it be refunded without a person?                   (payments the orphan check flagged stop here)
//! ask     a signal to the check-out, if it is in the journal     one compensation per payment: its own
//! refund  + the remainder              ┐ only when the check-out
//! revert  + what is still as we left it┘ is not in the journal
//! follow  the check-out that got the signal, until it has ended
//! ```

mod facts;
mod judge;
mod lost;
mod presentation;
mod rules;

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::ports::{Crm, Payments};
use dewy_saga::{
    Activity, Ask, Context, Definition, Direction, End, ExecutionId, Fault, Journal, Kind,
    Patience, Read, Saga, Step, journal::Projection,
};
use serde_json::Value;

use crate::{
    key_value_store::KeyValueStore,
    outbox,
    settings::Settings,
    signal_execution::{Follow, Say},
    tool_answer,
    undo::{Refund, Revert},
};

pub(crate) use facts::Facts;
pub(crate) use presentation::Labels;

const fn step(
    name: &'static str,
    title: &'static str,
    money: bool,
    why_no_undo: &'static str,
) -> Step {
    Step {
        name,
        title,
        undo_title: None,
        kind: Kind::Retriable,
        money,
        patience: Patience::UntilKnown,
        why_no_undo,
    }
}

/// Definition of the compensation saga. All its steps are retriable: it is itself a compensation.
pub static COMPENSATE: Definition = Definition {
    name: "compensate_checkout_failure",
    version: 1,
    title: "Refund a payment",
    steps: &[
        step(
            "judge",
            "Check whether it can be refunded",
            false,
            "it only decides",
        ),
        step(
            "ask",
            "Tell the check-out to compensate",
            false,
            "what was asked for is remembered",
        ),
        step(
            "refund",
            "Refund the payment",
            true,
            "a compensation is not compensated",
        ),
        step(
            "revert",
            "Revert the booking",
            false,
            "a compensation is not compensated",
        ),
        step("follow", "Wait for the check-out", false, "it only reads"),
    ],
    looks: &[],
};

/// The compensation saga with its ports.
pub struct Compensate {
    payments: Arc<dyn Payments>,
    journal: Arc<dyn Journal>,
    key_value_store: Arc<dyn KeyValueStore>,
    settings: Settings,
    judge: judge::Judge,
    ask: Say,
    refund: Refund,
    revert: Revert,
    follow: Follow,
}

fn whom(cx: &Context<'_>) -> Option<(ExecutionId, Ask)> {
    facts::facts(cx.progress)?
        .owner
        .map(|owner| (owner, Ask::Compensate))
}

impl Compensate {
    /// Creates the saga.
    #[must_use]
    pub fn new(
        crm: Arc<dyn Crm>,
        payments: Arc<dyn Payments>,
        journal: Arc<dyn Journal>,
        key_value_store: Arc<dyn KeyValueStore>,
        settings: Settings,
    ) -> Self {
        let case = Arc::new(lost::Lost);
        Self {
            judge: judge::Judge,
            ask: Say {
                journal: Arc::clone(&journal),
                whom,
            },
            refund: Refund::new(Arc::clone(&payments), settings.clone(), case.clone()),
            revert: Revert::new(crm, settings.clone(), case),
            follow: Follow {
                journal: Arc::clone(&journal),
                whom,
            },
            payments,
            journal,
            key_value_store,
            settings,
        }
    }
}

#[async_trait]
impl Saga for Compensate {
    fn definition(&self) -> &'static Definition {
        &COMPENSATE
    }

    async fn read(&self, cx: Context<'_>) -> Read {
        rules::read(self, cx).await
    }

    fn activity(&self, step: &str, way: Direction) -> Option<&dyn Activity> {
        match (step, way) {
            ("judge", Direction::Forward) => Some(&self.judge),
            ("ask", Direction::Forward) => Some(&self.ask),
            ("refund", Direction::Forward) => Some(&self.refund),
            ("revert", Direction::Forward) => Some(&self.revert),
            ("follow", Direction::Forward) => Some(&self.follow),
            _ => None,
        }
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
        lost::attention(cx.progress)
    }

    fn projections(&self, cx: Context<'_>) -> Vec<Projection> {
        let email = cx.input["guest_email"].as_str();
        presentation::compensation(cx)
            .into_iter()
            .chain(outbox::after(
                cx,
                End::Completed,
                "refund",
                email,
                presentation::text(cx, &self.settings),
            ))
            .collect()
    }

    fn labels(&self, cx: Context<'_>) -> Vec<(String, String)> {
        presentation::labels(cx)
    }
}
