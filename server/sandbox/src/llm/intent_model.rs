//! Trained model: classifiers of the intents of guests and staff, and of the team responsible.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::classifier::Classifier;
use super::features;
use super::training_examples::{Example, short, table};

/// The model, trained once.
pub static MODEL: LazyLock<Model> = LazyLock::new(|| Model::train(table().iter().chain(&short())));
/// Classifier of the team responsible for a request or a case.
pub const TEAM: &str = "team";

/// Classifiers by name: of intents, one for each persona, and of the team.
pub struct Model(BTreeMap<&'static str, Classifier>);

impl Model {
    pub fn classifier(&self, name: &str) -> &Classifier {
        &self.0[name]
    }

    pub fn train<'a>(examples: impl Iterator<Item = &'a Example>) -> Self {
        let mut sets: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for Example { talk, intent, team } in examples {
            let found = features::of(&talk.parse(&talk.said), talk);
            for (name, label) in [(talk.persona(), intent), (TEAM, team)] {
                let labeled = label.clone().map(|label| (found.clone(), label));
                sets.entry(name).or_default().extend(labeled);
            }
        }
        let train = |(name, set): (_, Vec<_>)| (name, Classifier::train(&set));
        Self(sets.into_iter().map(train).collect())
    }
}

/// Whether an intent changes nothing.
pub fn reads(intent: &str) -> bool {
    let mut verbs = ["small_talk", "search", "get", "list"].iter();
    verbs.any(|verb| intent.starts_with(verb))
}
