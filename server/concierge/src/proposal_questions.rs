//! Replies to an open proposal that need no model: questions are answered from its own terms, because
//! its price and what it gives up are the hotel's facts; a bare no declines it; a bare yes says which
//! button to press, and never counts as the click. The words are data (`proposal_questions/*.txt`).

use std::sync::LazyLock;

use dewy_domain::{
    concierge::{Entry, NumberedEntry, Proposal, ProposalEvent, ProposalState},
    said,
    search_key::search_words,
    sentence::Sentence,
    tool_catalog,
};

use crate::{concierge_service::Inner, failure::Failure, phrase_list::PhraseList, proposal_text};

static PHRASES: LazyLock<PhraseList> =
    LazyLock::new(|| phrases(include_str!("proposal_questions/words.txt")));
static YES: LazyLock<PhraseList> =
    LazyLock::new(|| phrases(include_str!("proposal_questions/yes.txt")));
static NO: LazyLock<PhraseList> =
    LazyLock::new(|| phrases(include_str!("proposal_questions/no.txt")));

/// Compiles the phrases.
pub(crate) fn warm_up() {
    for phrases in [&PHRASES, &YES, &NO] {
        LazyLock::force(phrases);
    }
}

fn phrases(text: &str) -> PhraseList {
    let lines = text.lines();
    let lines = lines.filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    PhraseList::new(lines.map(search_words).collect())
}

/// Reply to a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reply {
    Yes,
    No,
    /// A question about its terms.
    Terms,
}

impl Inner {
    /// Answer to a reply to the one open proposal. It stays open, except after a no.
    pub(crate) async fn answer_proposal_reply(
        &self,
        conversation: &str,
        token: &str,
        said: &str,
    ) -> Result<Option<Vec<Sentence>>, Failure> {
        let Some(reply) = reply(said) else {
            return Ok(None);
        };
        let now = self.now();
        let store = self.store();
        let busy = store
            .conversation(conversation)
            .await?
            .is_none_or(|found| found.busy(now));
        let mut open = store.proposals(conversation).await?;
        open.retain(|proposal| proposal.state_at(now) == ProposalState::Proposed);
        let entries = store.entries(conversation).await?;
        // The same form again is not a second no
        let again = store.has_entry(conversation, Some(token)).await?;
        let others = reply != Reply::Terms && (again || asks_since_proposal(&entries));
        match open.as_slice() {
            [proposal] if !busy && !others => match reply {
                Reply::Terms => Ok(Some(self.terms_text(proposal))),
                Reply::Yes => Ok(Some(vec![said!("talk-press", yes = proposal.yes)])),
                Reply::No => {
                    let decline = ProposalEvent::Decline;
                    let declined = store.transition_proposal(&proposal.id, decline, None).await;
                    // Decided meanwhile: the model explains it
                    Ok(declined?.then(|| vec![said!("talk-declined")]))
                }
            },
            _ => Ok(None),
        }
    }

    fn terms_text(&self, proposal: &Proposal) -> Vec<Sentence> {
        let tool = tool_catalog::named(&proposal.tool);
        // The fields that are sent stand on the card
        let sent =
            tool.map(|tool| proposal_text::facts(tool, &proposal.input, &self.parts.settings));
        let sent = sent.unwrap_or_default();
        let facts = proposal
            .facts
            .iter()
            .filter(|fact| !sent.iter().skip(1).any(|sent| sent == *fact));
        let waits = said!("talk-terms", yes = proposal.yes);
        let question = std::iter::once(&proposal.question);
        question.chain(facts).cloned().chain([waits]).collect()
    }
}

/// Whether the concierge has asked something since the newest proposal: a yes or no answers that.
fn asks_since_proposal(entries: &[NumberedEntry]) -> bool {
    let newest = entries.iter().rev().find_map(|entry| match &entry.entry {
        Entry::Answered { text, .. } => Some(text.trim_end().ends_with('?')),
        Entry::Proposed { .. } => Some(false),
        _ => None,
    });
    newest.unwrap_or_default()
}

/// What the whole message says to a proposal.
fn reply(said: &str) -> Option<Reply> {
    let mut words = search_words(said);
    let terms = asks(&words).then_some(Reply::Terms);
    words.retain(|word| !POLITE.contains(&word.as_str()));
    let yes = YES.contains(&words).then_some(Reply::Yes);
    yes.or(NO.contains(&words).then_some(Reply::No)).or(terms)
}

/// Whether the whole message is a yes.
pub(crate) fn is_bare_yes(said: &str) -> bool {
    reply(said) == Some(Reply::Yes)
}

/// Words that change neither a yes nor a no.
const POLITE: [&str; 12] = [
    "please", "thanks", "thank", "you", "por", "favor", "gracias", "bitte", "danke", "merci",
    "grazie", "obrigado",
];

/// Words beside the question that add nothing of its own, unlike `breakfast` or `another night`.
const FILLERS: [&str; 45] = [
    "all", "and", "anything", "be", "but", "do", "exactly", "for", "have", "hey", "hmm", "i", "if",
    "in", "me", "money", "now", "ok", "okay", "or", "please", "so", "the", "then", "to", "total",
    "wait", "yes", "ahora", "bueno", "dinero", "en", "entonces", "eso", "espere", "esto", "favor",
    "lo", "o", "pero", "por", "si", "todo", "y", "ya",
];

/// Whether these words are only questions about its terms.
fn asks(said: &[String]) -> bool {
    let mut fillers: Vec<bool> = said
        .iter()
        .map(|word| FILLERS.contains(&word.as_str()))
        .collect();
    let asked = PHRASES.places(said);
    for place in &asked {
        fillers[place.clone()].fill(true);
    }
    !asked.is_empty() && fillers.iter().all(|filler| *filler)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_yes_or_no_is_a_reply_and_nothing_else_is() {
        for (said, meant) in [
            ("yes", Reply::Yes),
            ("Yes please!", Reply::Yes),
            ("ok, do it", Reply::Yes),
            ("Sí, por favor", Reply::Yes),
            ("no", Reply::No),
            ("No, thanks.", Reply::No),
            ("no gracias", Reply::No),
            ("what will it cost me?", Reply::Terms),
        ] {
            assert_eq!(reply(said), Some(meant), "{said}");
        }
        for said in [
            "no, room 204 instead",
            "yes, and towels too",
            "please",
            "no idea",
            "ok, and what about breakfast?",
        ] {
            assert_eq!(reply(said), None, "{said}");
        }
    }

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
            assert!(asks(&search_words(said)), "{said}");
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
            assert!(!asks(&search_words(said)), "{said}");
        }
    }
}
