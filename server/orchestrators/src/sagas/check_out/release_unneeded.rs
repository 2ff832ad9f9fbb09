//! Releases every hold of which nothing is captured, one after another. Stripe knows which of them still
//! stand, so that nothing but the last release is journaled as the outcome.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{payment::PaymentStatus, payment_intent_id::PaymentIntentId, ports::Payments};
use dewy_saga::{Activity, Context, Fault, NOT_APPLIED, Outcome, OutcomeCheck, Plan, Request};
use serde::{Deserialize, Serialize};

use super::{facts::Facts, second_hold};
use crate::saga_parts::{
    engine_conversions,
    hotel_dependencies::HotelDependencies,
    release_hold::{ReleaseHold, ReleasedHold},
};

pub(super) struct ReleaseUnneeded {
    payments: Arc<dyn Payments>,
    one: ReleaseHold,
}

/// Stored with a request.
#[derive(Default, Serialize, Deserialize)]
struct Sent {
    /// Hold that it releases.
    hold: Option<PaymentIntentId>,
    /// Number of holds that stand after it.
    left: usize,
    /// One that somebody captured before it could be released.
    captured: Option<PaymentIntentId>,
}

impl ReleaseUnneeded {
    pub(super) fn new(parts: &HotelDependencies) -> Self {
        Self {
            payments: Arc::clone(&parts.payments),
            one: ReleaseHold::new(parts, first_unneeded),
        }
    }

    fn plan(&self, cx: &Context<'_>, sent: Sent) -> Plan {
        let Some(hold) = &sent.hold else {
            return second_hold::not_needed();
        };
        let beside = engine_conversions::value(&sent);
        Plan::Send(self.one.request(cx, hold, beside))
    }
}

fn unneeded(cx: &Context<'_>) -> Vec<PaymentIntentId> {
    let facts = cx.facts::<Facts>();
    let holds = facts.map_or_else(Vec::new, |facts| {
        let captured = usize::from(facts.captured().is_some());
        facts.holds.into_iter().skip(captured).collect()
    });
    holds.into_iter().map(|hold| hold.id).collect()
}

fn first_unneeded(cx: &Context<'_>) -> Result<PaymentIntentId, Plan> {
    let first = unneeded(cx).into_iter().next();
    first.ok_or_else(second_hold::not_needed)
}

fn sent(request: &Request) -> Sent {
    engine_conversions::stored_with_call(request).unwrap_or_default()
}

/// The outcome of the step, after this release.
fn after(sent: Sent, released: ReleasedHold) -> Outcome<ReleasedHold> {
    match (sent.left, sent.captured) {
        (0, None) => Outcome::Done(released),
        (0, Some(captured)) => Outcome::Done(ReleasedHold::captured(captured)),
        (left, _) => Outcome::TryLater(Fault::new(NOT_APPLIED, format!("{left} more stand"))),
    }
}

#[async_trait]
impl Activity for ReleaseUnneeded {
    type Output = ReleasedHold;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let mut all = unneeded(&cx);
        (all.len() <= 1).then(|| {
            let hold = all.pop();
            self.plan(
                &cx,
                Sent {
                    hold,
                    ..Sent::default()
                },
            )
        })
    }

    async fn prepare(&self, cx: Context<'_>) -> Plan {
        if let Some(plan) = self.build(cx) {
            return plan;
        }
        let (mut standing, mut ended, mut captured) = (Vec::new(), None, None);
        for id in unneeded(&cx) {
            let read = self.payments.payment(&id).await.answered();
            match read.map(|payment| payment.map(|payment| payment.status)) {
                Ok(Some(PaymentStatus::Canceled)) => ended = Some(id),
                Ok(Some(PaymentStatus::Succeeded)) => captured = Some(id),
                Ok(_) => standing.push(id),
                Err(fault) => return Plan::TryLater(fault),
            }
        }
        // Where none stands, releasing one again journals its end
        let next = standing.pop().or(ended).or_else(|| captured.clone());
        let left = standing.len();
        self.plan(
            &cx,
            Sent {
                hold: next,
                left,
                captured,
            },
        )
    }

    async fn send(&self, cx: Context<'_>, request: &Request) -> Outcome<ReleasedHold> {
        let released = self.one.send(cx, request).await;
        released.and_then(|released| after(sent(request), released))
    }

    async fn determine_outcome(
        &self,
        cx: Context<'_>,
        request: &Request,
    ) -> OutcomeCheck<ReleasedHold> {
        let Some(hold) = sent(request).hold else {
            return self.one.determine_outcome(cx, request).await;
        };
        match self.one.outcome_of(cx, &hold).await {
            OutcomeCheck::Outcome(outcome) => outcome
                .and_then(|released| after(sent(request), released))
                .into(),
            open => open,
        }
    }
}
