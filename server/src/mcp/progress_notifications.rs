//! Progress of an execution for a client that sent a progress token: one notification per change of
//! its journal.

use std::{sync::Arc, time::Duration};

use dewy_domain::{caller::Caller, execution_view::ExecutionView, ports::ExecutionFeed};
use rmcp::{
    Peer, RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
};

/// Polling interval until the execution is accepted: short, because that takes milliseconds.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Maximum duration of one wait for a change.
const MAX_WAIT: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub struct FollowedExecution<'a> {
    pub execution_feed: Arc<dyn ExecutionFeed>,
    pub caller: &'a Caller,
    pub token: String,
    /// Client to notify.
    pub peer: &'a Peer<RoleServer>,
    pub progress: ProgressToken,
}

/// Sends a notification for every change until the execution is at rest. The number is the length
/// of the journal, which always grows; there is no total, because an execution may have to
/// compensate.
pub async fn report_progress(following: FollowedExecution<'_>) {
    let FollowedExecution {
        execution_feed,
        caller,
        token,
        peer,
        progress,
    } = following;
    let mut view = loop {
        match execution_feed.find_by_token(caller, &token).await {
            Some(view) => break view,
            None => tokio::time::sleep(POLL_INTERVAL).await,
        }
    };
    let mut sent_steps = 0;
    loop {
        if view.seq > sent_steps {
            sent_steps = view.seq;
            let note = ProgressNotificationParam::new(progress.clone(), count(sent_steps))
                .with_message(progress_message(&view));
            if peer.notify_progress(note).await.is_err() {
                return;
            }
        }
        if view.at_rest {
            return;
        }
        match execution_feed
            .changed(caller, &view.execution_id, sent_steps, MAX_WAIT)
            .await
        {
            Some(next) => view = next,
            None => return,
        }
    }
}

/// Journals have tens of rows, so the number is exact.
fn count(rows: i64) -> f64 {
    f64::from(i32::try_from(rows).unwrap_or(i32::MAX))
}

/// Label of the current step, or else the state of the execution.
fn progress_message(view: &ExecutionView) -> String {
    let back = view
        .back
        .iter()
        .enumerate()
        .find(|(_, step)| step.state.is_under_way());
    if let Some((n, step)) = back {
        return format!(
            "Turning back, step {} of {}: {}",
            n + 1,
            view.back.len(),
            step.title
        );
    }
    match view
        .forward
        .iter()
        .enumerate()
        .find(|(_, step)| step.state.is_under_way())
    {
        Some((n, step)) if !view.at_rest => {
            format!("Step {} of {}: {}", n + 1, view.forward.len(), step.title)
        }
        _ => view.summary.to_string(),
    }
}
