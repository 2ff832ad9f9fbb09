//! Linear classifier over named features: softmax regression with a fixed number of passes, so that
//! training is deterministic.

use std::collections::HashMap;

const PASSES: usize = 30;
const RATE: f32 = 0.5;
/// Decay of the learning rate per pass.
const COOLING: f32 = 0.97;
/// Threshold below which gradients are ignored.
const LEAST: f32 = 1e-3;
/// Norm of a sentence's feature vector.
const LENGTH: f32 = 3.0;
/// Relative weight of an unknown feature: the more is unknown, the lower the confidence.
const UNKNOWN: f32 = 0.1;

/// Trained classifier.
#[derive(Default)]
pub struct Classifier {
    labels: Vec<String>,
    /// Index and weight of each feature: rare ones weigh more.
    features: HashMap<String, (usize, f32)>,
    unknown: f32,
    /// One row per feature, with a coefficient for each label.
    coefficients: Vec<f32>,
}

impl Classifier {
    /// Trains on features and their labels.
    pub fn train(examples: &[(Vec<String>, String)]) -> Self {
        let mut labels: Vec<String> = examples.iter().map(|(_, label)| label.clone()).collect();
        labels.sort_unstable();
        labels.dedup();
        let mut features: HashMap<String, (usize, f32)> = HashMap::new();
        for name in examples.iter().flat_map(|(features, _)| features) {
            let place = features.len();
            features.entry(name.clone()).or_insert((place, 0.0)).1 += 1.0;
        }
        let rare = |name: &str, count: f32| {
            kind_weight(name) * (examples.len() as f32 / count).ln().max(0.5).sqrt()
        };
        for (name, (_, count)) in &mut features {
            *count = rare(name, *count);
        }
        let mut classifier = Self {
            coefficients: vec![0.0; features.len() * labels.len()],
            labels,
            features,
            unknown: UNKNOWN * rare("b", 1.0).powi(2),
        };
        let vector = |(names, label): &(Vec<String>, String)| {
            let place = classifier.labels.partition_point(|known| known < label);
            (classifier.vector(names), place)
        };
        let vectors: Vec<_> = examples.iter().map(vector).collect();
        for pass in 0..PASSES {
            for (vector, label) in &vectors {
                classifier.learn(vector, *label, RATE * COOLING.powf(pass as f32));
            }
        }
        classifier
    }

    fn learn(&mut self, vector: &[(usize, f32)], label: usize, rate: f32) {
        let count = self.labels.len();
        for (place, chance) in self.chances(vector).into_iter().enumerate() {
            let gradient = f32::from(u8::from(place == label)) - chance;
            let changed = if gradient.abs() > LEAST { vector } else { &[] };
            changed.iter().for_each(|(row, value)| {
                self.coefficients[row * count + place] += rate * gradient * value
            });
        }
    }

    /// Known features, scaled to a common norm.
    fn vector(&self, names: &[String]) -> Vec<(usize, f32)> {
        let known = names.iter().filter_map(|name| self.features.get(name));
        let mut vector: Vec<(usize, f32)> = known.copied().collect();
        let unknown = (names.len() - vector.len()) as f32 * self.unknown;
        let square: f32 = vector.iter().map(|(_, value)| value * value).sum();
        let length = (unknown + square).sqrt().max(f32::EPSILON);
        for (_, value) in &mut vector {
            *value *= LENGTH / length;
        }
        vector
    }

    fn chances(&self, vector: &[(usize, f32)]) -> Vec<f32> {
        let count = self.labels.len();
        let mut scores = vec![0.0; count];
        for (row, value) in vector {
            let row = &self.coefficients[row * count..(row + 1) * count];
            for (score, coefficient) in scores.iter_mut().zip(row) {
                *score += coefficient * value;
            }
        }
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        let powers: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
        let sum: f32 = powers.iter().sum();
        powers.iter().map(|power| power / sum).collect()
    }

    /// Most likely of the allowed labels, and its probability.
    pub fn best(&self, names: &[String], allowed: impl Fn(&str) -> bool) -> (&str, f32) {
        let labels = self.labels.iter().map(String::as_str);
        let chances = labels.zip(self.chances(&self.vector(names)));
        let allowed = chances.filter(|(label, _)| allowed(label));
        let best = allowed.max_by(|one, other| one.1.total_cmp(&other.1));
        best.unwrap_or(("", 0.0))
    }
}

/// Weight of a feature by its kind (`features.rs`): entities and facts weigh more than words, word
/// pairs less.
fn kind_weight(name: &str) -> f32 {
    match name.as_bytes().first() {
        Some(b'b') => 0.4,
        Some(b'c') => 1.2,
        Some(b's' | b'f') => 1.5,
        _ => 1.0,
    }
}
