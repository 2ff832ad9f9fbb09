//! Bugs that can be injected into a simulated hotel, to prove that the suite catches them. The
//! production code contains none of them: sagas, transport and workers are wrapped from outside.

mod activity;
mod revert;

use std::{cell::Cell, sync::Arc};

use activity::BuggyActivity;
use dewy_domain::{ports::Crm, tool_answer::FinalAnswer};
use dewy_orchestrators::CHECK_OUT;
use dewy_saga::{Definition, Saga};
use revert::CarelessRevert;

use crate::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bug {
    /// A new idempotency key for each attempt.
    FreshKey,
    /// The CRM is reverted before the payment is refunded.
    RevertBeforeRefund,
    /// The CRM is reverted whatever its current state.
    UnconditionalRevert,
    /// A request of unknown outcome is sent again without a check.
    BlindRetry,
    /// A refused refund counts as done.
    SwallowedRefundError,
    /// A refund line is written without the payment's line.
    LonelyRefundLine,
    /// Due work is only taken at the start, never by polling.
    LostDoorbell,
    /// The intent is committed after the request is sent.
    SendBeforeIntent,
    /// The orphan check compensates executions that are still running.
    SweepTouchesLive,
    /// The age of an idempotency key starts over when a person retries it.
    ForgottenKeyAge,
    /// Takeover and resume send without checking first.
    BlindResume,
    /// Resolving by hand counts as success.
    SettledIsSuccess,
    /// Lines are written without checking for our own reference first.
    NoAntiJoin,
    /// Payments count as ours whichever installation made them.
    NoInstallationCheck,
    /// Any refund that has not failed counts as a full refund.
    SumsNotCompared,
    /// A Stripe key is used whichever account it belongs to.
    NoAccountCheck,
}

impl Bug {
    pub const ALL: [Self; 16] = [
        Self::FreshKey,
        Self::RevertBeforeRefund,
        Self::UnconditionalRevert,
        Self::BlindRetry,
        Self::SwallowedRefundError,
        Self::LonelyRefundLine,
        Self::LostDoorbell,
        Self::SendBeforeIntent,
        Self::SweepTouchesLive,
        Self::ForgottenKeyAge,
        Self::BlindResume,
        Self::SettledIsSuccess,
        Self::NoAntiJoin,
        Self::NoInstallationCheck,
        Self::SumsNotCompared,
        Self::NoAccountCheck,
    ];
}

thread_local! {
    static INJECTED: Cell<Option<Bug>> = const { Cell::new(None) };
}

/// Injects a bug into the hotels that this thread starts from now on, or into none.
pub fn plant(bug: Option<Bug>) {
    INJECTED.set(bug);
}

/// Whether the bug is injected.
pub fn on(bug: Bug) -> bool {
    INJECTED.get() == Some(bug)
}

/// The check-out with the injected bug, and all other sagas as they are.
pub fn broken(sagas: Vec<Saga>, crm: &Arc<dyn Crm>) -> Vec<Saga> {
    let Some(bug) = INJECTED.get() else {
        return sagas;
    };
    let check_out = |saga: &Saga| saga.definition().name == CHECK_OUT;
    let each = sagas.into_iter();
    each.map(|saga| {
        if check_out(&saga) {
            broken_by(bug, saga, crm)
        } else {
            saga
        }
    })
    .collect()
}

fn broken_by(bug: Bug, saga: Saga, crm: &Arc<dyn Crm>) -> Saga {
    match bug {
        // Without money steps, everything is undone strictly backward.
        Bug::RevertBeforeRefund => saga.redefined(|definition: &mut Definition| {
            definition
                .steps
                .iter_mut()
                .for_each(|step| step.money = false);
        }),
        Bug::SettledIsSuccess => saga.answer(|_, _, _| {
            let success = FinalAnswer::Done {
                data: json!({}),
                created: false,
            };
            serde_json::to_value(success).unwrap()
        }),
        Bug::UnconditionalRevert | Bug::LonelyRefundLine => {
            saga.wrapped(|step, direction, inner| {
                if (step.name, direction) == ("move", Direction::Back) {
                    let crm = Arc::clone(crm);
                    Arc::new(CarelessRevert { bug, inner, crm })
                } else {
                    inner
                }
            })
        }
        // The rechecks after the end are satisfied as well.
        Bug::SumsNotCompared => saga
            .redefined(|definition: &mut Definition| definition.recheck_after.clear())
            .wrapped(|step, direction, inner| {
                Arc::new(BuggyActivity::new(bug, step.name, direction, inner))
            }),
        _ => saga.wrapped(|step, direction, inner| {
            Arc::new(BuggyActivity::new(bug, step.name, direction, inner))
        }),
    }
}
