//! The journal's rows as sentences, in order.

use dewy_domain::execution_view::EventView;
use dewy_saga::{Definition, Direction, Event, Outcome, journal::ExecutionRecord};
use serde_json::{Value, json};

use crate::saga_parts::engine_conversions;

/// One entry per row.
pub(super) fn of(definition: Option<&Definition>, record: &ExecutionRecord) -> Vec<EventView> {
    record
        .rows
        .iter()
        .map(|row| EventView {
            seq: row.seq,
            at: row.at,
            title: headline(definition, &row.event),
            detail: folded(&row.event),
        })
        .collect()
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
            format!(
                "{}: request {attempt} is about to be sent",
                name(step, *direction)
            )
        }
        Event::Settled {
            step,
            direction,
            guard,
            looked,
            outcome,
        } => {
            let what = match outcome {
                Outcome::Done(_) => "done".to_owned(),
                Outcome::Refused(fault) => format!("refused ({})", fault.code),
                Outcome::TryLater(fault) => format!("not applied ({})", fault.code),
                Outcome::Unknown(fault) => format!("outcome unknown ({})", fault.code),
                Outcome::Waiting(_) => "waiting for someone to act".to_owned(),
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

/// The event with its request reduced to method, path and key: bodies are long, and stay in the
/// journal.
fn folded(event: &Event) -> Value {
    let mut detail = engine_conversions::value(event);
    if let Some(request) = detail.get_mut("request") {
        let call = request["payload"]["call"].clone();
        *request = json!({ "key": request["key"], "method": call["method"], "path": call["path"], "deadline_ms": request["deadline_ms"] });
    }
    detail
}
