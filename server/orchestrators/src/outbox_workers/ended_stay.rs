//! Ended stays: what a guest has asked for ends with their stay. A completed check-out leaves a row
//! in the outbox; this worker starts one case execution for each of the stay's open cases, and then
//! deletes the row.

use std::collections::BTreeMap;

use dewy_domain::{
    case::{CaseQuery, GUEST_HAS_CHECKED_OUT},
    tool_catalog::ManageCases,
    vocabulary::CaseStatus,
};
use dewy_saga::{State, journal::ProjectionRow};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::{
    hotel::{hotel_service::Hotel, start_by_clock::by_clock},
    saga_parts::{
        engine_conversions,
        outbox::{self, ENDED_STAY, EndedStay},
        started_by,
    },
};

/// Maximum number of rows read at once.
const MAX_ROWS: usize = 1000;

/// Maximum number of open cases of one stay that end with it, newest first.
const CASES: u32 = 50;

/// Age at which a row that still fails is dropped.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(24);

/// Named lease of the worker, so that instances don't repeat each other's reads.
const LEASE: &str = "ended_stays";

/// Starter of the case executions.
const REQUESTER: &str = "hotel:outbox";

/// Rows that have to wait, and the lease.
#[derive(Debug, Default)]
struct Progress {
    /// Rows that have to wait, by key, and until when.
    waiting: BTreeMap<String, Timestamp>,
    /// Time until which the lease needs no renewal.
    leased: Option<Timestamp>,
}

impl Hotel {
    /// Ends the open cases of stays that have ended; never returns.
    pub(crate) async fn run_ended_stays(&self) {
        let mut progress = Progress::default();
        loop {
            self.end_cases_of_ended_stays(&mut progress).await;
            self.clock.sleep(self.settings.poll).await;
        }
    }

    /// Ends the open cases of stays that have ended, oldest first. A stay whose cases can't be ended
    /// now waits alone.
    async fn end_cases_of_ended_stays(&self, progress: &mut Progress) {
        let journal = self.engine.journal();
        let rows = match journal.projections(ENDED_STAY, None, MAX_ROWS).await {
            Ok(rows) => rows,
            Err(error) => {
                tracing::warn!(%error, "the outbox could not be read");
                return;
            }
        };
        let Progress { waiting, leased } = progress;
        waiting.retain(|key, _| rows.iter().any(|row| row.key == *key));
        if rows.is_empty() || !self.leads_ended_stays(leased).await {
            return;
        }
        for row in rows.into_iter().rev() {
            let now = self.clock.now();
            if waiting.get(&row.key).is_some_and(|until| now < *until) {
                continue;
            }
            let age = now.duration_since(row.updated_at);
            match self.end_cases(&row).await {
                Ok(()) => {}
                Err(why) if age < MAX_AGE => {
                    tracing::warn!(key = row.key, why, "the cases of an ended stay end later");
                    waiting.insert(row.key, now + outbox::pause_at(age));
                    continue;
                }
                Err(why) => {
                    tracing::error!(key = row.key, why, "the cases of an ended stay stay open");
                }
            }
            if let Err(error) = journal.drop_projection(ENDED_STAY, &row.key).await {
                tracing::warn!(%error, "an ended stay remains in the outbox");
                waiting.insert(row.key, now + outbox::pause_at(age));
            }
        }
    }

    /// Whether this instance holds the worker's lease, which it renews halfway through.
    async fn leads_ended_stays(&self, leased: &mut Option<Timestamp>) -> bool {
        let now = self.clock.now();
        if leased.is_some_and(|until| now < until) {
            return true;
        }
        let worker = self.engine.worker();
        let lease = self.settings.lease;
        let held = self
            .key_value_store
            .acquire_lease(LEASE, worker, lease, now);
        let held = held.await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the lease of the ended stays could not be acquired");
            false
        });
        *leased = held.then(|| now + lease / 2);
        held
    }

    /// Starts the executions that end the open cases of a stay, unless it has not ended after all.
    async fn end_cases(&self, row: &ProjectionRow) -> Result<(), &'static str> {
        let stay: EndedStay = engine_conversions::read(&row.body).ok_or("it can't be read")?;
        let journal = self.engine.journal();
        let heads = journal.heads(&[row.execution]).await;
        match heads.map_err(|_| "its check-out can't be read")?.first() {
            Some(check_out) if check_out.state == State::Completed => {}
            // Reopened: a late effect turned up
            Some(check_out) if !check_out.state.has_ended() => {
                return Err("its check-out is open again");
            }
            // The guest is back in house
            _ => return Ok(()),
        }
        let query = CaseQuery {
            booking_number: Some(stay.booking_number),
            open: Some(true),
            limit: CASES,
            ..CaseQuery::default()
        };
        let cases = self.crm.cases(&query).await.answered();
        let cases = cases.map_err(|_| "Salesforce did not list them")?;
        // Somebody may have taken the check-out back
        for case in cases.into_iter().filter(|case| case.stay_is_over) {
            let token = format!("{}:{}", row.key, case.number);
            let mut input = json!({
                "case_number": case.number,
                "comment": GUEST_HAS_CHECKED_OUT,
                "_by": started_by::clock(REQUESTER),
            });
            // Others stay open: a defect is still there, and a question may be about the bill
            if case.kind.ends_with_the_stay() {
                input["status"] = json!(CaseStatus::Closed);
            }
            let order = by_clock(ManageCases::NAME, REQUESTER, token, input);
            let started = self.start_once(order).await;
            started.map_err(|_| "an execution could not be started")?;
        }
        Ok(())
    }
}
