//! The journal's rows as sentences, in order.

use dewy_domain::{
    execution_view::{EventView, SettledView},
    vocabulary::StepState,
};
use dewy_saga::{Definition, Direction, Event, Fault, Outcome, Row};
use serde_json::{Value, json};

use crate::saga_parts::{
    engine_conversions, step_note::fault_note, withheld_secrets::without_secrets,
};

/// A step in one direction, and whether it is the guard's request.
type Target<'a> = (&'a str, Direction, bool);

/// One entry per row.
pub(in crate::views) fn of(definition: Option<&Definition>, rows: &[Row]) -> Vec<EventView> {
    let mut sent: Vec<(Target<'_>, i64)> = Vec::new();
    let entry = |row: &Row, settled| EventView {
        seq: row.seq,
        at: row.at,
        by: row.by.clone(),
        title: headline(definition, &row.event),
        settled,
        detail: folded(&row.event),
    };
    let entries = rows.iter().map(|row| match &row.event {
        Event::Intended {
            step,
            direction,
            guard,
            ..
        } => {
            sent.push(((step, *direction, *guard), row.seq));
            entry(row, None)
        }
        Event::Settled {
            step,
            direction,
            guard,
            looked,
            outcome,
        } => {
            let target: Target<'_> = (step, *direction, *guard);
            let request = sent.iter().rev().find(|(of, _)| *of == target);
            let request = request.map(|(_, seq)| *seq);
            entry(row, Some(settled(outcome, *looked, request)))
        }
        _ => entry(row, None),
    });
    entries.collect()
}

fn settled(outcome: &Outcome, looked: bool, request: Option<i64>) -> SettledView {
    let (state, fault) = match outcome {
        Outcome::Done(_) => (StepState::Done, None),
        Outcome::Waiting(_) => (StepState::Waiting, None),
        Outcome::Refused(fault) => (StepState::Refused, Some(fault)),
        Outcome::TryLater(fault) => (StepState::Retrying, Some(fault)),
        Outcome::Unknown(fault) => (StepState::Unknown, Some(fault)),
    };
    let looked = if looked { "looked up: " } else { "" };
    SettledView {
        request,
        state,
        outcome: format!("{looked}{}", outcome_name(outcome)),
        error: fault.map(fault_note).unwrap_or_default(),
        request_id: fault.and_then(request_id),
    }
}

/// Stripe's id of the request that failed; a refused repetition holds the refusal's.
fn request_id(fault: &Fault) -> Option<String> {
    let refusal = &fault.details["refusal"]["details"];
    let id = [&fault.details, refusal].map(|details| details["request_id"].as_str());
    id.into_iter().flatten().next().map(str::to_owned)
}

const fn outcome_name(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Done(_) => "done",
        Outcome::Refused(_) => "refused",
        Outcome::TryLater(_) => "not applied",
        Outcome::Unknown(_) => "outcome unknown",
        Outcome::Waiting(_) => "waiting for someone to act",
    }
}

fn headline(definition: Option<&Definition>, event: &Event) -> String {
    let name = |step: &str, direction: Direction| {
        let found = definition.and_then(|d| d.step(step));
        match (found, direction) {
            (Some(s), Direction::Back) => s.undo_title.unwrap_or(s.title).to_owned(),
            (Some(s), Direction::Forward) => s.title.to_owned(),
            (None, _) => step.to_owned(),
        }
    };
    match event {
        Event::Queued { .. } => "Accepted".to_owned(),
        Event::VersionChosen { version } => format!("Version {version} of the workflow fits"),
        Event::Read { .. } => "Prerequisites checked".to_owned(),
        Event::Intended {
            step,
            direction,
            guard: true,
            ..
        } => {
            format!("{}: makes a late effect impossible", name(step, *direction))
        }
        Event::Intended {
            step,
            direction,
            attempt,
            ..
        } => {
            format!("{}: request {attempt}", name(step, *direction))
        }
        Event::Settled {
            step,
            direction,
            guard,
            looked,
            outcome,
        } => {
            let what = match outcome {
                Outcome::Done(_) | Outcome::Waiting(_) => outcome_name(outcome).to_owned(),
                Outcome::Refused(fault) | Outcome::TryLater(fault) | Outcome::Unknown(fault) => {
                    format!("{} ({})", outcome_name(outcome), fault.code)
                }
            };
            let how = match (guard, looked) {
                (true, _) => "the guard is ",
                (false, true) => "looked up: ",
                (false, false) => "",
            };
            format!("{}: {how}{what}", name(step, *direction))
        }
        Event::Skipped {
            step, direction, ..
        } => format!("{}: not needed", name(step, *direction)),
        Event::Decided { decision } => format!(
            "Compensation started: {} ({})",
            decision.fault.code, decision.trigger
        ),
        Event::Ended { end, reason } => match reason {
            Some(reason) => format!(
                "Ended: {} ({reason})",
                json!(end).as_str().unwrap_or_default()
            ),
            None => format!("Ended: {}", json!(end).as_str().unwrap_or_default()),
        },
        Event::SignalHandled {
            action,
            by,
            accepted: true,
            ..
        } => format!("{by} asked: {}", action.name().replace('_', " ")),
        Event::SignalHandled {
            action,
            by,
            accepted: false,
            ..
        } => {
            format!(
                "{by} asked: {}; it had no effect",
                action.name().replace('_', " ")
            )
        }
        Event::Resumed { by } => format!("Resumed by {by}"),
        Event::Watched { look } => format!("Rechecked ({look}): nothing new"),
        Event::Reopened { decision, .. } => {
            format!("Reopened: {} ({})", decision.fault.code, decision.trigger)
        }
    }
}

/// The event without secrets, with its request reduced to method, path and key: bodies are long,
/// and stay in the journal.
fn folded(event: &Event) -> Value {
    let mut detail = engine_conversions::value(event);
    if let Some(request) = detail.get_mut("request") {
        let call = request["payload"]["call"].clone();
        *request = json!({ "key": request["key"], "method": call["method"], "path": call["path"], "deadline_ms": request["deadline_ms"] });
    }
    without_secrets(detail).0
}
