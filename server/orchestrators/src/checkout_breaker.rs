//! A circuit breaker for payments: while the CRM keeps refusing the write that follows a payment,
//! no new payment is taken.
//!
//! ```text
//! check-outs charged and compensated because of the CRM, newest first, since the last one that succeeded
//!     fewer than three ─► take payments
//!     otherwise        ─► paused; after a pause that doubles, one check-out is let through as a probe
//! ```
//!
//! The state derives from labels committed with the journal, so that every instance sees the same
//! state and a crash loses nothing.

use std::{sync::Arc, time::Duration};

use dewy_domain::{checkout_pause::CheckoutPause, error_code::ErrorCode, tool_answer::ToolError};
use dewy_saga::{
    Context, Journal, StepId, StoreError,
    journal::{ExecutionFilter, ExecutionRecord},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{engine_conversions, key_value_store::KeyValueStore};

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
const PIVOT_LABEL: &str = "pivot";

/// Key that stores who last lifted the pause, and when.
pub(crate) const LIFTED_KEY: &str = "checkout_pause_lifted";

/// Lifting of the pause, as stored.
#[derive(Serialize, Deserialize)]
pub(crate) struct LiftedPause {
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub by: String,
}

/// Refusals specific to one stay; they say nothing about the next one.
const OF_ONE_STAY: [&str; 3] = ["foreign_edit", "booking_gone", "payment_given_back"];

/// Decision about a check-out that is about to take a payment.
pub(crate) enum BreakerDecision {
    /// No pause.
    Go,
    /// Paused, but this one may run as a probe while it holds this claim.
    Probe(String),
    /// Paused.
    Paused(Box<ToolError>),
}

/// The label of an execution whose pivot succeeded, or failed because of the CRM.
pub(crate) fn label<O, U>(
    cx: Context<'_>,
    saga: &str,
    pivot: StepId<O, U>,
) -> Option<(String, String)> {
    let outcome = match &cx.progress.decision {
        None if cx.progress.is_done(pivot) => "done",
        Some(decision)
            if decision.because == pivot.name
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
    // Each probe has its own claim, named after the failure it follows: one that waits for a person
    // keeps it, and must not block the next.
    let claim = format!("probe:{saga}:{}", pause.latest);
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
    let (at, cause, message) = cause(journal, latest).await?;
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
            labels,
            from: Some(from),
            limit,
            ..ExecutionFilter::default()
        })
        .await
}

/// When the latest one was compensated and what the CRM returned: its code, and its message if it
/// comes from a validation rule.
async fn cause(
    journal: &Arc<dyn Journal>,
    latest: &ExecutionRecord,
) -> Result<(Timestamp, String, Option<String>), StoreError> {
    let record = journal.load(latest.id).await?;
    let decision = record
        .iter()
        .flat_map(|record| record.rows.iter().rev())
        .find_map(|row| match &row.event {
            dewy_saga::Event::Decided { decision } => Some((row.at, decision.fault.clone())),
            _ => None,
        });
    let Some((at, fault)) = decision else {
        return Ok((latest.created_at, String::new(), None));
    };
    Ok((
        at,
        fault.code,
        fault.details["message"].as_str().map(str::to_owned),
    ))
}
