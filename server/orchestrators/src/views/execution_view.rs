//! The view of an execution for people: its journal as steps and sentences. Guests do not see what
//! is for staff only.

pub(super) mod timeline;

use dewy_domain::{
    answer_body::AnswerBody,
    caller::{Caller, Persona},
    execution_view::{
        AvailableResolution, ExecutionListItem, ExecutionView, GuestActivity, StepView,
    },
    tool_answer::{FinalAnswer, ToolAnswer},
    vocabulary::StepState,
};
use dewy_saga::{
    Definition, Direction, Engine, Phase, Progress, State,
    journal::{ATTENTION, Damage, ExecutionRecord},
    progress::DirectionProgress,
};
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::{
    saga_parts::{
        engine_conversions, presentation::Presented, settings::Settings, step_note::staff_note,
    },
    sagas::{self, check_out, operator_decision, review_payment::DUE_BY},
};

fn label(record: &ExecutionRecord, name: &str) -> Option<String> {
    record
        .labels
        .iter()
        .find(|(n, _)| n == name)
        .map(|(_, v)| v.clone())
}

pub(crate) fn item(engine: &Engine, record: &ExecutionRecord) -> ExecutionListItem {
    ExecutionListItem {
        execution_id: record.id.to_string(),
        title: title(engine, record),
        state: engine_conversions::execution_state(record.state),
        reason: label(record, ATTENTION)
            .filter(|_| record.state == State::NeedsAttention)
            .map(Into::into),
        guest_email: label(record, "guest_email").map(Into::into),
        booking_number: label(record, "booking_number").map(Into::into),
        room_number: label(record, "room_number").map(Into::into),
        due_by: label(record, DUE_BY).and_then(|due| due.parse().ok()),
        created_at: record.created_at,
        updated_at: record.updated_at,
    }
}

fn title(engine: &Engine, record: &ExecutionRecord) -> String {
    engine
        .saga(&record.saga)
        .map_or_else(|| record.saga.clone(), |s| s.definition().title.to_owned())
}

/// Number of journal rows of a record, for subscribers.
pub(crate) fn seq(record: &ExecutionRecord) -> i64 {
    record.rows.last().map_or(0, |row| row.seq)
}

/// Answer for a caller who stops waiting: where a person has to act, and the current state.
pub(crate) fn pending(record: &ExecutionRecord) -> (Option<String>, String) {
    let presentation = sagas::presentation(&record.saga);
    match record.progress() {
        Ok(progress) => (
            presentation.next_action_url(&progress),
            presentation.pending_note(record, &progress),
        ),
        Err(_) => (None, String::new()),
    }
}

/// What happens next automatically, or what a person can do, in one sentence.
fn next(
    record: &ExecutionRecord,
    progress: &Progress,
    acts: &[AvailableResolution],
    staff: bool,
) -> String {
    match record.state {
        State::Queued | State::Running => "It continues automatically.".to_owned(),
        State::Retrying | State::Compensating => {
            "It retries automatically until the outcome is known.".to_owned()
        }
        State::Waiting
            if progress
                .forward(check_out::PAY)
                .is_some_and(|s| s.phase == Phase::Waiting) =>
        {
            "It is waiting for the guest's bank and rechecks automatically.".to_owned()
        }
        State::Waiting => "It is waiting and rechecks automatically.".to_owned(),
        State::NeedsAttention if !staff => "The front desk will come back to you.".to_owned(),
        State::NeedsAttention if acts.is_empty() => "Front desk staff must decide.".to_owned(),
        State::NeedsAttention => {
            "A person has to decide; below is what each choice does.".to_owned()
        }
        State::Completed | State::Refused | State::Compensated | State::SettledByHand => {
            "Nothing more happens.".to_owned()
        }
    }
}

/// Text for an execution this release cannot judge, with the reason for staff.
fn text_of_unreadable(record: &ExecutionRecord, damage: Option<&Damage>, staff: bool) -> String {
    if !staff {
        return "Another release of this program works on it. This one leaves it alone.".to_owned();
    }
    let why = match damage {
        Some(damage) => format!("In the store, {damage}."),
        None => format!(
            "This release does not know version {} of {}.",
            record.running_version(),
            record.saga
        ),
    };
    format!(
        "{why} The release that does will continue it; this one leaves it alone. If no instance of that release is \
         running, start one."
    )
}

/// Text for a record that cannot be read.
fn unreadable(damage: &Damage) -> String {
    format!(
        "In the store, {damage}. An operator can restore that row from a backup (`dewy audit verify` names it); then try \
         again. Or settle it in Salesforce and Stripe, and mark it as solved."
    )
}

/// Deadline for the guest to act at their bank.
fn act_by(record: &ExecutionRecord, progress: &Progress, settings: &Settings) -> Option<Timestamp> {
    let direction_progress = progress
        .forward(check_out::PAY)
        .filter(|_| record.state == State::Waiting)?;
    let allowed = SignedDuration::try_from(settings.payment_action_timeout).ok()?;
    direction_progress.first_at.map(|at| at + allowed)
}

/// The tool's answer, once final.
fn body(caller: &Caller, record: &ExecutionRecord) -> Option<Value> {
    let settled = record
        .answer
        .as_ref()
        .filter(|_| record.state.has_ended())
        .and_then(engine_conversions::read::<FinalAnswer>)?;
    let answer = ToolAnswer::Settled {
        settled,
        execution_id: Some(record.id.to_string()),
        replayed: false,
        repeatable: record.token.is_none(),
    };
    Some(answer.body(caller.persona))
}

/// One entry of a guest's own list; a record without its journal is enough.
pub(crate) fn activity(caller: &Caller, record: &ExecutionRecord) -> GuestActivity {
    GuestActivity {
        execution_id: record.id.to_string(),
        tool: record.saga.clone(),
        state: engine_conversions::execution_state(record.state),
        at_rest: record.state.has_ended(),
        booking_number: label(record, "booking_number").map(Into::into),
        room_number: label(record, "room_number").map(Into::into),
        answer: body(caller, record),
        created_at: record.created_at,
        updated_at: record.updated_at,
    }
}

pub(crate) fn of(
    engine: &Engine,
    settings: &Settings,
    caller: &Caller,
    record: &ExecutionRecord,
) -> ExecutionView {
    let staff = caller.persona == Persona::Staff;
    let (progress, damage) = match record.progress() {
        Ok(progress) => (progress, None),
        Err(damage) => (Progress::new(record.id), Some(damage)),
    };
    let presentation = sagas::presentation(&record.saga);
    let definition = engine.saga_of(record).map(|s| s.definition());
    let body = body(caller, record);
    let answered = body.as_ref().map(AnswerBody::of);
    let acts = if staff {
        operator_decision::allowed_actions(definition, record, caller.role, presentation, settings)
    } else {
        Vec::new()
    };
    ExecutionView {
        execution_id: record.id.to_string(),
        tool: record.saga.clone(),
        title: title(engine, record),
        state: engine_conversions::execution_state(record.state),
        summary: presentation.summary(Presented {
            record,
            progress: &progress,
            body: answered.as_ref(),
            settings,
        }),
        next: match &damage {
            Some(damage) if damage.newer => text_of_unreadable(record, Some(damage), staff),
            Some(damage) if staff => unreadable(damage),
            _ if definition.is_none() && !record.state.has_ended() => {
                text_of_unreadable(record, None, staff)
            }
            _ => next(record, &progress, &acts, staff),
        },
        triggers: if staff {
            progress.triggers.clone()
        } else {
            Vec::new()
        },
        ids: if staff {
            presentation.ids(&progress)
        } else {
            Vec::new()
        },
        acts,
        act_by: act_by(record, &progress, settings),
        at_rest: record.state.has_ended(),
        seq: seq(record),
        booking_number: label(record, "booking_number").map(Into::into),
        room_number: label(record, "room_number").map(Into::into),
        guest_email: label(record, "guest_email")
            .filter(|_| staff)
            .map(Into::into),
        asked_by: staff.then(|| format!("{} through {}", record.caller, record.interface)),
        forward: definition
            .map(|d| forward(d, &progress, staff))
            .unwrap_or_default(),
        back: definition
            .map(|d| back(d, &progress, staff))
            .unwrap_or_default(),
        money: presentation.money(&progress),
        next_action_url: presentation.next_action_url(&progress),
        answer: body,
        reason: match &damage {
            Some(_) => label(record, ATTENTION),
            None => progress
                .ended
                .as_ref()
                .and_then(|(_, reason, _)| reason.clone()),
        }
        .map(Into::into),
        differences: if staff {
            presentation.differences(&progress)
        } else {
            Vec::new()
        },
        next_try_at: record.wake_at.filter(|_| !record.state.has_ended()),
        created_at: record.created_at,
        updated_at: record.updated_at,
        timeline: if staff {
            timeline::of(definition, &record.rows)
        } else {
            Vec::new()
        },
    }
}

fn forward(definition: &Definition, progress: &Progress, staff: bool) -> Vec<StepView> {
    let happened = |name: &str| {
        let step = progress.direction_progress(name, Direction::Forward);
        step.is_some_and(|s| !matches!(s.phase, Phase::Untouched | Phase::Skipped))
    };
    let steps = definition.steps.iter();
    steps
        .filter(|s| !s.contingent || happened(s.name))
        .map(|s| {
            step(
                s.name,
                s.title,
                progress.direction_progress(s.name, Direction::Forward),
                staff,
            )
        })
        .collect()
}

fn back(definition: &Definition, progress: &Progress, staff: bool) -> Vec<StepView> {
    if progress.decision.is_none() {
        return Vec::new();
    }
    definition
        .undo_order()
        .filter(|s| {
            progress
                .direction_progress(s.name, Direction::Forward)
                .is_some_and(|f| f.intents > 0)
        })
        .map(|s| {
            step(
                s.name,
                s.undo_title.unwrap_or(s.title),
                progress.direction_progress(s.name, Direction::Back),
                staff,
            )
        })
        .collect()
}

fn step(
    name: &str,
    title: &str,
    direction_progress: Option<&DirectionProgress>,
    staff: bool,
) -> StepView {
    let Some(direction_progress) = direction_progress else {
        return StepView {
            name: name.to_owned(),
            title: title.to_owned(),
            state: StepState::Pending,
            attempts: 0,
            note: String::new(),
            at: None,
            key: None,
        };
    };
    StepView {
        name: name.to_owned(),
        title: title.to_owned(),
        state: step_state(direction_progress.phase),
        attempts: direction_progress
            .sends
            .max(u32::from(direction_progress.intents > 0)),
        note: if staff {
            staff_note(direction_progress)
        } else {
            String::new()
        },
        at: direction_progress.last_at,
        key: direction_progress
            .request
            .as_ref()
            .and_then(|r| r.key.clone())
            .filter(|_| staff),
    }
}

const fn step_state(phase: Phase) -> StepState {
    match phase {
        Phase::Untouched => StepState::Pending,
        Phase::Intended => StepState::Running,
        Phase::Done => StepState::Done,
        Phase::Refused => StepState::Refused,
        Phase::TryLater => StepState::Retrying,
        Phase::Unknown => StepState::Unknown,
        Phase::Waiting => StepState::Waiting,
        Phase::Skipped => StepState::Skipped,
    }
}
