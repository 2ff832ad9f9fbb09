//! The condition of a check-out's pivot: its payment still pays for the stay. A journaled payment may
//! have been refunded since, so that an execution which was taken over or resumed reads it again
//! before anything is moved.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    money::Cents,
    payment::{Payment, PaymentStatus},
    ports::Payments,
    vocabulary::FaultCode,
};
use dewy_saga::{Context, Direction, Fault, Plan};
use serde_json::json;

use super::facts::PAY;
use crate::saga_parts::{hotel_dependencies::HotelDependencies, reconciled_write::Condition};

struct PaymentStands(Arc<dyn Payments>);

/// Whether the execution's payment still stands, or it took none.
pub(super) fn payment_stands(parts: &HotelDependencies) -> impl Condition + 'static {
    PaymentStands(Arc::clone(&parts.payments))
}

#[async_trait]
impl Condition for PaymentStands {
    fn journaled(&self, cx: &Context<'_>) -> Option<Result<(), Plan>> {
        match cx.output(PAY) {
            // Found by a lookup, and already refunded.
            Some(payment) if payment.refunded > Cents(0) => Some(Err(given_back(&payment))),
            Some(_) if cx.progress.is_inherited(PAY.name, Direction::Forward) => None,
            _ => Some(Ok(())),
        }
    }

    async fn check(&self, cx: &Context<'_>) -> Result<(), Plan> {
        let Some(journaled) = cx.output(PAY) else {
            return Ok(());
        };
        match self.0.payment(&journaled.id).await.answered() {
            Ok(Some(now)) if now.status == PaymentStatus::Succeeded && now.refunded == Cents(0) => {
                Ok(())
            }
            Ok(Some(now)) => Err(given_back(&now)),
            Ok(None) => Err(Plan::TryLater(Fault::new(
                FaultCode::PaymentNotFound,
                "the payment cannot be read",
            ))),
            Err(error) => Err(Plan::TryLater(error)),
        }
    }
}

fn given_back(payment: &Payment) -> Plan {
    let fault = Fault::new(
        FaultCode::PaymentGivenBack,
        "the payment was given back before the stay was checked out",
    );
    Plan::Refuse(fault.with(json!({
        "payment_intent": payment.id,
        "status": payment.status,
        "received": payment.received,
        "refunded": payment.refunded,
    })))
}
