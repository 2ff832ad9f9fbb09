//! Rechecks of a renewal that could not find its new hold: one that turns up later is released, because
//! the front desk has a case about the stay by then.

use async_trait::async_trait;
use dewy_domain::payment::PaymentStatus;
use dewy_saga::{Context, Decision, Fault, FoundEffect, RecheckResult, Rechecks, State};

use super::{HOLD, NewHold, placed, wanted};
use crate::saga_parts::{
    engine_conversions, hotel_dependencies::HotelDependencies, payment_attempt::may_turn_up,
    place_hold::PlaceHold,
};

pub(super) struct LateHold(PlaceHold);

impl LateHold {
    pub(super) fn new(parts: &HotelDependencies) -> Self {
        Self(PlaceHold::new(parts, wanted))
    }
}

#[async_trait]
impl Rechecks for LateHold {
    fn wanted(&self, cx: Context<'_>) -> bool {
        placed(&cx).is_err() && may_turn_up(cx.progress.forward(HOLD))
    }

    async fn recheck(&self, cx: Context<'_>) -> RecheckResult {
        if cx.progress.state != Some(State::Completed) || placed(&cx).is_ok() {
            return RecheckResult::Quiet;
        }
        match self.0.find(&cx).await {
            Ok(Some(hold)) if hold.status == PaymentStatus::RequiresCapture => {
                let value = NewHold {
                    payment: Some(hold),
                    fault: None,
                };
                RecheckResult::Found {
                    decision: Decision {
                        because: HOLD.name.to_owned(),
                        fault: Fault::new(
                            "late_hold",
                            "the new hold turned up after the renewal had ended without it",
                        ),
                        trigger: "watch".to_owned(),
                    },
                    found: Some(FoundEffect {
                        step: HOLD.name.to_owned(),
                        value: engine_conversions::value(&value),
                    }),
                }
            }
            Ok(_) => RecheckResult::Quiet,
            Err(_) => RecheckResult::TryLater,
        }
    }
}
