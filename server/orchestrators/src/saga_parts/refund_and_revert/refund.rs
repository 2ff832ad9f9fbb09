//! Refunds the entire remainder of the payment. Depends only on the payment system.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use dewy_domain::{
    money::Cents,
    payment::{Refund as RefundOf, RefundOrder},
    ports::Payments,
    vocabulary::{AttentionReason, FaultCode},
};
use dewy_saga::{
    Activity, Context, Fault, NOT_APPLIED, Outcome, OutcomeCheck, Plan, REFUSED_ON_REPEAT, Request,
};
use serde_json::{Value, json};

use super::{CompensationData, Refunded};
use crate::saga_parts::{
    engine_conversions, hotel_dependencies::HotelDependencies, reconciled_write::missing_fact,
    settings::Settings,
};

/// How long to search for a refund whose key always answers 500: longer than any gateway holds a
/// request.
const STICKY_FOR: Duration = Duration::from_secs(900);

/// Number of failed refunds of one payment before a person is called.
const MAX_REFUNDS: usize = 3;

/// The refund step, for a check-out's compensation and for a payment missing from the journal
/// alike.
pub(crate) struct Refund {
    payments: Arc<dyn Payments>,
    settings: Settings,
    case: Box<dyn CompensationData>,
}

impl Refund {
    pub(crate) fn new(parts: &HotelDependencies, case: impl CompensationData + 'static) -> Self {
        Self {
            payments: Arc::clone(&parts.payments),
            settings: parts.settings.clone(),
            case: Box::new(case),
        }
    }

    /// `n` increases only after the payment system reported refund n as failed or canceled.
    fn refund_plan(&self, cx: &Context<'_>, n: usize) -> Plan {
        let Some(payment) = self.case.payment(cx.progress) else {
            return Plan::Refuse(missing_fact("the payment"));
        };
        let metadata = self.settings.stripe_metadata(&self.case.execution(cx));
        let key = format!("{}:refund:{}:{n}", self.settings.installation, payment.id);
        let call = self.payments.refund(&RefundOrder {
            payment_intent: payment.id,
            metadata,
            key,
        });
        Plan::Send(engine_conversions::request(
            &call,
            self.settings.stripe_deadline,
            Value::Null,
        ))
    }

    /// All refunds of the payment that have not failed, by anyone, and the number of failed ones.
    async fn standing(&self, cx: &Context<'_>) -> Result<(Option<Refunded>, usize), Fault> {
        let payment = self.case.payment(cx.progress);
        let payment = payment.ok_or_else(|| missing_fact("the payment"))?;
        let refunds = self.payments.refunds(&payment.id).await.answered();
        let (standing, failed): (Vec<_>, Vec<_>) = refunds?
            .into_iter()
            .partition(|refund| refund.status.is_effective());
        let given_back = Some(standing.iter().map(|refund| refund.amount).sum());
        let refunded = standing.into_iter().next().map(|refund| Refunded {
            refund,
            given_back,
            note: None,
        });
        Ok((refunded, failed.len()))
    }

    /// Whether that is the whole payment: compares sums, because others refund parts.
    fn is_all(&self, cx: &Context<'_>, standing: &Refunded) -> bool {
        let received = self
            .case
            .payment(cx.progress)
            .map_or(Cents(0), |payment| payment.received);
        standing.given_back.unwrap_or(Cents(0)) >= received
    }

    /// Outcome of an answered refund, together with those of others.
    async fn judge(&self, cx: &Context<'_>, refund: RefundOf) -> Outcome<Refunded> {
        if !refund.status.is_effective() {
            // It certainly failed; the next one has the next key.
            let why = format!("refund {} is {:?}", refund.id, refund.status);
            return Outcome::TryLater(Fault::new(NOT_APPLIED, why));
        }
        let alone = Refunded {
            given_back: Some(refund.amount),
            refund,
            note: None,
        };
        if self.is_all(cx, &alone) {
            return Outcome::Done(alone);
        }
        // Someone had refunded a part of it before.
        match self.standing(cx).await {
            Ok((Some(standing), _)) if self.is_all(cx, &standing) => Outcome::Done(Refunded {
                refund: alone.refund,
                ..standing
            }),
            Ok(_) => {
                let so_far = alone.refund.amount.0;
                let why = format!("{so_far} cents of the payment are given back so far");
                Outcome::TryLater(Fault::new(NOT_APPLIED, why))
            }
            Err(fault) => Outcome::Unknown(fault),
        }
    }
}

impl Refunded {
    /// The same refunds, which this step did not make.
    fn found(self) -> Self {
        Self {
            note: Some("given back before".to_owned()),
            ..self
        }
    }
}

#[async_trait]
impl Activity for Refund {
    type Output = Refunded;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        if self.case.refunded_elsewhere(cx.progress) {
            return Some(Plan::Skip(
                json!({ "note": "the check-out itself gives it back" }),
            ));
        }
        // The first refund of a payment that only this execution knew follows from the journal; a
        // later one depends on the outcomes before.
        let first = cx.direction_progress().is_none_or(|s| s.intents == 0);
        let found = cx.progress.recheck_count > 0;
        (first && !found && !self.case.may_have_refunds()).then(|| self.refund_plan(&cx, 1))
    }

    async fn prepare(&self, cx: Context<'_>) -> Plan {
        if self.case.payment(cx.progress).is_none() {
            return Plan::Refuse(missing_fact("the payment"));
        }
        match self.standing(&cx).await {
            Ok((Some(standing), _)) if self.is_all(&cx, &standing) => {
                Plan::Skip(engine_conversions::value(&standing.found()))
            }
            // A card that returned that many refunds will not take one: a person has to find
            // another way.
            Ok((_, failed)) if failed >= MAX_REFUNDS => Plan::Skip(
                json!({ "attention": AttentionReason::RefundFailedLater, "note": "the refund came back every time" }),
            ),
            // A key repeats its refusal: a new attempt needs the next key.
            Ok((_, failed)) => {
                let refused = cx.direction_progress().map_or(0, |s| s.refusals);
                self.refund_plan(
                    &cx,
                    failed + usize::try_from(refused).unwrap_or_default() + 1,
                )
            }
            Err(fault) => Plan::TryLater(fault),
        }
    }

    async fn send(&self, cx: Context<'_>, request: &Request) -> Outcome<Refunded> {
        let send = |call| async move { self.payments.send_refund(&call).await };
        match engine_conversions::send(request, send).await {
            Outcome::Done(refund) => self.judge(&cx, refund).await,
            // Already refunded by someone: that is the desired state; which refund it was is looked
            // up.
            Outcome::Refused(fault) if fault.code == FaultCode::ChargeAlreadyRefunded => {
                match self.standing(&cx).await {
                    Ok((Some(standing), _)) if self.is_all(&cx, &standing) => {
                        Outcome::Done(standing.found())
                    }
                    Ok(_) => Outcome::Refused(fault),
                    Err(fault) => Outcome::Unknown(fault),
                }
            }
            failed => failed.and_then(|_| Outcome::Refused(missing_fact("the refund"))),
        }
    }

    async fn determine_outcome(&self, cx: Context<'_>, _: &Request) -> OutcomeCheck<Refunded> {
        let direction_progress = cx.direction_progress();
        let age = direction_progress.map_or(Duration::ZERO, |s| s.key_age(cx.now));
        let sticky = direction_progress
            .and_then(engine_conversions::repeated_500)
            .is_some();
        let refusal = direction_progress
            .and_then(|s| s.fault.as_ref())
            .filter(|f| f.code == REFUSED_ON_REPEAT);
        if age < engine_conversions::KEY_IS_SAFE && !sticky && refusal.is_none() {
            return OutcomeCheck::SendAgain;
        }
        let outcome = match self.standing(&cx).await {
            Ok((Some(standing), _)) if self.is_all(&cx, &standing) => Outcome::Done(standing),
            // None of our refunds exists, and the repetition was refused: so the refund is refused.
            Ok(_) if refusal.is_some() => {
                let fault = refusal.and_then(|f| engine_conversions::read(&f.details["refusal"]));
                Outcome::Refused(
                    fault.unwrap_or_else(|| Fault::new(FaultCode::RefundRefused, "refused")),
                )
            }
            // The key always answers 500, and no refund is found: only a person can decide.
            Ok(_) if sticky && age > STICKY_FOR => {
                let fault = Fault::new(
                    FaultCode::RefundNotFound,
                    "the refund's key answers 500, and there is no refund",
                );
                Outcome::Refused(
                    fault.with(json!({ "attention": AttentionReason::UnknownOutcome })),
                )
            }
            Ok(_) => Outcome::Unknown(Fault::new(
                FaultCode::RefundNotFound,
                "no refund of ours so far",
            )),
            Err(fault) => Outcome::Unknown(fault),
        };
        outcome.into()
    }
}
