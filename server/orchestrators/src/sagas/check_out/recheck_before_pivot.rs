//! The pivot of a check-out that was taken over or resumed. Its journaled payment may have been
//! refunded since, so it is read again before anything is moved.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    money::Cents,
    payment::{Payment, PaymentStatus},
    ports::Payments,
    vocabulary::FaultCode,
};
use dewy_saga::{Activity, Context, Direction, Fault, Outcome, OutcomeCheck, Plan, Request};
use serde_json::json;

use super::{facts::PAY, move_out::MoveOut};
use crate::saga_parts::{
    engine_conversions, hotel_dependencies::HotelDependencies, reconciled_write::ReconciledWrite,
};

/// The pivot, which runs only while the execution's payment still stands.
pub(super) struct RecheckBeforePivot {
    inner: ReconciledWrite<MoveOut>,
    payments: Arc<dyn Payments>,
}

impl RecheckBeforePivot {
    pub(super) fn new(parts: &HotelDependencies) -> Self {
        let write = MoveOut(Arc::clone(&parts.crm));
        Self {
            inner: ReconciledWrite::new(write, &parts.settings),
            payments: Arc::clone(&parts.payments),
        }
    }

    /// The plan in place of the pivot if the payment no longer pays for the stay.
    async fn objection(&self, journaled: &Payment) -> Option<Plan> {
        match self.payments.payment(&journaled.id).await.answered() {
            Ok(Some(now)) if now.status == PaymentStatus::Succeeded && now.refunded == Cents(0) => {
                None
            }
            Ok(Some(now)) => Some(given_back(&now)),
            Ok(None) => Some(Plan::TryLater(Fault::new(
                FaultCode::PaymentNotFound,
                "the payment cannot be read",
            ))),
            Err(error) => Some(Plan::TryLater(engine_conversions::fault(error))),
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

#[async_trait]
impl Activity for RecheckBeforePivot {
    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        match cx.output(PAY) {
            // Found by a lookup, and already refunded.
            Some(payment) if payment.refunded > Cents(0) => Some(given_back(&payment)),
            Some(_) if cx.progress.is_inherited(PAY.name, Direction::Forward) => None,
            _ => self.inner.build(cx),
        }
    }

    async fn prepare(&self, cx: Context<'_>) -> Plan {
        if let Some(payment) = cx.output(PAY)
            && let Some(objection) = self.objection(&payment).await
        {
            return objection;
        }
        self.inner.prepare(cx).await
    }

    async fn send(&self, cx: Context<'_>, request: &Request) -> Outcome {
        self.inner.send(cx, request).await
    }

    async fn determine_outcome(&self, cx: Context<'_>, request: &Request) -> OutcomeCheck {
        self.inner.determine_outcome(cx, request).await
    }

    fn is_replayed_refusal(&self, fault: &Fault) -> bool {
        self.inner.is_replayed_refusal(fault)
    }

    async fn send_guard(&self, cx: Context<'_>, request: &Request) -> Outcome {
        self.inner.send_guard(cx, request).await
    }
}
