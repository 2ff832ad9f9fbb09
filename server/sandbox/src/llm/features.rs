//! Features of a sentence: `w:` stems of its words, with entities replaced by their kinds, `b:`
//! pairs of them, `c:` concepts and what is denied, `s:` named entities, `f:` known facts.

use std::collections::BTreeSet;

use super::conversation::Conversation;
use super::sentence::Sentence;
use super::tokenizer::stem;

/// Facts that make some intents more likely.
const FACTS: &str = "execution_id booking_number guest_email payment_intent room_type";

pub fn of(sentence: &Sentence, talk: &Conversation) -> Vec<String> {
    let mut tokens = vec!["^".to_owned()];
    for (place, word) in sentence.words.iter().enumerate() {
        let mut entities = sentence.entities.iter();
        let entity = entities.find(|entity| (entity.from..entity.to).contains(&place));
        tokens.push(entity.map_or_else(|| stem(&word.text), |entity| format!("#{}", entity.kind)));
        tokens.extend((word.pause >= '.').then(|| word.pause.to_string()));
    }
    tokens.dedup();
    let mut features: BTreeSet<String> = tokens.iter().map(|token| format!("w:{token}")).collect();
    for pair in tokens.windows(2) {
        let kind = if pair[0] == "not" { 'c' } else { 'b' };
        features.insert(format!("{kind}:{} {}", pair[0], pair[1]));
    }
    let concepts = sentence.concepts.iter();
    features.extend(concepts.map(|found| format!("c:{}", found.concept)));
    let entities = sentence.entities.iter();
    features.extend(entities.map(|entity| format!("s:{}", entity.kind)));
    features.extend(sentence.stay.1.map(|_| "s:stay".to_owned()));
    let own = |fact: &str| talk.persona() == "guest" && fact == "guest_email";
    let facts = FACTS.split(' ');
    let known = facts.filter(|fact| talk.known.contains_key(*fact) && !own(fact));
    features.extend(known.map(|fact| format!("f:{fact}")));
    features.into_iter().collect()
}
