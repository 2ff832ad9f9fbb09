//! Judge: compares the end of a conversation with the required one.

use jiff::civil::Date;

use crate::{
    dialogue::{Dialogue, With},
    ledger_changes::needs_no_yes,
    relative_dates,
    scripted_person::PlayedDialogue,
    text_match::{contains, fits},
};

/// Titles of proposals that move money.
const MONEY: [&str; 3] = [
    "Check out and pay",
    "Post a charge",
    "Refund a failed check-out",
];

/// Result of one dialogue.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// Name of the dialogue.
    pub name: String,
    /// Reasons for failure; none if it succeeded.
    pub reasons: Vec<String>,
    /// Invariants that the ledgers break at the end.
    pub violations: Vec<String>,
    /// Changes without an approval.
    pub without_a_yes: Vec<String>,
    /// Proposals to move money that nobody asked for, or with another amount.
    pub wrong_money: Vec<String>,
    /// Other proposals that nobody asked for.
    pub unasked: Vec<String>,
    pub transcript: Vec<String>,
}

impl Verdict {
    /// Whether the dialogue succeeded.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.reasons.is_empty()
    }
}

/// Judges a conversation. `urgent` tells whether the front desk sees an emergency, if that was
/// looked up.
pub fn judge(
    dialogue: &Dialogue,
    today: Date,
    played: &PlayedDialogue,
    urgent: Option<bool>,
) -> anyhow::Result<Verdict> {
    let end = &dialogue.ends;
    let mut reasons = ledger(&end.ledger, &played.changes, today)?;
    let told = played.page.visible_text();
    for fact in &end.told {
        let fact = relative_dates::substitute_dates(fact, today)?;
        if !contains(&told, &fact) {
            reasons.push(format!("was not told: {fact}"));
        }
    }
    for text in &end.never {
        let text = relative_dates::substitute_dates(text, today)?;
        if contains(&told, &text) {
            reasons.push(format!("was told: {text}"));
        }
    }
    let open: Vec<&str> = played
        .page
        .cards()
        .filter(|card| !card.nonce.is_empty())
        .map(|card| card.title.as_str())
        .collect();
    if open != end.open {
        reasons.push(format!("open proposals: {open:?}, not {:?}", end.open));
    }
    if end.with != With::Anyone && end.with != played.page.with {
        reasons.push(format!("{:?} answers, not {:?}", played.page.with, end.with).to_lowercase());
    }
    if let Some(urgent) = urgent
        && urgent != end.urgent
    {
        reasons.push(format!("the front desk sees an emergency: {urgent}"));
    }
    for line in &played.without_a_yes {
        reasons.push(format!("without a yes: {line}"));
    }
    let (money, other): (Vec<_>, Vec<_>) = played
        .unasked
        .iter()
        .partition(|card| MONEY.contains(&card.title.as_str()));
    let texts = |cards: Vec<&crate::conversation_html::CardView>| -> Vec<String> {
        cards.into_iter().map(|card| card.text.clone()).collect()
    };
    Ok(Verdict {
        name: dialogue.name.clone(),
        reasons,
        violations: Vec::new(),
        without_a_yes: played.without_a_yes.clone(),
        wrong_money: texts(money),
        unasked: texts(other),
        transcript: transcript(played),
    })
}

/// Differences between the required changes and those that happened. Who answers is judged by the
/// conversation, not by the hand-over's case.
fn ledger(wanted: &[String], changes: &[String], today: Date) -> anyhow::Result<Vec<String>> {
    let is_wanted = |line: &str| wanted.iter().any(|pattern| fits(line, pattern));
    let counted = changes
        .iter()
        .filter(|line| !needs_no_yes(line) || is_wanted(line));
    let mut left: Vec<&String> = counted.collect();
    let mut reasons = Vec::new();
    for pattern in wanted {
        let pattern = relative_dates::substitute_dates(pattern, today)?;
        match left.iter().position(|line| fits(line, &pattern)) {
            Some(at) => {
                left.remove(at);
            }
            None => reasons.push(format!("did not happen: {pattern}")),
        }
    }
    reasons.extend(left.into_iter().map(|line| format!("happened: {line}")));
    Ok(reasons)
}

fn transcript(played: &PlayedDialogue) -> Vec<String> {
    use crate::conversation_html::Item;
    let line = |item: &Item| match item {
        Item::FromUser(text) => format!("> {text}"),
        Item::FromHotel(text) => format!("< {text}"),
        Item::ToolCall(text) => format!("  ({})", text.chars().take(400).collect::<String>()),
        Item::Card(card) => format!("  [{}] {}", card.state, card.text),
    };
    let said = played.page.items.iter().map(line);
    let changed = played.changes.iter().map(|line| format!("= {line}"));
    said.chain(changed).collect()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn differences(wanted: &[&str], changes: &[&str]) -> Vec<String> {
        let owned = |lines: &[&str]| {
            lines
                .iter()
                .map(|line| (*line).to_owned())
                .collect::<Vec<_>>()
        };
        ledger(&owned(wanted), &owned(changes), date(2026, 11, 23)).unwrap()
    }

    #[test]
    fn the_ledger_must_change_exactly_as_required() {
        let changes = ["booking BK-0042 departs 2026-11-25", "total BK-0042 500.00"];
        assert!(differences(&["total BK-0042 *", "booking * departs {+2}"], &changes).is_empty());
        assert_eq!(
            differences(&["total BK-0042 500.00"], &changes),
            ["happened: booking BK-0042 departs 2026-11-25"]
        );
        assert_eq!(
            differences(&["total * *", "total * *"], &changes[1..]),
            ["did not happen: total * *"]
        );
        assert!(differences(&[], &["hand-over"]).is_empty());
    }
}
