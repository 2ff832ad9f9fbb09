//! Features of a sentence: `w:` stems of its words, with entities replaced by their kinds, `b:`
//! pairs of them, `c:` concepts, `s:` named entities, `f:` known facts.

use std::collections::BTreeSet;

use super::conversation::Conversation;
use super::lexicon;
use super::sentence::{Kind, Pause, Sentence, stem};

/// Facts that make some intents more likely.
const FACTS: [&str; 6] = [
    "folio_balance",
    "execution_id",
    "booking_number",
    "guest_email",
    "payment_intent",
    "room_type",
];

/// Features of a sentence.
pub fn of(sentence: &Sentence, talk: &Conversation) -> Vec<String> {
    let mut tokens = vec!["^".to_owned()];
    for (place, word) in sentence.words.iter().enumerate() {
        let mut entities = sentence.entities.iter();
        let entity = entities.find(|entity| (entity.from..entity.to).contains(&place));
        let token = match entity {
            Some(entity) if entity.kind != Kind::Priority => format!("#{:?}", entity.kind),
            _ => stem(&word.text).to_owned(),
        };
        if tokens.last() != Some(&token) {
            tokens.push(token);
        }
        if word.pause >= Pause::Stop {
            tokens.push("$".to_owned());
        }
    }
    let mut features: BTreeSet<String> = tokens.iter().map(|token| format!("w:{token}")).collect();
    let pairs = tokens.windows(2);
    features.extend(pairs.map(|pair| format!("b:{} {}", pair[0], pair[1])));
    let concepts = lexicon::matches(&sentence.words).into_iter();
    features.extend(concepts.map(|found| format!("c:{}", found.concept)));
    let entities = sentence.entities.iter();
    features.extend(entities.map(|entity| format!("s:{:?}", entity.kind)));
    features.extend(sentence.days.stay().1.map(|_| "s:stay".to_owned()));
    features.extend(sentence.asks().then(|| "s:asks".to_owned()));
    let own = |fact: &str| talk.is_guest() && fact == "guest_email";
    let known = FACTS.iter().filter(|fact| talk.knew(fact) && !own(fact));
    features.extend(known.map(|fact| format!("f:{fact}")));
    features.into_iter().collect()
}
