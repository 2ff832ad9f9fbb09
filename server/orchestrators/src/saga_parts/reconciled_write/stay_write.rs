//! Writes of a stay: booking, room and opportunity, all or nothing, with the booking as
//! precondition.

use async_trait::async_trait;
use dewy_domain::{
    ports::{CheckOutRecords, CheckOutRecordsQuery, Crm},
    stay::Stay,
    upstream_request::{Call, Outcome},
    vocabulary::FaultCode,
};
use dewy_saga::{Context, Fault, Plan};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{LookupResult, Precondition, Write, conflict_fault, missing_fact};

#[async_trait]
pub(crate) trait StayWrite: Send + Sync {
    type Facts: DeserializeOwned + Send + Sync;

    fn stay(facts: &Self::Facts) -> &Stay;

    /// [`Write::facts`].
    fn facts(&self, cx: &Context<'_>) -> Result<Self::Facts, Plan> {
        cx.facts()
            .ok_or_else(|| Plan::Refuse(missing_fact("the facts")))
    }

    /// The call, for the stay as its rows were last found.
    fn call(&self, crm: &dyn Crm, cx: &Context<'_>, facts: Self::Facts, stay: Stay) -> Call;

    async fn send(&self, crm: &dyn Crm, call: &Call) -> Outcome<CheckOutRecords>;

    fn is_applied(&self, cx: &Context<'_>, facts: &Self::Facts, now: &CheckOutRecords) -> bool;

    /// Why it cannot be applied to these rows any more.
    fn conflict(&self, facts: &Self::Facts, now: &CheckOutRecords) -> Option<Fault> {
        let words = "somebody else changed the stay meanwhile";
        difference(Self::stay(facts), now).map(|difference| conflict_fault(words, difference))
    }
}

#[async_trait]
impl<W: StayWrite> Write for W {
    type Facts = W::Facts;
    type Found = CheckOutRecords;
    type Output = CheckOutRecords;

    fn facts(&self, cx: &Context<'_>) -> Result<W::Facts, Plan> {
        StayWrite::facts(self, cx)
    }

    fn build_request(
        &self,
        crm: &dyn Crm,
        cx: &Context<'_>,
        facts: W::Facts,
        found: Option<CheckOutRecords>,
    ) -> Result<(Call, Option<Timestamp>), Fault> {
        let mut stay = W::stay(&facts).clone();
        if let Some(found) = found {
            (stay.booking, stay.room) = (found.booking, found.room);
            stay.opportunity = found.opportunity;
        }
        let stamp = stay.booking.stamp.at;
        Ok((self.call(crm, cx, facts, stay), Some(stamp)))
    }

    async fn write(&self, crm: &dyn Crm, call: &Call) -> Outcome<CheckOutRecords> {
        self.send(crm, call).await
    }

    async fn look_up(
        &self,
        crm: &dyn Crm,
        cx: &Context<'_>,
        facts: W::Facts,
    ) -> Result<LookupResult<CheckOutRecords, CheckOutRecords>, Fault> {
        let query = query(cx.id.to_string(), W::stay(&facts));
        let found = crm.check_out_records(&query).await.answered()?;
        Ok(match found {
            None => LookupResult::Refused(Fault::new(
                FaultCode::BookingGone,
                "the booking or its opportunity no longer exists",
            )),
            Some(now) if self.is_applied(cx, &facts, &now) => LookupResult::Applied(now),
            Some(now) => match self.conflict(&facts, &now) {
                Some(fault) => LookupResult::Refused(fault),
                None => LookupResult::NotApplied {
                    precondition: Precondition::Row(
                        now.booking.stamp.at,
                        crm.build_touch(&now.booking),
                    ),
                    found: now,
                },
            },
        })
    }
}

/// Query for the trace of one execution.
pub(crate) fn query(execution_id: String, stay: &Stay) -> CheckOutRecordsQuery {
    CheckOutRecordsQuery {
        execution_id,
        opportunity_id: stay.opportunity.id.clone(),
        booking_id: stay.booking.id.clone(),
    }
}

/// The first field in which the rows differ from what we read, if any.
fn difference(read: &Stay, now: &CheckOutRecords) -> Option<Value> {
    let pairs = [
        (
            "booking",
            "Status__c",
            read.booking.status.as_str(),
            now.booking.status.as_str(),
        ),
        (
            "room",
            "Status__c",
            read.room.status.as_str(),
            now.room.status.as_str(),
        ),
        (
            "room",
            "Current_Guest__c",
            read.room.current_guest.as_deref().unwrap_or(""),
            now.room.current_guest.as_deref().unwrap_or(""),
        ),
        ("room", "Id", &read.room.id, &now.room.id),
        (
            "opportunity",
            "StageName",
            read.opportunity.stage.as_str(),
            now.opportunity.stage.as_str(),
        ),
    ];
    pairs
        .into_iter()
        .find(|(_, _, ours, found)| ours != found)
        .map(|(object, field, ours, found)| json!({ "object": object, "field": field, "ours": ours, "found": found }))
}
