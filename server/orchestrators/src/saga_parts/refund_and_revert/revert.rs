//! Reverts booking, room and opportunity, each only if it is still exactly what this execution
//! wrote. What someone else changed is left as it is and reported, with the difference.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    execution_view::Difference,
    payment::{Payment, RefundStatus},
    ports::{CheckOutRecords, Crm, RecordedPayment, RefundLine, RevertOrder},
    stay::{Line, LineKind, Stay},
    upstream_request::Call,
    vocabulary::LineStatus,
    vocabulary::{AttentionReason, FaultCode},
};
use dewy_saga::{Activity, Context, Fault, NOT_APPLIED, Outcome, OutcomeCheck, Plan, Request};
use serde_json::{Value, json};

use super::{
    CompensationData, Reverted, StayBefore,
    own_writes::{CHECKED_OUT_STATE, OwnWrites, difference},
};
use crate::saga_parts::{
    engine_conversions,
    hotel_dependencies::HotelDependencies,
    reconciled_write::{
        LateEffect, late_effect, same_second, stay_write::query, touch, unknown_if,
    },
    settings::Settings,
};

/// The revert step, for a check-out's compensation and for a payment missing from the journal
/// alike.
pub(crate) struct Revert {
    crm: Arc<dyn Crm>,
    settings: Settings,
    case: Box<dyn CompensationData>,
}

impl Revert {
    pub(crate) fn new(parts: &HotelDependencies, case: impl CompensationData + 'static) -> Self {
        Self {
            crm: Arc::clone(&parts.crm),
            settings: parts.settings.clone(),
            case: Box::new(case),
        }
    }

    fn plan(&self, cx: Context<'_>, case: &StayBefore, trace: CheckOutRecords) -> Plan {
        let payment = self.case.payment(cx.progress);
        let mut left = Vec::new();
        let mut order = RevertOrder {
            execution_id: case.execution_id.clone(),
            booking: None,
            room: None,
            opportunity: None,
            opportunity_id: case.stay.opportunity.id.clone(),
            missing_payment: None,
            refund: None,
            unpaid: unpaid(case, &trace),
            at: cx.now,
        };
        if let Some(marker) = &trace.marker {
            let before = &case.stay;
            let paid = self.case.written_payment(cx.progress);
            let ours = OwnWrites::of(case, marker, &trace, paid, &self.settings.time_zone);
            if trace.booking.status != before.booking.status {
                match ours.booking(&trace.booking) {
                    Ok(()) => order.booking = Some((trace.booking.clone(), before.booking.clone())),
                    Err(difference) => left.push(difference),
                }
            }
            if trace.room.status != before.room.status
                || trace.room.current_guest != before.room.current_guest
            {
                match ours.room(&trace.room) {
                    Ok(()) => order.room = Some((trace.room.clone(), before.room.clone())),
                    Err(difference) => left.push(difference),
                }
            }
            if trace.opportunity.stage != before.opportunity.stage {
                match ours.opportunity(&trace.opportunity) {
                    Ok(()) => {
                        order.opportunity =
                            Some((trace.opportunity.clone(), before.opportunity.clone()))
                    }
                    Err(difference) => left.push(difference),
                }
            }
        }
        if !trace.compensated {
            order.refund = self.case.refund(cx.progress).map(|refund| RefundLine {
                refund_id: refund.id,
                amount: refund.amount,
                status: match refund.status {
                    RefundStatus::Succeeded => LineStatus::Completed,
                    _ => LineStatus::Pending,
                },
            });
            // Without the marker the payment has no line yet, and a refund line alone would double
            // the balance.
            if trace.marker.is_none() {
                order.missing_payment = payment.map(paid_by);
            }
        }
        let reverted: Vec<_> = [
            ("booking", order.booking.is_some()),
            ("room", order.room.is_some()),
            ("opportunity", order.opportunity.is_some()),
        ]
        .into_iter()
        .filter(|(_, changed)| *changed)
        .map(|(name, _)| name.to_owned())
        .collect();
        let nothing = reverted.is_empty() && order.refund.is_none() && order.unpaid.is_empty();
        let report = report(trace.marker.is_some(), reverted, left);
        if nothing {
            return Plan::Skip(report);
        }
        Plan::Send(self.request(&self.crm.revert(&order), report))
    }

    fn request(&self, call: &Call, beside: Value) -> Request {
        engine_conversions::request(call, self.settings.salesforce_deadline, beside)
    }
}

/// Our lines that still wait for a hold to be captured.
fn unpaid(case: &StayBefore, trace: &CheckOutRecords) -> Vec<String> {
    let own = |line: &&Line| {
        let reference = line.external_id.as_deref().unwrap_or_default();
        line.status == LineStatus::Pending
            && line.kind == LineKind::Payment
            && reference.split('#').next() == Some(case.execution_id.as_str())
    };
    let pending = trace.lines.iter().filter(own);
    pending.map(|line| line.id.clone()).collect()
}

fn report(applied: bool, reverted: Vec<String>, left: Vec<Difference>) -> Value {
    engine_conversions::value(&Reverted {
        applied,
        reverted,
        attention: (!left.is_empty()).then_some(AttentionReason::ForeignEdit),
        left,
    })
}

fn reported(request: &Request) -> Reverted {
    engine_conversions::stored_with_call(request).unwrap_or_default()
}

#[async_trait]
impl Activity for Revert {
    type Output = Reverted;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        let elsewhere = self.case.refunded_elsewhere(cx.progress);
        elsewhere.then(|| Plan::Skip(json!({ "note": "the check-out itself is put back" })))
    }

    async fn prepare(&self, cx: Context<'_>) -> Plan {
        let case = match self.case.before(self.crm.as_ref(), &cx).await {
            Ok(Some(case)) => case,
            Ok(None) => return Plan::Skip(report(false, vec![], vec![])),
            Err(fault) => return Plan::TryLater(fault),
        };
        let query = query(case.execution_id.clone(), &case.stay);
        let trace = match self.crm.check_out_records(&query).await.answered() {
            Ok(Some(trace)) => trace,
            Ok(None) => {
                let gone = difference("booking", "Id", &case.stay.booking.id, "");
                return Plan::Skip(report(false, vec![], vec![gone]));
            }
            Err(error) => return Plan::TryLater(error),
        };
        if let (None, Some(guard)) = (&trace.marker, case.late_effect_second) {
            let last = cx.direction_progress().and_then(|s| s.guard.as_ref());
            match late_effect(&cx, last, guard, trace.booking.stamp.at) {
                LateEffect::Impossible => {}
                LateEffect::SameSecond => return Plan::TryLater(same_second()),
                LateEffect::Possible => {
                    let call = self.crm.build_touch(&trace.booking);
                    return Plan::Guard(self.request(&call, Value::Null));
                }
            }
        }
        self.plan(cx, &case, trace)
    }

    async fn send(&self, _: Context<'_>, request: &Request) -> Outcome<Reverted> {
        let send = |call| async move { self.crm.send_revert(&call).await };
        let sent = engine_conversions::send(request, send).await;
        // Someone else may also have written a row between our read and our write.
        unknown_if(sent, &[FaultCode::GuardFailed]).and_then(|()| Outcome::Done(reported(request)))
    }

    async fn determine_outcome(
        &self,
        cx: Context<'_>,
        request: &Request,
    ) -> OutcomeCheck<Reverted> {
        let case = match self.case.before(self.crm.as_ref(), &cx).await {
            Ok(Some(case)) => case,
            Ok(None) => return Outcome::Done(reported(request)).into(),
            Err(fault) => return Outcome::Unknown(fault).into(),
        };
        let query = query(case.execution_id.clone(), &case.stay);
        let outcome = match self.crm.check_out_records(&query).await.answered() {
            // The refund line is part of the same all-or-nothing write, or nothing was left to
            // revert.
            Ok(Some(trace)) if trace.compensated && is_reverted(&trace, &case.stay, request) => {
                Outcome::Done(reported(request))
            }
            Ok(_) => Outcome::TryLater(Fault::new(NOT_APPLIED, "looked up, and not put back yet")),
            Err(error) => Outcome::Unknown(error),
        };
        outcome.into()
    }

    async fn send_guard(&self, _: Context<'_>, request: &Request) -> Outcome {
        touch(self.crm.as_ref(), request).await
    }
}

/// Whether everything the request was to revert has left the check-out's state.
fn is_reverted(trace: &CheckOutRecords, before: &Stay, request: &Request) -> bool {
    let Reverted { reverted, .. } = reported(request);
    let wanted = |name: &str| reverted.iter().any(|record| record == name);
    !(wanted("booking") && trace.booking.status == CHECKED_OUT_STATE.booking
        || wanted("room")
            && trace.room.status == before.room.status.after_departure()
            && trace.room.current_guest.is_none()
        || wanted("opportunity") && trace.opportunity.stage == CHECKED_OUT_STATE.stage)
}

pub(crate) fn paid_by(payment: Payment) -> RecordedPayment {
    RecordedPayment {
        payment_intent: payment.id,
        amount: payment.received,
        last4: payment.last4,
        receipt_url: payment.receipt_url,
    }
}
