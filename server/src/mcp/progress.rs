//! How an execution comes along, for a client that gave a progress token: one notification per
//! change of its journal.

use std::{sync::Arc, time::Duration};

use dewy_domain::{caller::Caller, ports::ExecutionFeed, view::ExecutionView};
use rmcp::{
    Peer, RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
};

/// How often the execution is looked for until it is accepted: soon, for that takes milliseconds.
const LOOK: Duration = Duration::from_millis(20);
/// How long one wait for news lasts.
const NEWS: Duration = Duration::from_secs(10);

/// What is followed, and for whom.
#[derive(Debug)]
pub struct Following<'a> {
    /// Where it is followed.
    pub watch: Arc<dyn ExecutionFeed>,
    /// Who began it.
    pub caller: &'a Caller,
    /// With which idempotency token.
    pub token: String,
    /// Whom to tell.
    pub peer: &'a Peer<RoleServer>,
    /// Under which name.
    pub progress: ProgressToken,
}

/// Tells of every change until there is nothing more to tell. The number is the journal's length,
/// which always rises; there is no total, for an execution may have to turn back.
pub async fn tell(following: Following<'_>) {
    let Following {
        watch,
        caller,
        token,
        peer,
        progress,
    } = following;
    let mut view = loop {
        match watch.begun_with(caller, &token).await {
            Some(view) => break view,
            None => tokio::time::sleep(LOOK).await,
        }
    };
    let mut told = 0;
    loop {
        if view.seq > told {
            told = view.seq;
            let note = ProgressNotificationParam::new(progress.clone(), count(told))
                .with_message(words(&view));
            if peer.notify_progress(note).await.is_err() {
                return;
            }
        }
        if view.at_rest {
            return;
        }
        match watch.changed(caller, &view.execution_id, told, NEWS).await {
            Some(next) => view = next,
            None => return,
        }
    }
}

/// Journals have tens of rows, so the number is exact.
fn count(rows: i64) -> f64 {
    f64::from(i32::try_from(rows).unwrap_or(i32::MAX))
}

/// The step that is under way, in words; else where the execution stands.
fn words(view: &ExecutionView) -> String {
    let under_way = |state: &str| matches!(state, "running" | "retrying" | "unknown" | "waiting");
    let back = view
        .back
        .iter()
        .enumerate()
        .find(|(_, step)| under_way(&step.state));
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
        .find(|(_, step)| under_way(&step.state))
    {
        Some((n, step)) if !view.at_rest => {
            format!("Step {} of {}: {}", n + 1, view.forward.len(), step.title)
        }
        _ => view.summary.clone(),
    }
}
