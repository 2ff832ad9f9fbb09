//! The note "Nothing has been changed." below an answer that claims an act which nothing has done, or
//! leaves a wish for one without an answer.
//!
//! That nothing was done is a fact: no call that changes something succeeded since the person's
//! message, nothing is under way, and nothing waits for their decision. Then the note follows an answer to a wish or to a
//! failed attempt, unless it asks something; and whatever was asked, an answer that says it has done
//! something ([`crate::wish::claims_act`]).

use dewy_domain::{
    caller::Persona,
    concierge::{CallState, Entry, NumberedEntry},
    said,
    sentence::Sentence,
    tool_catalog,
};

use crate::wish::{ACTS, Named, claims_act, wishes};

/// The note, if the answer needs it. `under_way`: an earlier proposal is being carried out.
pub(super) fn of(
    text: &str,
    persona: Persona,
    entries: &[NumberedEntry],
    under_way: bool,
) -> Option<Sentence> {
    // What an earlier yes has begun may change something at any time
    if under_way {
        return None;
    }
    let turn = Turn::without_effect(entries)?;
    let named = Named::default();
    let mut acts = ACTS.into_iter();
    let wished = |said| acts.any(|act| wishes(persona, act, said, &named));
    let denied = !text.ends_with('?') && (turn.tried || turn.said.is_some_and(wished));
    if !denied && !claims_act(text, turn.read) {
        return None;
    }
    // The claim may be about an earlier act
    Some(match !denied && turn.acted_before {
        true => said!("talk-unchanged-now"),
        false => said!("talk-unchanged"),
    })
}

/// What happened since the person's latest message.
#[derive(Default)]
struct Turn<'a> {
    said: Option<&'a str>,
    /// A call to change something failed.
    tried: bool,
    /// Something was read.
    read: bool,
    /// Something was done, or proposed, before that message.
    acted_before: bool,
}

impl<'a> Turn<'a> {
    /// `None` if something was done, or waits for a decision.
    fn without_effect(entries: &'a [NumberedEntry]) -> Option<Self> {
        let mut turn = Self::default();
        for placed in entries.iter().rev() {
            let acts = match &placed.entry {
                Entry::Proposed { .. } | Entry::Decided { .. } | Entry::HandedOver { .. } => true,
                Entry::Returned { tool, state, .. } => {
                    let failed = matches!(state, CallState::Refused | CallState::Failed);
                    let writes = tool_catalog::named(tool).is_some_and(|tool| tool.writes);
                    if turn.said.is_none() {
                        turn.tried |= writes && failed;
                        turn.read |= !writes && !failed;
                    }
                    writes && !failed
                }
                Entry::Said { text, .. } => {
                    turn.said = turn.said.or(Some(text));
                    false
                }
                _ => false,
            };
            if acts && turn.said.is_none() {
                return None;
            }
            turn.acted_before |= acts;
        }
        Some(turn)
    }
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
            let running = of(text, Persona::Guest, &entries, true);
            assert_eq!(running, None, "a bank may be asking");
            of(text, Persona::Guest, &entries, false).is_some()
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
            &[wish.clone(), proposed.clone(), said("Thanks")],
            "You are welcome."
        ));
        // Whatever was asked, and also beside a question
        for (asked, claim) in [
            (
                "Our plans have changed",
                "I've cancelled your booking. Anything else?",
            ),
            ("Towels, please", "I have ordered towels."),
            ("hm", "Your booking has been cancelled."),
        ] {
            assert!(noted(&[said(asked)], claim), "{claim}");
            assert!(
                noted(&[wish.clone(), proposed.clone(), said(asked)], claim),
                "{claim}"
            );
            assert!(!noted(&[said(asked), proposed.clone()], claim), "{claim}");
        }
        let read = returned("search_bookings", CallState::Done);
        assert!(!noted(
            &[said("hm"), read],
            "Your booking has been cancelled."
        ));
        assert!(!noted(
            &[said("Until when?")],
            "You are checked in until Friday"
        ));
    }
}
