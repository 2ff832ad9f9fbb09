//! Questions about an open proposal, answered from its own terms: its price and what it gives up are
//! the hotel's facts, so no model is asked. The words are data (`proposal_questions/words.txt`).

use std::sync::LazyLock;

use dewy_domain::{
    concierge::{Proposal, ProposalState},
    error_code::ErrorCode,
    search_key::search_key,
    tool_catalog,
};

use crate::{
    concierge_service::{Inner, internal},
    proposal_text,
};

static PHRASES: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    include_str!("proposal_questions/words.txt")
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(split_words)
        .collect()
});

impl Inner {
    /// The terms of the one open proposal, if the message asks about them. The proposal stays open.
    pub(crate) async fn answer_proposal_question(
        &self,
        conversation: &str,
        said: &str,
    ) -> Result<Option<String>, ErrorCode> {
        if !asks(said) {
            return Ok(None);
        }
        let now = self.now();
        let store = &self.parts.store;
        let busy = store
            .conversation(conversation)
            .await
            .map_err(internal)?
            .is_none_or(|found| found.busy(now));
        let mut open = store.proposals(conversation).await.map_err(internal)?;
        open.retain(|proposal| proposal.state_at(now) == ProposalState::Proposed);
        match open.as_slice() {
            [proposal] if !busy => Ok(Some(self.terms_text(proposal))),
            _ => Ok(None),
        }
    }

    fn terms_text(&self, proposal: &Proposal) -> String {
        let tool = tool_catalog::all()
            .iter()
            .find(|tool| tool.name == proposal.tool);
        // The fields that are sent stand on the card
        let sent =
            tool.map(|tool| proposal_text::facts(tool, &proposal.input, &self.parts.settings));
        let sent = sent.unwrap_or_default();
        let facts = proposal
            .facts
            .iter()
            .filter(|fact| !sent.iter().skip(1).any(|sent| sent == *fact));
        let facts: Vec<&str> = facts.map(String::as_str).collect();
        format!(
            "{}\n{}\nNothing has happened yet: it still waits for your “{}”.",
            proposal.question,
            facts.join("\n"),
            proposal.yes
        )
    }
}

/// Words beside the question that add nothing of its own, unlike `breakfast` or `another night`.
const FILLERS: [&str; 45] = [
    "all", "and", "anything", "be", "but", "do", "exactly", "for", "have", "hey", "hmm", "i", "if",
    "in", "me", "money", "now", "ok", "okay", "or", "please", "so", "the", "then", "to", "total",
    "wait", "yes", "ahora", "bueno", "dinero", "en", "entonces", "eso", "espere", "esto", "favor",
    "lo", "o", "pero", "por", "si", "todo", "y", "ya",
];

fn asks(said: &str) -> bool {
    let said = split_words(said);
    let asked: Vec<_> = PHRASES
        .iter()
        .flat_map(|phrase| {
            let found = said.windows(phrase.len()).enumerate();
            let found = found.filter(move |(_, there)| *there == phrase.as_slice());
            found.map(|(at, _)| at..at + phrase.len())
        })
        .collect();
    let beside = |at: usize| !asked.iter().any(|range| range.contains(&at));
    let own = |at: &usize| beside(*at) && !FILLERS.contains(&&*said[*at]);
    !asked.is_empty() && !(0..said.len()).any(|at| own(&at))
}

fn split_words(text: &str) -> Vec<String> {
    search_key(text)
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_questions_about_the_proposed_terms_match() {
        for said in [
            "How much will that be and what do I lose?",
            "what will it cost me?",
            "Do I lose anything?",
            "Is that final?",
            "¿Cuánto me va a costar y qué pierdo?",
            "Espere, ¿se puede deshacer eso?",
        ] {
            assert!(asks(said), "{said}");
        }
        for said in [
            "How much is breakfast?",
            "How much is it for breakfast?",
            "How much is it to stay one more night?",
            "I lost my umbrella",
            "What does a suite cost in June?",
            "One more night, please",
            "¿Cuánto cuesta el desayuno?",
            "¿Cuánto es otra noche?",
        ] {
            assert!(!asks(said), "{said}");
        }
    }
}
