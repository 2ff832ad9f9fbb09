//! Rechecks after the end of a check-out with a hold: a second hold or a write may turn up late, and
//! so may a charge that could not be found.

use async_trait::async_trait;
use dewy_domain::{payment::PaymentStatus, vocabulary::AttentionReason};
use dewy_saga::{Context, RecheckResult, Rechecks, State};

use super::{
    charge_card::ChargeCard,
    facts::{CHARGE, Charged, EXTEND, Facts, MOVE},
    late_effects::{decision, found, late_write},
    second_hold,
};
use crate::saga_parts::{
    hotel_dependencies::HotelDependencies, payment_attempt::may_turn_up, place_hold::PlaceHold,
};

/// Rechecks through the ports.
pub(super) struct HoldEffects(pub HotelDependencies);

/// Whether a charge was given up for lost.
fn lost_charge(cx: &Context<'_>) -> bool {
    let charged = cx
        .output(CHARGE)
        .is_some_and(|charged| charged.payment.is_none());
    charged && may_turn_up(cx.progress.forward(CHARGE))
}

#[async_trait]
impl Rechecks for HoldEffects {
    fn wanted(&self, cx: Context<'_>) -> bool {
        let progress = cx.progress;
        progress.decision.is_some()
            || lost_charge(&cx)
            || (progress.output(MOVE).is_none()
                && (may_turn_up(progress.forward(EXTEND)) || may_turn_up(progress.forward(MOVE))))
    }

    async fn recheck(&self, cx: Context<'_>) -> RecheckResult {
        let parts = &self.0;
        let Some(facts) = cx.facts::<Facts>() else {
            return RecheckResult::Quiet;
        };
        if lost_charge(&cx) {
            return self.late_charge(cx).await;
        }
        if matches!(
            cx.progress.state,
            Some(State::Completed | State::NeedsAttention | State::SettledByHand)
        ) {
            return RecheckResult::Quiet;
        }
        if cx.output(EXTEND).is_none() && cx.progress.forward(EXTEND).is_some_and(|s| s.intents > 0)
        {
            match PlaceHold::new(parts, second_hold::terms).find(&cx).await {
                Ok(Some(hold)) if hold.status == PaymentStatus::RequiresCapture => {
                    return RecheckResult::Found {
                        decision: decision(
                            EXTEND.name,
                            "late_hold",
                            "the second hold turned up after the execution had ended without it",
                        ),
                        found: Some(found(EXTEND.name, &hold)),
                    };
                }
                Ok(_) => {}
                Err(_) => return RecheckResult::TryLater,
            }
        }
        late_write(parts, &cx, &facts).await
    }
}

impl HoldEffects {
    /// The guest has left, and the front desk has a case about the balance: it has to know.
    async fn late_charge(&self, cx: Context<'_>) -> RecheckResult {
        match ChargeCard::new(&self.0).find(&cx).await {
            Ok(Some(payment)) if payment.status == PaymentStatus::Succeeded => {
                let value = Charged {
                    payment: Some(payment),
                    fault: None,
                };
                RecheckResult::Attention {
                    decision: decision(
                        CHARGE.name,
                        "late_payment",
                        "a charge turned up after the balance had been left open",
                    ),
                    found: found(CHARGE.name, &value),
                    reason: AttentionReason::LatePayment.to_string(),
                }
            }
            Ok(_) => RecheckResult::Quiet,
            Err(_) => RecheckResult::TryLater,
        }
    }
}
