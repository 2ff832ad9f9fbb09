//! Looking again after coming to rest: a timed-out call may take effect after we looked, and a refund may fail days later.

use dewy_domain::payment::PaymentStatus;
use dewy_saga::{Context, Decision, Fault, Found, Look, State, Way, saga::SOLVED_BY_HAND};

use super::{CheckOut, facts, pay};
use crate::{bridge, guarded::stay::query};

/// Whether there is anything that might turn up.
pub(super) fn wanted(cx: Context<'_>) -> bool {
    let unknown = |step: &str| cx.progress.side(step, Way::Forward).is_some_and(|s| s.ever_unknown);
    cx.progress.decision.is_some() || (facts::moved(cx.progress).is_none() && (unknown("pay") || unknown("move")))
}

pub(super) async fn look(saga: &CheckOut, cx: Context<'_>) -> Look {
    let Some(facts) = facts::facts(cx.progress) else { return Look::Quiet };
    // What was completed is paid for: there is nothing to find. A person is on what needs one, and what a person has settled by
    // hand is settled.
    let by_hand = matches!(&cx.progress.ended, Some((_, Some(reason), _)) if reason == SOLVED_BY_HAND);
    if by_hand || matches!(cx.progress.state, Some(State::Completed | State::NeedsAttention)) {
        return Look::Quiet;
    }
    match facts::payment(cx.progress) {
        None => match pay::find(saga.payments.as_ref(), &cx).await {
            Ok(Some(payment)) if payment.status == PaymentStatus::Succeeded && payment.refunded < payment.received => {
                Look::Found {
                    decision: decision(
                        "pay",
                        "late_payment",
                        "a payment of ours turned up after the execution had ended without one",
                    ),
                    found: Some(Found { step: "pay".to_owned(), value: bridge::value(&payment) }),
                }
            }
            Ok(_) => Look::Quiet,
            Err(_) => Look::TryLater,
        },
        Some(payment) => {
            let Ok(refunds) = saga.payments.refunds(&payment.id).await.answered() else { return Look::TryLater };
            if !refunds.iter().any(|r| r.status.stands()) {
                return Look::Found {
                    decision: decision("pay", "refund_failed_later", "the refund did not reach the guest"),
                    found: Some(Found { step: "pay".to_owned(), value: bridge::value(&payment) }),
                };
            }
            match saga.crm.trace(&query(cx.id.to_string(), &facts.stay)).await.answered() {
                Ok(Some(trace)) => {
                    let applied_before = cx
                        .progress
                        .side("move", Way::Back)
                        .and_then(|s| s.value.as_ref())
                        .is_some_and(|v| v["applied"] == true);
                    if trace.marker.is_some() && !applied_before {
                        return Look::Found {
                            decision: decision(
                                "move",
                                "late_effect",
                                "our write took effect after it had been looked for",
                            ),
                            found: Some(Found { step: "move".to_owned(), value: bridge::value(&trace) }),
                        };
                    }
                    Look::Quiet
                }
                Ok(None) => Look::Quiet,
                Err(_) => Look::TryLater,
            }
        }
    }
}

fn decision(because: &str, code: &str, message: &str) -> Decision {
    Decision { because: because.to_owned(), fault: Fault::new(code, message), trigger: "watch".to_owned() }
}
