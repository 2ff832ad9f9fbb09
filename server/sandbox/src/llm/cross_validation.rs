//! Cross-validation: accuracy of the classifiers on sentences they were not trained on.

use super::intent_model::Model;
use super::{features, training_examples};

const FOLDS: usize = 5;

/// Number of intents recognized in five-fold cross-validation over the example sentences, and their
/// total.
fn recognized(with_short_examples: bool) -> (usize, usize) {
    let (all, mut short) = (training_examples::table(), training_examples::short());
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

/// The short examples were written by someone who had read the table. The run without them measures
/// accuracy without that leakage.
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
