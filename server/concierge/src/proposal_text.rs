//! Text of a proposal: the question, what approval does, and what can be undone. The server writes
//! it from the exact input that will be sent. Where a tool takes free text, the model wrote that
//! text, and it is shown in full as what will be sent.

use dewy_domain::{
    approval::Approval,
    caller::Caller,
    said,
    search_key::search_words,
    sentence::Sentence,
    tool::{Reversibility, Tool},
    whole_number::whole_number,
};
use dewy_languages::Language;
use serde_json::Value;

use crate::settings::Settings;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProposalText {
    pub question: Sentence,
    pub yes: Sentence,
    pub facts: Vec<Sentence>,
}

/// Text of tools that move no money; the others use their confirmation.
pub(crate) fn describe(
    caller: &Caller,
    tool: &Tool,
    input: &Value,
    settings: &Settings,
) -> ProposalText {
    let (question, yes) = question(caller, tool, input, settings);
    ProposalText {
        question,
        yes,
        facts: facts(tool, input, settings),
    }
}

impl ProposalText {
    /// Drops each field that the question or the terms state already.
    pub fn without_repetitions(mut self, terms: &[Sentence]) -> Self {
        let question = search_words(&self.question);
        // What somebody wrote, in quotes, states no other field
        let own = search_words(self.question.split('“').next().unwrap_or_default());
        let terms: Vec<_> = terms.iter().map(|term| search_words(term)).collect();
        let has = |text: &[String], value: &[String]| {
            !value.is_empty() && text.windows(value.len()).any(|there| there == value)
        };
        self.facts.retain(|fact| match fact.split_once(": ") {
            Some(("Description" | "Subject", value)) => !has(&question, &search_words(value)),
            // A bare number may stand there for something else
            Some((label, value)) if label == "Room number" || value.parse::<i64>().is_err() => {
                let room = if label == "Room number" { "room" } else { "" };
                let value = search_words(&format!("{room} {value}"));
                !has(&own, &value) && !terms.iter().any(|term| has(term, &value))
            }
            _ => true,
        });
        self
    }
}

/// Facts: what can be undone, then everything that will be sent, field by field.
pub(crate) fn facts(tool: &Tool, input: &Value, settings: &Settings) -> Vec<Sentence> {
    let mut facts = vec![taken_back(tool, input)];
    for (name, value) in input.as_object().into_iter().flatten() {
        let value = match (name.as_str(), value) {
            ("amount", Value::Number(_)) => money(value, settings),
            ("action", _) => continue,
            (_, Value::String(text)) => match text.parse() {
                Ok(date) if name.ends_with("_date") => settings.hotel.locale.short_day(date),
                _ => text.clone(),
            },
            (_, other) => other.to_string(),
        };
        let (field, value) = (label(name) + ": {value}", ("value".into(), value));
        facts.push(Sentence::named_with("field", &field, vec![value]));
    }
    facts
}

fn english(id: &str, values: &[(&str, String)]) -> Option<String> {
    Language::english().translation(id, values)
}

fn taken_back(tool: &Tool, input: &Value) -> Sentence {
    match tool.reversibility_of(input) {
        Reversibility::Irreversible => Sentence::said(tool.finality, Vec::new(), english),
        _ => said!("fact-later"),
    }
}

fn question(
    caller: &Caller,
    tool: &Tool,
    input: &Value,
    settings: &Settings,
) -> (Sentence, Sentence) {
    let Some(asked) = tool.approval(caller.persona, input) else {
        return (
            format!("{}?", tool.title).into(),
            Sentence::named("tool", tool.title),
        );
    };
    let value = |name: &str| match name {
        "amount" => money(&input[name], settings),
        _ => input[name].as_str().unwrap_or_default().to_owned(),
    };
    let fill = |list, template| Approval::fill(list, template, value);
    (fill("approve", asked.question), fill("yes", asked.yes))
}

/// A value that isn't a whole number of cents is shown as it is: the tool rejects it.
fn money(cents: &Value, settings: &Settings) -> String {
    whole_number(cents).map_or_else(|| cents.to_string(), |cents| settings.money(cents))
}

/// Label of a field such as `check_out_date`.
fn label(name: &str) -> String {
    let mut words = name.replace('_', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

#[cfg(test)]
mod tests {
    use dewy_domain::{
        caller::{Interface, Role},
        tool_catalog,
    };
    use serde_json::json;

    use super::*;

    fn proposal_text(tool: &str, input: &Value) -> ProposalText {
        let caller = Caller::staff("a@dewy.example", Role::Manager, Interface::Chat);
        describe(
            &caller,
            tool_catalog::find(&caller, tool).unwrap(),
            input,
            &Settings::default(),
        )
    }

    #[test]
    fn a_proposal_shows_the_full_input_each_value_once() {
        let proposed =
            |tool: &str, input: Value| proposal_text(tool, &input).without_repetitions(&[]);
        let input = json!({ "room_number": "302", "description": "Toilet broken, high water", "priority": "High" });
        let words = proposed("submit_maintenance_request", input);
        assert_eq!(
            words.question,
            "Open a maintenance case for room 302? “Toilet broken, high water”"
        );
        assert_eq!(
            words.facts,
            ["You can change this later.", "Priority: High"]
        );
        let towels = "May I have two more towels?";
        let input = json!({ "type": "Housekeeping", "description": towels, "room_number": "103" });
        let words = proposed("submit_guest_service_request", input);
        assert_eq!(
            words.question,
            "Send this request to Housekeeping for room 103? “May I have two more towels?”"
        );
        assert_eq!(words.facts, ["You can change this later."]);
        let input = json!({ "room_number": "308", "amount": 1250, "description": "Minibar" });
        let words = proposed("post_charge", input);
        assert_eq!(
            (&*words.question, &*words.yes),
            ("Post $12.50 to room 308 for “Minibar”?", "Post $12.50")
        );
        assert_eq!(words.facts.len(), 1, "{words:?}");
        // The 3 of another number is not the 3 of the guests
        let input = json!({ "booking_number": "BK-3", "number_of_guests": 3, "check_out_date": "2026-11-28" });
        let dates = ["Dates: Mon, Nov 23 to Sat, Nov 28 (5 nights).".into()];
        let words = proposal_text("manage_bookings", &input).without_repetitions(&dates);
        assert_eq!(
            words.facts,
            ["You can change this later.", "Number of guests: 3"]
        );
    }

    #[test]
    fn a_proposal_that_ends_a_booking_is_marked_destructive() {
        let cancel = proposal_text(
            "manage_bookings",
            &json!({ "booking_number": "BK-0042", "action": "cancel" }),
        );
        assert_eq!(cancel.question, "Cancel booking BK-0042?");
        assert!(cancel.facts[0].contains("cannot be restored"));
        let change = proposal_text(
            "manage_bookings",
            &json!({ "booking_number": "BK-0042", "room_number": "402" }),
        );
        assert!(change.facts[0].contains("change this later"));
    }
}
