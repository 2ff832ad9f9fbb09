//! Whether the case that the model chose is the one that the person's words mean: its number was
//! written, or its subject is spoken of. Otherwise the person is asked, with the open cases of the room.

use dewy_domain::{
    caller::Caller,
    concierge::{Entry, NumberedEntry},
    search_key::search_words,
    tool::Tool,
    tool_answer::{ToolAnswer, ToolError},
    tool_catalog::{ManageCases, SearchCasesOnBehalfOfStaff},
    tool_output::CaseListItem,
    vocabulary::CaseStatus,
};
use serde_json::{Value, json};

use crate::{concierge_service::Inner, proposal_terms::described, wish::leaves_open};

/// Words that mean any case.
const ANY: [&str; 6] = ["case", "ticket", "job", "request", "it", "that"];

impl Inner {
    /// Error for the model if the case is not the one that is meant.
    pub(crate) async fn other_case(
        &self,
        caller: &Caller,
        tool: &Tool,
        input: &Value,
        entries: &[NumberedEntry],
    ) -> Result<(), ToolAnswer> {
        let number = match (tool.name, input["case_number"].as_str()) {
            (ManageCases::NAME, Some(number)) => number,
            _ => return Ok(()),
        };
        let Some(case) = self.case(caller, number).await? else {
            return Ok(());
        };
        let mut texts = entries.iter().rev().filter_map(|entry| match &entry.entry {
            Entry::Said { text, .. } => Some((true, text.as_str())),
            Entry::Answered { text, .. } if !text.is_empty() => Some((false, text.as_str())),
            _ => None,
        });
        let Some(said) = texts.find_map(|(said, text)| said.then_some(text)) else {
            return Ok(());
        };
        // `the leak is not fixed yet`, `is it fixed?`
        if input["status"] == json!(CaseStatus::Closed) && leaves_open(said) {
            let ask = format!("Do you want to close case {}?", described(&case));
            return Err(unclear(
                "The person's words do not say that it is done. Nothing was proposed; answer them, and ask.",
                &ask,
            ));
        }
        let shown = texts.find_map(|(said, text)| (!said).then_some(text));
        let shown = shown.is_some_and(|text| text.contains(number));
        if shown || means(said, &case) {
            return Ok(());
        }
        let room = json!({ "room_number": case.room_number, "limit": 20 });
        let mut open = Vec::new();
        if case.room_number.is_some() {
            let found = self
                .read::<SearchCasesOnBehalfOfStaff>(caller, room)
                .await?;
            open = found.rows;
        }
        if open.is_empty() {
            open.push(case);
        }
        if let ([_], true) = (open.as_slice(), speaks_of_any(said)) {
            return Ok(());
        }
        let list: Vec<String> = open.iter().map(described).collect();
        let ask = format!(
            "Which case do you mean? Open there:\n{}\nOr shall I open a new one?",
            list.join("\n")
        );
        let message = "The person's words do not name this case or its subject. Nothing was proposed; ask which one is meant.";
        Err(unclear(message, &ask))
    }
}

/// Error for the model, with the question to ask.
fn unclear(message: &str, ask: &str) -> ToolAnswer {
    let mut error = ToolError::problem("case_number", message);
    error.details["ask"] = json!(ask);
    error.into()
}

fn speaks_of_any(said: &str) -> bool {
    let words = search_words(said);
    words.iter().any(|word| ANY.contains(&word.as_str()))
}

/// Whether a message names the case: its number, a word of its subject or of its beginning, or the
/// initials of two of its words (`AC` is air conditioning).
fn means(said: &str, case: &CaseListItem) -> bool {
    let words = search_words(said);
    let number = case.case_number.trim_start_matches('0');
    let about = search_words(&format!("{} {}", case.subject, case.description));
    let is_number = |word: &str| word.chars().all(|letter| letter.is_ascii_digit());
    let stem = |word: &str| word.trim_end_matches('s').to_owned();
    words.iter().any(|word| {
        if is_number(word) {
            return word.trim_start_matches('0') == number;
        }
        let named = about
            .iter()
            .filter(|other| other.len() > 2 && !is_number(other))
            .any(|other| {
                let (one, other) = (stem(word), stem(other));
                let alike = one.starts_with(&other) || other.starts_with(&one);
                one.len() > 3 && alike && one != "room"
            });
        let initials = about.windows(2).any(|pair| {
            let initials: String = pair.iter().filter_map(|word| word.chars().next()).collect();
            word.len() == 2 && *word == initials && pair.iter().all(|word| word.len() > 2)
        });
        named || initials
    })
}

#[cfg(test)]
mod tests {
    use dewy_domain::vocabulary::{CasePriority, CaseStatus, CaseType};

    use super::*;

    fn case(subject: &str) -> CaseListItem {
        let item = json!({ "case_number": "00001005", "subject": subject, "description": "", "type": CaseType::Maintenance,
            "case_status": CaseStatus::New, "priority": CasePriority::Low, "room_number": "310", "created_at": "2026-03-10T10:00:00Z", "comments": [] });
        serde_json::from_value(item).unwrap()
    }

    #[test]
    fn the_words_name_the_case() {
        for (said, subject, meant) in [
            ("ac in 310 fixed", "Late breakfast for 310", false),
            (
                "ac in 210 fixed",
                "Air conditioning of 210 does not cool",
                true,
            ),
            (
                "the aircon of 210 works",
                "Air conditioning of 210 does not cool",
                true,
            ),
            (
                "the leak in 108 is fixed",
                "Ceiling leaks in the bathroom of 108",
                true,
            ),
            ("close 1005", "Late breakfast for 310", true),
            ("the toilet is fixed", "Late breakfast for 310", false),
            (
                "breakfast was brought to 310",
                "Late breakfast for 310",
                true,
            ),
            ("room 310 is done", "Extra towels for room 310", false),
        ] {
            assert_eq!(means(said, &case(subject)), meant, "{said}");
        }
    }
}
