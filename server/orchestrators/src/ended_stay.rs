//! Ended stays: what a guest has asked for ends with their stay. A completed check-out leaves a row
//! in the outbox; this worker starts one case execution for each of the stay's open cases, and then
//! deletes the row.

use dewy_domain::{case::CaseQuery, vocabulary::CaseStatus};
use dewy_saga::{StartRequest, StartResult};
use serde_json::json;

use crate::{
    engine_conversions,
    hotel_service::Hotel,
    manage_cases::MANAGE_CASES,
    outbox::{ENDED_STAY, EndedStay},
};

/// Maximum number of rows per batch.
const BATCH: usize = 50;

/// Maximum number of open cases of one stay that end with it, newest first.
const CASES: u32 = 50;

/// Starter of the case executions.
const REQUESTER: &str = "hotel:outbox";

impl Hotel {
    /// Ends the open cases of stays that have ended; returns the number of rows deleted, or `None`
    /// where a row has to wait.
    pub(crate) async fn end_cases_of_ended_stays(&self) -> Option<usize> {
        let journal = self.engine.journal();
        let rows = journal.projections(ENDED_STAY, None, BATCH).await;
        let rows = rows
            .inspect_err(|error| tracing::warn!(%error, "the outbox could not be read"))
            .ok()?;
        let found = rows.len();
        let mut waits = false;
        for row in rows {
            match engine_conversions::read::<EndedStay>(&row.body) {
                // It waits alone
                Some(stay) if self.end_cases(&row.key, &stay).await.is_none() => {
                    tracing::warn!(key = row.key, "the cases of an ended stay are closed later");
                    waits = true;
                    continue;
                }
                Some(_) => {}
                None => tracing::error!(key = row.key, "an ended stay can't be read"),
            }
            let dropped = journal.drop_projection(ENDED_STAY, &row.key).await;
            dropped.ok()?;
        }
        (!waits).then_some(found)
    }

    async fn end_cases(&self, key: &str, stay: &EndedStay) -> Option<()> {
        let query = CaseQuery {
            booking_number: Some(stay.booking_number.clone()),
            open: Some(true),
            limit: CASES,
            ..CaseQuery::default()
        };
        let cases = self.crm.cases(&query).await.answered().ok()?;
        for case in cases {
            let token = format!("{key}:{}", case.number);
            let mut input = json!({
                "case_number": case.number,
                "comment": "The guest has checked out.",
                "_by": { "key": REQUESTER, "role": "clock", "clock": true },
            });
            // Others stay open: a defect is still there, and a question may be about the bill
            if case.kind.ends_with_the_stay() {
                input["status"] = json!(CaseStatus::Closed);
            }
            let order = StartRequest {
                saga: MANAGE_CASES,
                caller: REQUESTER.to_owned(),
                interface: "clock".to_owned(),
                token: Some(token.clone()),
                input_digest: token,
                input,
                labels: Vec::new(),
            };
            match self.engine.start(order).await {
                StartResult::Started(_) | StartResult::Known(_) | StartResult::Mismatch(_) => {}
                StartResult::Overloaded | StartResult::Failed(_) => return None,
            }
        }
        Some(())
    }
}
