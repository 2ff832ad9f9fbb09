//! Notes beside the steps of an execution, for staff.

use dewy_saga::{Fault, NOT_APPLIED, Phase, progress::DirectionProgress};
use serde_json::Value;

/// Note of a step for staff: what went wrong, or what was found or made.
pub(crate) fn staff_note(direction_progress: &DirectionProgress) -> String {
    match direction_progress.phase {
        Phase::Refused | Phase::TryLater | Phase::Unknown => direction_progress
            .fault
            .as_ref()
            .map(fault_note)
            .unwrap_or_default(),
        Phase::Skipped | Phase::Done => direction_progress
            .value
            .as_ref()
            .map(note_of)
            .unwrap_or_default(),
        _ => String::new(),
    }
}

/// What went wrong, for staff; the code only where the message doesn't contain it.
pub(crate) fn fault_note(fault: &Fault) -> String {
    if fault.code == NOT_APPLIED {
        return "The change was not applied in time.".to_owned();
    }
    if fault.message.contains(&fault.code) {
        return fault.message.clone();
    }
    format!("{}: {}", fault.code, fault.message)
}

fn note_of(value: &Value) -> String {
    if let Some(note) = value["note"].as_str() {
        return note.to_owned();
    }
    if let Some(applied) = value["applied"].as_bool() {
        let names = |key: &str| {
            let list = value[key].as_array().into_iter().flatten();
            list.filter_map(|v| v.as_str().or_else(|| v["object"].as_str()))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let left = names("left");
        return match (applied, left.is_empty()) {
            (false, true) => "nothing had been changed".to_owned(),
            (_, true) => format!("put back: {}", names("reverted")),
            (_, false) => format!("put back: {}; left as found: {left}", names("reverted")),
        };
    }
    value["id"]
        .as_str()
        .or_else(|| value["refund"]["id"].as_str())
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_said_once() {
        for (code, message, note) in [
            (
                NOT_APPLIED,
                "not applied, and its time limit has passed",
                "The change was not applied in time.",
            ),
            (
                "api_error",
                "status 500, api_error",
                "status 500, api_error",
            ),
            (
                "card_declined",
                "Your card was declined.",
                "card_declined: Your card was declined.",
            ),
        ] {
            assert_eq!(fault_note(&Fault::new(code, message)), note);
        }
    }
}
