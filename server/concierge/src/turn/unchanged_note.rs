//! The note "Nothing has been changed." below an answer that may claim an act which nothing has done.
//!
//! What the model claims is not read: what was asked, and what became of it, are facts. Whoever asked
//! for an act, and was neither shown a proposal nor asked anything, is told that nothing was done.

use dewy_domain::{
    caller::Persona,
    concierge::{CallState, Entry, NumberedEntry},
    tool_catalog,
};

use crate::wish::{Act, Named, wishes};

/// The note.
const UNCHANGED: &str = "Nothing has been changed.";

const ACTS: [Act; 7] = [
    Act::Leave,
    Act::Shorten,
    Act::Cancel,
    Act::NoShow,
    Act::Charge,
    Act::Void,
    Act::Repair,
];

/// The answer, with the note if it needs it.
pub(super) fn with(text: String, persona: Persona, entries: &[NumberedEntry]) -> String {
    if text.ends_with('?') || !is_unfounded(persona, entries) {
        return text;
    }
    format!("{text}\n{UNCHANGED}")
}

/// Whether an act was asked for, or tried, since the person's latest message, and none took place or
/// waits for a decision.
fn is_unfounded(persona: Persona, entries: &[NumberedEntry]) -> bool {
    let mut tried = false;
    for placed in entries.iter().rev() {
        match &placed.entry {
            Entry::Proposed { .. } | Entry::Decided { .. } | Entry::HandedOver { .. } => {
                return false;
            }
            Entry::Returned { tool, state, .. } => {
                let writes = tool_catalog::all()
                    .iter()
                    .any(|known| known.name == tool && known.writes);
                if writes && !matches!(state, CallState::Refused | CallState::Failed) {
                    return false;
                }
                tried |= writes;
            }
            Entry::Said { text, .. } => {
                let named = Named::default();
                return tried
                    || ACTS
                        .into_iter()
                        .any(|act| wishes(persona, act, text, &named));
            }
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use serde_json::json;

    use super::*;

    #[test]
    fn an_act_that_nothing_did_is_denied() {
        let said = |text: &str| Entry::Said {
            danger: None,
            text: text.to_owned(),
        };
        let returned = |tool: &str, state| Entry::Returned {
            call_id: "c".to_owned(),
            tool: tool.to_owned(),
            state,
            answer: json!({}),
            execution_id: None,
        };
        let proposed = Entry::Proposed {
            call_id: "c".to_owned(),
            proposal: "p".to_owned(),
        };
        let at = Timestamp::UNIX_EPOCH;
        let noted = |entries: &[Entry], text: &str| {
            let placed = (1..).zip(entries.iter().cloned());
            let entries: Vec<_> = placed
                .map(|(seq, entry)| NumberedEntry { seq, at, entry })
                .collect();
            with(text.to_owned(), Persona::Guest, &entries).ends_with(UNCHANGED)
        };
        let (wish, claim) = (said("I want to check out"), "You are checked out!");
        let refused = returned("submit_guest_service_request", CallState::Refused);
        assert!(noted(std::slice::from_ref(&wish), claim));
        assert!(noted(
            &[wish.clone(), returned("get_folio", CallState::Done)],
            claim
        ));
        assert!(noted(
            &[said("Towels, please"), refused],
            "They are on their way."
        ));
        assert!(
            !noted(&[wish.clone(), proposed.clone()], claim),
            "it waits for a click"
        );
        assert!(!noted(
            std::slice::from_ref(&wish),
            "Which room do you mean?"
        ));
        assert!(!noted(
            &[
                said("What do I owe?"),
                returned("get_folio", CallState::Done)
            ],
            "You owe $2."
        ));
        assert!(!noted(
            &[wish.clone(), proposed, said("Thanks")],
            "You are welcome."
        ));
    }
}
