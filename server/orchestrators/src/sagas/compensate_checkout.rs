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
mod missing_checkout;
mod presentation;
mod refund_check;
mod rules;

use std::sync::Arc;

use dewy_domain::tool_catalog::CompensateCheckoutFailure;
use dewy_saga::{Context, End, ExecutionId, Saga, SignalAction};
use futures::FutureExt;

use crate::saga_parts::{
    hotel_dependencies::HotelDependencies,
    outbox,
    refund_and_revert::{Refund, Revert},
    signal_execution::{ASK, AwaitTarget, FOLLOW, SendSignal},
};

pub(crate) use facts::Facts;
pub(crate) use presentation::Labels;

use facts::{JUDGE, REFUND, REVERT};
use missing_checkout::MissingCheckout;

pub const COMPENSATE: &str = CompensateCheckoutFailure::NAME;

/// The compensation saga. All its steps are retriable: it is itself a compensation.
pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    let journal = || Arc::clone(&parts.journal);
    Saga::new(COMPENSATE, 1, "Refund a payment")
        .prepare(parts.prerequisites(|parts, cx, input| rules::read(parts, cx, input).boxed()))
        .retriable(
            JUDGE,
            "Check whether it can be refunded",
            refund_check::RefundCheck,
        )
        .no_undo("it only decides")
        .until_known()
        .retriable(
            ASK,
            "Signal the check-out to compensate",
            SendSignal {
                journal: journal(),
                signal_target,
            },
        )
        .no_undo("the signal is stored durably")
        .until_known()
        .retriable(
            REFUND,
            "Refund the payment",
            Refund::new(parts, MissingCheckout),
        )
        .no_undo("a compensation is not compensated")
        .money()
        .until_known()
        .retriable(
            REVERT,
            "Revert the booking",
            Revert::new(parts, MissingCheckout),
        )
        .no_undo("a compensation is not compensated")
        .until_known()
        .retriable(
            FOLLOW,
            "Wait for the check-out",
            AwaitTarget {
                journal: journal(),
                signal_target,
            },
        )
        .no_undo("it only reads")
        .until_known()
        .attention(missing_checkout::attention)
        .projection(presentation::compensation)
        .projection(outbox::after(
            End::Completed,
            "refund",
            &parts.settings,
            presentation::text,
        ))
        .answer(presentation::answer)
}

fn signal_target(cx: &Context<'_>) -> Option<(ExecutionId, SignalAction)> {
    let owner = cx.facts::<Facts>()?.owner?;
    Some((owner, SignalAction::Compensate))
}
