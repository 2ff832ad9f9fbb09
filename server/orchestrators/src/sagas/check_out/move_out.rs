//! Moves booking, room and opportunity in one composite, identified by its marker row. Never sent
//! twice without a check: the outcome is looked up, and before "not applied" is accepted the
//! booking is touched, so that a late effect fails.

use std::sync::Arc;

use async_trait::async_trait;
use dewy_domain::{
    ports::{CheckOutOrder, Crm},
    upstream_request::{Call, Reply},
};
use dewy_saga::{Context, Fault};
use serde_json::Value;

use super::facts::{Facts, PAY};
use crate::saga_parts::{
    engine_conversions,
    reconciled_write::{
        LookupResult, Write, WriteRequest, conflict_fault, missing_fact,
        stay_write::{difference, look_up, refreshed},
    },
    refund_and_revert::paid_by,
};

/// Write of the step.
pub(super) struct MoveOut(pub Arc<dyn Crm>);

#[async_trait]
impl Write for MoveOut {
    fn build_request(
        &self,
        cx: &Context<'_>,
        found: Option<&Value>,
    ) -> Result<WriteRequest, Fault> {
        let facts = cx
            .facts::<Facts>()
            .ok_or_else(|| missing_fact("the facts"))?;
        let stay = refreshed(facts.stay, found);
        let stamp = stay.booking.stamp.at;
        let order = CheckOutOrder {
            execution_id: cx.id.to_string(),
            stay,
            payment: cx.output(PAY).map(paid_by),
            at: cx.now,
        };
        Ok(WriteRequest::Send(self.0.check_out(&order), Some(stamp)))
    }

    async fn write(&self, call: &Call) -> Reply<Value> {
        self.0
            .send_check_out(call)
            .await
            .map(|trace| engine_conversions::value(&trace))
    }

    async fn look_up(&self, cx: &Context<'_>) -> Reply<LookupResult> {
        let Some(facts) = cx.facts::<Facts>() else {
            return Reply::Done(LookupResult::Refused(missing_fact("the facts")));
        };
        look_up(self.0.as_ref(), cx, &facts.stay, |trace| {
            if trace.marker.is_some() {
                return Some(LookupResult::Applied(engine_conversions::value(trace)));
            }
            let words = "somebody else changed the stay meanwhile";
            difference(&facts.stay, trace)
                .map(|difference| LookupResult::Refused(conflict_fault(words, difference)))
        })
        .await
    }

    async fn touch_guard_row(&self, call: &Call) -> Reply<()> {
        self.0.send_touch(call).await
    }
}
