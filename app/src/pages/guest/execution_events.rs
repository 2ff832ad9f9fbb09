//! Events of an execution in order, worded for guests.

use dewy_domain::{execution_view::StepView, vocabulary::StepState};
use jiff::Timestamp;

use super::activity_labels::request_sentence;
use crate::pages::prelude::*;

#[derive(Debug, PartialEq, Eq)]
struct Event {
    at: Option<Timestamp>,
    state: StepState,
    text: String,
}

/// Story of a failed execution; after compensation or failure, the plain list of steps is not
/// enough.
pub fn story(view: &ExecutionView) -> AnyView {
    let items = events(view).into_iter().map(|event| {
        view! {
            <li data-state=event.state.to_string()>
                <div class="step" data-state=event.state.to_string()>
                    <span class="mark">
                        <Icon state=event.state.to_string() />
                    </span>
                    <div>
                        <p class="title">{event.text}</p>
                        <p class="when">{event.at.map(|at| view! { <Timestamp at=at brief=true /> })}</p>
                    </div>
                </div>
            </li>
        }
    });
    view! { <ol class="steps">{items.collect_view()}</ol> }.into_any()
}

fn events(view: &ExecutionView) -> Vec<Event> {
    let touched = |step: &&StepView| !matches!(step.state, StepState::Pending | StepState::Skipped);
    let event = |step: &StepView, words: String| Event {
        at: step.at,
        state: step.state.clone(),
        text: words,
    };
    let asked = Event {
        at: Some(view.created_at),
        state: StepState::Done,
        text: request_sentence(&view.tool).to_owned(),
    };
    let there = view
        .forward
        .iter()
        .filter(touched)
        .map(|step| event(step, forward(step, view)));
    let back = view
        .back
        .iter()
        .filter(touched)
        .map(|step| event(step, compensation_sentence(step, view)));
    let mut events: Vec<_> = [asked].into_iter().chain(there).chain(back).collect();
    // Compensations come after steps, whatever the order of the lists; the sort is stable
    events.sort_by_key(|event| event.at);
    events
}

fn sum(view: &ExecutionView, refund: bool) -> String {
    let text = |money: dewy_domain::execution_view::MoneyView| {
        labels::money(
            if refund {
                money.refunded
            } else {
                money.captured
            },
            money.currency,
        )
    };
    view.money
        .map_or_else(|| t!("event-your-payment").to_owned(), text)
}

fn forward(step: &StepView, view: &ExecutionView) -> String {
    match (step.name.as_str(), &step.state) {
        ("pay", StepState::Done) => t!("charged-to-card", sum = sum(view, false)),
        ("pay", StepState::Refused) if view.body().code() == Some(ErrorCode::PaymentFailed) => {
            t!("event-declined").to_owned()
        }
        ("pay", StepState::Refused) => t!("event-not-paid").to_owned(),
        ("pay", StepState::Waiting) => t!("event-confirm").to_owned(),
        // One sentence about the money: that of the step that took it last
        ("charge", StepState::Done) if view.money.is_some() => {
            t!("charged-to-card", sum = sum(view, false))
        }
        ("capture", StepState::Done) if view.forward.iter().all(|s| s.name != "charge") => {
            t!("charged-to-card", sum = sum(view, false))
        }
        ("move", StepState::Done) => t!("event-moved").to_owned(),
        ("move", StepState::Retrying | StepState::Unknown | StepState::Refused) => {
            t!("event-refused").to_owned()
        }
        _ => in_general(step),
    }
}

fn compensation_sentence(step: &StepView, view: &ExecutionView) -> String {
    match (step.name.as_str(), &step.state) {
        ("pay", StepState::Done) => t!("event-refunded", sum = sum(view, true)),
        ("pay", StepState::Refused) => t!("event-not-refunded").to_owned(),
        ("pay", _) => t!("event-refunding").to_owned(),
        ("move", StepState::Done) => t!("event-as-before").to_owned(),
        _ => in_general(step),
    }
}

fn in_general(step: &StepView) -> String {
    let state = labels::step_state(&step.state).to_lowercase();
    format!("{}: {state}.", named("saga-step", &step.title))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn events_are_listed_in_chronological_order() {
        let step = |name: &str, state: &str, at: &str| json!({ "name": name, "title": name, "state": state, "attempts": 1, "note": "", "at": at, "key": null });
        let view: ExecutionView = serde_json::from_value(json!({
            "execution_id": "exe_1", "tool": "process_guest_checkout", "title": "", "state": "compensated", "summary": "",
            "at_rest": true, "seq": 9, "booking_number": null, "room_number": null, "guest_email": null, "asked_by": null,
            "forward": [step("pay", "done", "2026-11-20T12:00:02Z"), step("move", "unknown", "2026-11-20T12:00:09Z")],
            "back": [step("pay", "done", "2026-11-20T12:00:12Z"), step("move", "done", "2026-11-20T12:00:13Z")],
            "money": { "captured": 25000, "refunded": 25000, "currency": "usd" }, "next_action_url": null, "answer": null,
            "reason": null, "differences": [], "next_try_at": null, "created_at": "2026-11-20T12:00:00Z",
            "updated_at": "2026-11-20T12:00:13Z", "timeline": []
        }))
        .unwrap();
        let words: Vec<_> = events(&view).into_iter().map(|event| event.text).collect();
        assert_eq!(
            words,
            [
                "You asked us to check you out.",
                "We charged $250.00 to your card.",
                "Our booking system did not accept the check-out, so we could not complete it.",
                "We refunded $250.00 to your card.",
                "Your stay is as it was before you asked."
            ]
        );
    }
}
