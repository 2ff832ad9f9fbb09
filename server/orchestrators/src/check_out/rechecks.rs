//! Rechecks after the end: a timed-out call may take effect later, and a refund may fail days
//! later.

use dewy_domain::{
    money::Cents,
    payment::{Payment, PaymentStatus},
};
use dewy_saga::{
    Context, Decision, Direction, Fault, Found, Recheck, State,
    injected_bugs::{self, Bug},
    saga::SOLVED_BY_HAND,
};

use super::{CheckOut, facts, pay};
use crate::{bridge, reconciled_write::stay::query};

/// Whether a late effect is possible.
pub(super) fn wanted(cx: Context<'_>) -> bool {
    let unknown = |step: &str| {
        cx.progress
            .side(step, Direction::Forward)
            .is_some_and(|s| s.ever_unknown)
    };
    cx.progress.decision.is_some()
        || cx.progress.state == Some(State::SettledByHand)
        || (facts::moved(cx.progress).is_none() && (unknown("pay") || unknown("move")))
}

pub(super) async fn look(saga: &CheckOut, cx: Context<'_>) -> Recheck {
    let Some(facts) = facts::facts(cx.progress) else {
        return Recheck::Quiet;
    };
    // Completed check-outs are paid for: there is nothing to find. Those that need attention have a
    // person. Journals of older releases store what a person resolved as completed, refused or
    // compensated.
    let by_hand =
        matches!(&cx.progress.ended, Some((_, Some(reason), _)) if reason == SOLVED_BY_HAND);
    if matches!(
        cx.progress.state,
        Some(State::Completed | State::NeedsAttention)
    ) {
        return Recheck::Quiet;
    }
    if by_hand {
        return settled(saga, cx).await;
    }
    match facts::payment(cx.progress) {
        None => match pay::find(saga.payments.as_ref(), &cx).await {
            Ok(Some(payment))
                if payment.status == PaymentStatus::Succeeded
                    && payment.refunded < payment.received =>
            {
                Recheck::Found {
                    decision: decision(
                        "pay",
                        "late_payment",
                        "a payment of ours turned up after the execution had ended without one",
                    ),
                    found: Some(Found {
                        step: "pay".to_owned(),
                        value: bridge::value(&payment),
                    }),
                }
            }
            Ok(_) => Recheck::Quiet,
            Err(_) => Recheck::TryLater,
        },
        Some(payment) => {
            let Ok(refunds) = saga.payments.refunds(&payment.id).await.answered() else {
                return Recheck::TryLater;
            };
            let given_back: Cents = refunds
                .iter()
                .filter(|r| r.status.stands())
                .map(|r| r.amount)
                .sum();
            let any = injected_bugs::on(Bug::SumsNotCompared) && given_back > Cents(0);
            // Compares sums: others refund parts, and each part may fail on its own.
            if given_back < payment.received && !any {
                return Recheck::Found {
                    decision: decision(
                        "pay",
                        "refund_failed_later",
                        "the refund did not reach the guest",
                    ),
                    found: Some(Found {
                        step: "pay".to_owned(),
                        value: bridge::value(&payment),
                    }),
                };
            }
            match saga
                .crm
                .trace(&query(cx.id.to_string(), &facts.stay))
                .await
                .answered()
            {
                Ok(Some(trace)) => {
                    let applied_before = cx
                        .progress
                        .side("move", Direction::Back)
                        .and_then(|s| s.value.as_ref())
                        .is_some_and(|v| v["applied"] == true);
                    if trace.marker.is_some() && !applied_before {
                        return Recheck::Found {
                            decision: decision(
                                "move",
                                "late_effect",
                                "our write took effect after it had been looked for",
                            ),
                            found: Some(Found {
                                step: "move".to_owned(),
                                value: bridge::value(&trace),
                            }),
                        };
                    }
                    Recheck::Quiet
                }
                Ok(None) => Recheck::Quiet,
                Err(_) => Recheck::TryLater,
            }
        }
    }
}

/// What a person resolved by hand stays as it is. Money they cannot have known about is reported to
/// a person, not moved.
async fn settled(saga: &CheckOut, cx: Context<'_>) -> Recheck {
    let attention = |decision: Decision, payment: &Payment| Recheck::Attention {
        reason: if decision.fault.code == "late_payment" {
            "LATE_PAYMENT"
        } else {
            "REFUND_FAILED_LATER"
        }
        .to_owned(),
        decision,
        found: Found {
            step: "pay".to_owned(),
            value: bridge::value(payment),
        },
    };
    let Some(known) = facts::payment(cx.progress) else {
        return match pay::find(saga.payments.as_ref(), &cx).await {
            Ok(Some(payment))
                if payment.status == PaymentStatus::Succeeded
                    && payment.refunded < payment.received =>
            {
                let words = "a payment turned up after the execution had been settled by hand";
                attention(decision("pay", "late_payment", words), &payment)
            }
            Ok(_) => Recheck::Quiet,
            Err(_) => Recheck::TryLater,
        };
    };
    let Some(refund) = facts::refund(cx.progress) else {
        return Recheck::Quiet;
    };
    match saga.payments.refunds(&known.id).await.answered() {
        Ok(refunds)
            if refunds
                .iter()
                .any(|r| r.id == refund.id && !r.status.stands()) =>
        {
            attention(
                decision(
                    "pay",
                    "refund_failed_later",
                    "the refund did not reach the guest",
                ),
                &known,
            )
        }
        Ok(_) => Recheck::Quiet,
        Err(_) => Recheck::TryLater,
    }
}

fn decision(because: &str, code: &str, message: &str) -> Decision {
    Decision {
        because: because.to_owned(),
        fault: Fault::new(code, message),
        trigger: "watch".to_owned(),
    }
}
