//! Cross-validation: accuracy of the classifiers on sentences they were not trained on.

use super::examples::{self, Model};
use super::features;

const FOLDS: usize = 5;

/// Number of recognized intents of the description test, with a fifth of its sentences held out in
/// turn.
fn recognized(with_short_examples: bool) -> (usize, usize) {
    let (all, mut short) = (examples::table(), examples::short());
    short.retain(|_| with_short_examples);
    let (mut right, mut asked) = (0, 0);
    for fold in 0..FOLDS {
        let learned = all.iter().enumerate();
        let learned = learned.filter(|(place, _)| place % FOLDS != fold);
        let model = Model::train(learned.map(|(_, example)| example).chain(&short));
        let held_out = all.iter().skip(fold).step_by(FOLDS);
        for example in held_out.filter(|example| example.intent.is_some()) {
            let talk = &example.talk;
            let features = features::of(&talk.parse(&talk.said), talk);
            let (best, _) = model.classifier(talk.persona()).best(&features, |_| true);
            asked += 1;
            right += usize::from(Some(best) == example.intent.as_deref());
        }
    }
    println!("{right} of {asked} intents, short examples: {with_short_examples}");
    (right, asked)
}

/// The author of the short examples had read the table; without them nothing of it leaks into the
/// training.
#[test]
fn intents_of_unseen_sentences_are_recognized() {
    for (with_short_examples, percent) in [(false, 78), (true, 92)] {
        let (right, asked) = recognized(with_short_examples);
        assert!(
            right * 100 >= asked * percent,
            "{right} of {asked}, short examples: {with_short_examples}"
        );
    }
}
