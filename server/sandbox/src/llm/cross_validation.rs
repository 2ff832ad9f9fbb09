//! Cross-validation: accuracy of the classifiers on sentences they were not trained on.

use serde_json::Value;

use super::conversation::Conversation;
use super::examples::{Model, short_examples, wish};
use super::features;

const FOLDS: usize = 5;

/// Number of recognized intents of the description test, with a fifth of its sentences held out in
/// turn.
fn recognized(with_short_examples: bool) -> (usize, usize) {
    let all: Vec<Value> =
        serde_json::from_str(include_str!("../../../domain/tests/data/sentences.json"))
            .unwrap_or_default();
    let short: Vec<Value> = if with_short_examples {
        short_examples().collect()
    } else {
        Vec::new()
    };
    let single = |entry: &&Value| {
        entry["expect"]
            .as_array()
            .is_some_and(|calls| calls.len() < 2)
    };
    let (mut right, mut asked) = (0, 0);
    for fold in 0..FOLDS {
        let learned = all
            .iter()
            .enumerate()
            .filter(|(place, _)| place % FOLDS != fold)
            .map(|(_, entry)| entry);
        let model = Model::train(learned.chain(&short));
        for entry in all.iter().skip(fold).step_by(FOLDS).filter(single) {
            let says = entry["says"].as_str().unwrap_or_default();
            let talk = Conversation::of(&entry["context"], &entry["persona"], says);
            let classifier = if talk.is_guest() {
                &model.guest
            } else {
                &model.staff
            };
            let (best, _) = classifier.best(&features::of(&talk.parse(says), &talk), |_| true);
            asked += 1;
            right += usize::from(Some(best) == wish(entry).as_deref());
        }
    }
    println!("{right} of {asked} wishes, short examples: {with_short_examples}");
    (right, asked)
}

/// The author of the short examples had read the table; without them nothing of it leaks into the
/// training.
#[test]
fn wishes_are_recognized_in_sentences_that_were_not_learned() {
    for (with_short_examples, percent) in [(false, 78), (true, 92)] {
        let (right, asked) = recognized(with_short_examples);
        assert!(
            right * 100 >= asked * percent,
            "{right} of {asked}, short examples: {with_short_examples}"
        );
    }
}
