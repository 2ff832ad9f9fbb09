//! A circuit breaker for payments: while the CRM keeps refusing the write that follows a payment,
//! no new payment is taken.
//!
//! ```text
//! check-outs charged and compensated because of the CRM, newest first, since the last one that succeeded
//!     fewer than three ─► take payments
//!     otherwise        ─► paused; after a pause that doubles, one check-out is let through as a probe
//! ```
//!
//! An execution counts once, by the outcome of its own pivot, whatever repairs it later. The state
//! derives from labels committed with the journal, so that every instance sees the same
//! state and a crash loses nothing.

use std::{sync::Arc, time::Duration};

use dewy_domain::{checkout_pause::CheckoutPause, error_code::ErrorCode, tool_answer::ToolError};
use dewy_saga::{
    Context, Event, Journal, StepId, StoreError,
    journal::{ExecutionFilter, ExecutionRecord},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::saga_parts::{engine_conversions, key_value_store::KeyValueStore};

/// Number of consecutive check-outs charged and refunded before payments are paused.
const FAILURES: usize = 3;

/// Time between the latest failure and a probe; doubles with each further failure.
const FIRST_PAUSE: Duration = Duration::from_secs(60);

/// Maximum time between probes.
const MAX_PAUSE: Duration = Duration::from_secs(1800);

/// Older failures say nothing about the current state of the CRM.
const FAILURE_LIFETIME: SignedDuration = SignedDuration::from_hours(24);

/// Maximum number of failures counted: more do not lengthen the pause.
const MAX_COUNTED_FAILURES: usize = 16;

/// Label that stores the outcome of an execution's pivot.
pub(crate) const PIVOT_LABEL: &str = "pivot";

/// Key that stores who last lifted the pause, and when.
pub(crate) const LIFTED_KEY: &str = "checkout_pause_lifted";

#[derive(Serialize, Deserialize)]
pub(crate) struct LiftedPause {
    pub at: Timestamp,
    /// By whom.
    pub by: String,
}

/// Refusals specific to one stay, or to its payment; they say nothing about the next check-out.
const OF_ONE_STAY: [&str; 12] = [
    "foreign_edit",
    "booking_gone",
    "guard_failed",
    "incomplete_record",
    "missing_fact",
    "payment_given_back",
    "payment_not_found",
    "NOT_FOUND",
    "ENTITY_IS_DELETED",
    "ENTITY_IS_LOCKED",
    "DUPLICATE_VALUE",
    "INVALID_CROSS_REFERENCE_KEY",
];

/// Cause of a failure whose journal does not name one, such as a damaged journal.
const UNKNOWN_CAUSE: &str = "unknown";

/// Requester of a decision that the execution made on its own.
const SAGA: &str = "saga";

/// Decision about a check-out that is about to take a payment.
pub(crate) enum BreakerDecision {
    /// No pause.
    Go,
    /// Paused, but this one may run as a probe while it holds this claim.
    Probe(String),
    Paused(Box<ToolError>),
}

/// The label of an execution whose pivot succeeded, or failed because of the CRM. Only the
/// execution's own first decision counts: what a person, a recheck or the orphan check makes of it
/// later repairs an older failure and is not another one.
pub(crate) fn label<O, U>(
    cx: Context<'_>,
    saga: &str,
    pivot: StepId<O, U>,
) -> Option<(String, String)> {
    let outcome = match &cx.progress.decision {
        None if cx.progress.is_done(pivot) => "done",
        Some(decision)
            if decision.because == pivot.name
                && decision.trigger == SAGA
                && cx.progress.resumed.is_none()
                && !OF_ONE_STAY.contains(&decision.fault.code.as_str()) =>
        {
            "failed"
        }
        _ => return None,
    };
    Some((PIVOT_LABEL.to_owned(), value(saga, outcome)))
}

fn value(saga: &str, outcome: &str) -> String {
    format!("{saga}:{outcome}")
}

/// Decides about one check-out.
pub(crate) async fn decide(
    saga: &str,
    journal: &Arc<dyn Journal>,
    key_value_store: &Arc<dyn KeyValueStore>,
    now: Timestamp,
) -> Result<BreakerDecision, StoreError> {
    let Some(pause) = pause(saga, journal, key_value_store, now).await? else {
        return Ok(BreakerDecision::Go);
    };
    // Each probe has its own claim, named after the failure it follows and the time it may start:
    // one that waits for a person or for the guest's bank keeps it, and must not block the next.
    let waited = now.duration_since(pause.next_probe_at).as_secs().max(0);
    let slot = waited / i64::try_from(MAX_PAUSE.as_secs()).unwrap_or(i64::MAX);
    let claim = format!("probe:{saga}:{}:{slot}", pause.latest);
    let probing = journal.claim_holder(&claim).await?.is_some();
    if now >= pause.next_probe_at && !probing {
        tracing::warn!(
            failures = pause.failures,
            cause = pause.cause,
            "a check-out is let through as a probe"
        );
        return Ok(BreakerDecision::Probe(claim));
    }
    let left = pause.next_probe_at.duration_since(now).as_secs().max(5);
    let details = json!({ "charged": false, "retry_after_seconds": left, "since": pause.since });
    Ok(BreakerDecision::Paused(Box::new(ToolError::with(
        ErrorCode::CheckoutPaused,
        details,
    ))))
}

/// The current pause and its reason, if any.
pub(crate) async fn pause(
    saga: &str,
    journal: &Arc<dyn Journal>,
    key_value_store: &Arc<dyn KeyValueStore>,
    now: Timestamp,
) -> Result<Option<CheckoutPause>, StoreError> {
    let failed = newest(
        saga,
        journal,
        "failed",
        now - FAILURE_LIFETIME,
        MAX_COUNTED_FAILURES,
    )
    .await?;
    if failed.len() < FAILURES {
        return Ok(None);
    }
    let lifted = key_value_store
        .read(LIFTED_KEY)
        .await?
        .as_ref()
        .and_then(engine_conversions::read::<LiftedPause>)
        .map(|lifted| lifted.at);
    let succeeded = newest(saga, journal, "done", now - FAILURE_LIFETIME, 1)
        .await?
        .first()
        .map(|record| record.created_at);
    let since = lifted.max(succeeded);
    let in_a_row: Vec<_> = failed
        .iter()
        .take_while(|record| since.is_none_or(|since| record.created_at > since))
        .collect();
    let (Some(latest), Some(first)) = (in_a_row.first(), in_a_row.last()) else {
        return Ok(None);
    };
    if in_a_row.len() < FAILURES {
        return Ok(None);
    }
    let doublings = u32::try_from(in_a_row.len() - FAILURES)
        .unwrap_or(u32::MAX)
        .min(8);
    let wait = (FIRST_PAUSE * 2_u32.pow(doublings)).min(MAX_PAUSE);
    let (at, cause, message) = cause(journal, &in_a_row).await?.unwrap_or_else(|| {
        let at = latest.created_at;
        (at, UNKNOWN_CAUSE.to_owned(), None)
    });
    Ok(Some(CheckoutPause {
        failures: in_a_row.len(),
        since: first.created_at,
        next_probe_at: at + wait,
        cause,
        message,
        latest: latest.id.to_string(),
    }))
}

async fn newest(
    saga: &str,
    journal: &Arc<dyn Journal>,
    outcome: &str,
    from: Timestamp,
    limit: usize,
) -> Result<Vec<ExecutionRecord>, StoreError> {
    let labels = vec![(PIVOT_LABEL.to_owned(), value(saga, outcome))];
    journal
        .list(&ExecutionFilter {
            saga: Some(saga.to_owned()),
            labels,
            from: Some(from),
            limit,
            ..ExecutionFilter::default()
        })
        .await
}

/// When the latest one was compensated, and what the CRM returned to the newest one whose journal can
/// be read: its code, and its message if it comes from a validation rule.
async fn cause(
    journal: &Arc<dyn Journal>,
    newest_first: &[&ExecutionRecord],
) -> Result<Option<(Timestamp, String, Option<String>)>, StoreError> {
    for (place, failed) in newest_first.iter().enumerate() {
        let record = journal.load(failed.id).await?;
        let rows = record.iter().flat_map(|record| &record.rows);
        let mut own = rows.filter_map(|row| match &row.event {
            Event::Decided { decision } if decision.trigger == SAGA => {
                Some((row.at, &decision.fault))
            }
            _ => None,
        });
        if let Some((at, fault)) = own.rfind(|(_, fault)| !fault.code.trim().is_empty()) {
            let at = if place == 0 {
                at
            } else {
                newest_first.first().map_or(at, |latest| latest.created_at)
            };
            let message = fault.details["message"].as_str().map(str::to_owned);
            return Ok(Some((at, fault.code.clone(), message)));
        }
    }
    Ok(None)
}
