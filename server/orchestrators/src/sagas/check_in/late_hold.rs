//! Rechecks of a check-in that was refused while its hold could not be found: one that turns up later
//! is released.

use async_trait::async_trait;
use dewy_domain::payment::PaymentStatus;
use dewy_saga::{Context, Decision, Fault, FoundEffect, RecheckResult, Rechecks, State};

use super::hold::{self, HOLD};
use crate::saga_parts::{
    engine_conversions,
    hotel_dependencies::HotelDependencies,
    payment_attempt::{PaymentAttempt, PaymentKind, may_turn_up},
};

pub(super) struct LateHold(PaymentAttempt);

impl LateHold {
    pub(super) fn new(parts: &HotelDependencies) -> Self {
        Self(PaymentAttempt::new(parts, PaymentKind::Hold))
    }
}

#[async_trait]
impl Rechecks for LateHold {
    fn wanted(&self, cx: Context<'_>) -> bool {
        cx.output(HOLD).is_none() && may_turn_up(cx.progress.forward(HOLD))
    }

    async fn recheck(&self, cx: Context<'_>) -> RecheckResult {
        if cx.progress.state != Some(State::Refused) || cx.output(HOLD).is_some() {
            return RecheckResult::Quiet;
        }
        let Some(customer) = hold::customer(cx.progress) else {
            return RecheckResult::Quiet;
        };
        match self.0.find(&cx, Some(&customer)).await {
            Ok(Some(hold)) if hold.status == PaymentStatus::RequiresCapture => {
                RecheckResult::Found {
                    decision: Decision {
                        because: HOLD.name.to_owned(),
                        fault: Fault::new(
                            "late_hold",
                            "the hold turned up after the check-in had ended without one",
                        ),
                        trigger: "watch".to_owned(),
                    },
                    found: Some(FoundEffect {
                        step: HOLD.name.to_owned(),
                        value: engine_conversions::value(&hold),
                    }),
                }
            }
            Ok(_) => RecheckResult::Quiet,
            Err(_) => RecheckResult::TryLater,
        }
    }
}
