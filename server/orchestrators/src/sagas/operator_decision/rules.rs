//! Actions that an operator may take on an execution, by role. The page that offers an action and
//! the tool that performs it use the same function.

use async_trait::async_trait;
use dewy_domain::{
    caller::Role,
    error_code::ErrorCode,
    execution_view::AvailableResolution,
    money::Cents,
    tool_answer::ToolError,
    tool_catalog::ResolveExecution,
    tool_input::ToolInput,
    vocabulary::{AttentionReason, Resolution},
};
use dewy_saga::{
    Context, Definition, Direction, Phase, Prerequisites, PrerequisitesResult, Progress, Signal,
    SignalAction, State,
    handle_signal::{SignalEffect, handle_signal},
    journal::{ATTENTION, ExecutionRecord},
};
use serde_json::json;

use super::Facts;
use crate::{
    saga_parts::{
        checkout_breaker::PIVOT_LABEL,
        hotel_dependencies::HotelDependencies,
        not_ready::{NotReady, ready},
        presentation::Presentation,
        settings::Settings,
        started_by::StartedBy,
    },
    sagas::{
        compensate_checkout::COMPENSATE, review_account::REVIEW_ACCOUNT,
        review_payment::REVIEW_PAYMENT,
    },
};

const RESOLUTIONS: [(Resolution, SignalAction); 4] = [
    (Resolution::RetryNow, SignalAction::RetryNow),
    (Resolution::Compensate, SignalAction::Compensate),
    (Resolution::FinishForward, SignalAction::FinishForward),
    (Resolution::MarkSolved, SignalAction::MarkSolved),
];

/// Prerequisites of a decision.
pub(super) struct Rules {
    pub parts: HotelDependencies,
    /// Definitions of all other sagas.
    pub definitions: Vec<Definition>,
    pub presentation: fn(&str) -> &'static dyn Presentation,
}

#[async_trait]
impl Prerequisites for Rules {
    async fn read(&self, cx: Context<'_>) -> PrerequisitesResult {
        self.decide(cx).await.unwrap_or_else(|NotReady(why)| why)
    }
}

impl Rules {
    async fn decide(&self, cx: Context<'_>) -> Result<PrerequisitesResult, NotReady> {
        let input = ResolveExecution::read(cx.input)?;
        let record = match input.execution_id.parse().ok() {
            Some(id) => self.parts.journal.load(id).await?,
            None => None,
        };
        let Some(record) = record.filter(|r| r.id != cx.id) else {
            return Err(ToolError::new(ErrorCode::ExecutionNotFound).into());
        };
        let wanted = input.resolution;
        let Some((_, action)) = RESOLUTIONS.into_iter().find(|(one, _)| *one == wanted) else {
            return Err(ToolError::new(ErrorCode::ValidationFailed).into());
        };
        let definition = self
            .definitions
            .iter()
            .find(|d| d.name == record.saga && d.version == record.running_version());
        let presentation = (self.presentation)(&record.saga);
        let (role, settings) = (StartedBy::of(&cx).role(), &self.parts.settings);
        let act = allowed_actions(definition, &record, role, presentation, settings)
            .into_iter()
            .find(|act| act.resolution == wanted);
        let Some(act) = act else {
            let details =
                json!({ "execution_id": record.id, "state": record.state, "resolution": wanted });
            return Err(ToolError::with(ErrorCode::InvalidTransition, details).into());
        };
        if let Some(why) = act.barred {
            let details = json!({ "execution_id": record.id, "why": why });
            return Err(ToolError::with(ErrorCode::OverRefundLimit, details).into());
        }
        // What the decision is about, but not how the execution itself went
        let mut labels = record.labels;
        labels.retain(|(name, _)| name != PIVOT_LABEL && name != ATTENTION);
        let target = record.id;
        ready(
            &Facts { target, action },
            vec![format!("resolve:{target}")],
            labels,
        )
    }
}

/// What this role may do about an execution that needs attention, each with its effect.
pub(crate) fn allowed_actions(
    definition: Option<&Definition>,
    record: &ExecutionRecord,
    role: Option<Role>,
    presentation: &dyn Presentation,
    settings: &Settings,
) -> Vec<AvailableResolution> {
    let (Some(definition), State::NeedsAttention) = (definition, record.state) else {
        return Vec::new();
    };
    if !role.is_some_and(Role::knows_guests) {
        return Vec::new();
    }
    let progress = match record.progress() {
        Ok(progress) => progress,
        Err(_) => return unreadable(),
    };
    let reason = progress.reason().map(AttentionReason::from);
    let left = presentation.money(&progress).map_or(Cents(0), |m| m.net());
    let sum = settings.money(left, settings.currency);
    let limit = settings.money(settings.refund_approval_limit, settings.currency);
    let over = left > settings.refund_approval_limit && role != Some(Role::Manager);
    let barred = |refunds: bool| {
        (refunds && over)
            .then(|| format!("{sum} is over the limit of {limit}: a manager has to decide this."))
    };
    let mut acts = Vec::new();
    for (resolution, action) in RESOLUTIONS {
        let signal = Signal {
            key: String::new(),
            action,
            by: String::new(),
            why: String::new(),
        };
        if handle_signal(definition, &progress, &signal) == SignalEffect::Nothing {
            continue;
        }
        // Changes by others to a payment's money are only reviewed. Older releases have flagged
        // payments of other programs.
        let only_looked_at = record.saga == REVIEW_PAYMENT
            || record.saga == REVIEW_ACCOUNT
            || reason == Some(AttentionReason::ForeignPayment);
        if only_looked_at && action != SignalAction::MarkSolved {
            continue;
        }
        let refunds = refund_is_open(definition, &progress) && left > Cents(0);
        // An execution that never compensated goes forward; only a compensation's own forward
        // direction is a refund.
        let refunds_again = refunds && (progress.decision.is_some() || record.saga == COMPENSATE);
        let flagged = reason == Some(AttentionReason::OrphanOverLimit);
        let act = match action {
            SignalAction::RetryNow if flagged => continue,
            SignalAction::RetryNow => AvailableResolution {
                resolution,
                title: "Try again now".to_owned(),
                will: retry_text(reason.as_ref(), refunds_again, &sum),
                barred: barred(refunds_again),
            },
            SignalAction::Compensate => AvailableResolution {
                resolution,
                title: "Refund and revert".to_owned(),
                will: if refunds {
                    format!(
                        "Refunds {sum}, then reverts the booking, room and opportunity wherever they still hold the values we wrote."
                    )
                } else {
                    "Reverts the booking, room and opportunity wherever they still hold the values we wrote. No money moves."
                        .to_owned()
                },
                barred: barred(refunds),
            },
            SignalAction::FinishForward if flagged => AvailableResolution {
                resolution,
                title: format!("Refund {sum}"),
                will: format!(
                    "Refunds {sum} and reverts the booking wherever it still holds the values we wrote."
                ),
                barred: barred(true),
            },
            // It only refunds: resuming and retrying are the same there.
            SignalAction::FinishForward if record.saga == COMPENSATE => continue,
            SignalAction::FinishForward => AvailableResolution {
                resolution,
                title: "Finish it".to_owned(),
                will: format!(
                    "Continues where it stopped. Nothing is refunded; {sum} stays charged."
                ),
                barred: None,
            },
            SignalAction::MarkSolved | SignalAction::Recheck => AvailableResolution {
                resolution,
                title: "Mark as solved".to_owned(),
                will: match left {
                    Cents(1..) => format!(
                        "{BY_HAND} {sum} stays charged: look at the bill before anybody checks out again, because it may not show this payment."
                    ),
                    _ => BY_HAND.to_owned(),
                },
                barred: None,
            },
        };
        acts.push(act);
    }
    acts
}

/// What settling by hand does.
const BY_HAND: &str =
    "Closes it as settled by hand and releases the booking. Nothing is sent to any system.";

/// Actions for an unreadable record: only those that do not depend on what happened.
fn unreadable() -> Vec<AvailableResolution> {
    let act = |resolution, title: &str, will: &str| AvailableResolution {
        resolution,
        title: title.to_owned(),
        will: will.to_owned(),
        barred: None,
    };
    vec![
        act(
            Resolution::RetryNow,
            "Try again now",
            "Reads the record again and continues if it was restored. Otherwise nothing happens.",
        ),
        act(Resolution::MarkSolved, "Mark as solved", BY_HAND),
    ]
}

/// Whether money still has to be refunded: the execution compensated and its payment was not
/// refunded.
fn refund_is_open(definition: &Definition, progress: &Progress) -> bool {
    definition.steps.iter().filter(|s| s.money).any(|s| {
        let back = progress
            .direction_progress(s.name, Direction::Back)
            .map_or(Phase::Untouched, |s| s.phase);
        s.undo_title.is_some() && !matches!(back, Phase::Done | Phase::Skipped)
            || s.undo_title.is_none()
                && progress
                    .direction_progress(s.name, Direction::Forward)
                    .is_none_or(|f| !matches!(f.phase, Phase::Done | Phase::Skipped))
    })
}

fn retry_text(reason: Option<&AttentionReason>, refunds: bool, sum: &str) -> String {
    match (reason, refunds) {
        (Some(AttentionReason::RefundRefused | AttentionReason::RefundFailedLater), _) | (_, true) => {
            format!("Asks again to refund {sum}; if that works, puts the booking back.")
        }
        (Some(AttentionReason::ForeignEdit | AttentionReason::RevertFailed), _) => {
            "Reads booking, room and opportunity again and reverts what still holds the values we wrote. No money moves."
                .to_owned()
        }
        _ => "Continues where it stopped, after checking the outcome of the last request.".to_owned(),
    }
}
