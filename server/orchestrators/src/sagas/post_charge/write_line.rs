//! Writes the line and touches the booking in one composite. Our reference on the line shows
//! whether it was applied.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    ports::{ChargeOrder, CheckOutRecords, Crm, VoidOrder},
    stay::Line,
    upstream_request::{Call, Reply},
    vocabulary::{FaultCode, LineStatus},
};
use dewy_saga::{Context, Fault};
use serde_json::{Value, json};

use super::facts::Facts;
use crate::saga_parts::{
    engine_conversions,
    reconciled_write::{
        LookupResult, Write, WriteRequest, missing_fact,
        stay_write::{look_up, refreshed},
    },
};

/// Write of the step.
pub(super) struct WriteLine(pub Arc<dyn Crm>);

/// The line as the write leaves it, if present.
pub(super) fn applied<'a>(
    cx: &Context<'_>,
    facts: &Facts,
    now: &'a CheckOutRecords,
) -> Option<&'a Line> {
    let id = cx.id.to_string();
    now.lines.iter().find(|line| match &facts.void {
        Some((void, _)) => line.id == *void && line.status == LineStatus::Cancelled,
        None => line.external_id.as_deref() == Some(&id),
    })
}

#[async_trait]
impl Write for WriteLine {
    fn build_request(
        &self,
        cx: &Context<'_>,
        found: Option<&Value>,
    ) -> Result<WriteRequest, Fault> {
        let facts: Facts = cx.facts().ok_or_else(|| missing_fact("the facts"))?;
        let stay = refreshed(facts.stay, found);
        let stamp = stay.booking.stamp.at;
        let call = match facts.void {
            Some((line_id, _)) => self.0.void_charge(&VoidOrder { stay, line_id }),
            None => {
                let execution_id = cx.id.to_string();
                self.0.charge(&ChargeOrder {
                    execution_id,
                    stay,
                    amount: facts.amount,
                    at: cx.now,
                })
            }
        };
        Ok(WriteRequest::Send(call, Some(stamp)))
    }

    async fn write(&self, call: &Call) -> Reply<Value> {
        self.0
            .send_charge(call)
            .await
            .map(|trace| engine_conversions::value(&trace))
    }

    async fn look_up(&self, cx: &Context<'_>) -> Reply<LookupResult> {
        let Some(facts) = cx.facts::<Facts>() else {
            return Reply::Done(LookupResult::Refused(missing_fact("the facts")));
        };
        look_up(self.0.as_ref(), cx, &facts.stay, |trace| {
            if applied(cx, &facts, trace).is_some() {
                return Some(LookupResult::Applied(engine_conversions::value(trace)));
            }
            let gone = trace.booking.status != facts.stay.booking.status;
            gone.then(|| {
                let details = json!({ "booking_status": trace.booking.status });
                LookupResult::Refused(
                    Fault::new(
                        FaultCode::ForeignEdit,
                        "the stay is not checked in any more",
                    )
                    .with(details),
                )
            })
        })
        .await
    }

    async fn touch_guard_row(&self, call: &Call) -> Reply<()> {
        self.0.send_touch(call).await
    }
}
