//! Linear classifier over named features: softmax regression with a fixed number of passes, so that
//! training is deterministic.

use std::collections::HashMap;

const PASSES: i32 = 30;
const RATE: f32 = 0.5;
/// Decay of the learning rate per pass.
const COOLING: f32 = 0.97;
/// Threshold below which gradients are ignored.
const LEAST: f32 = 1e-3;
/// Norm of a sentence's feature vector.
const LENGTH: f32 = 3.0;
/// Weight of an unknown feature: the more is unknown, the lower the confidence.
const UNKNOWN: f32 = 0.1;

/// Trained classifier.
#[derive(Default)]
pub struct Classifier {
    labels: Vec<String>,
    /// Index and weight of each feature: rare ones weigh more.
    features: HashMap<String, (usize, f32)>,
    /// One row per feature, with a coefficient for each label.
    coefficients: Vec<Vec<f32>>,
}

impl Classifier {
    /// Trains on features and their labels.
    pub fn train(examples: &[(Vec<String>, String)]) -> Self {
        let mut classifier = Self::default();
        let labels = examples.iter().map(|(_, label)| label.clone());
        classifier.labels.extend(labels);
        classifier.labels.sort_unstable();
        classifier.labels.dedup();
        for name in examples.iter().flat_map(|(names, _)| names) {
            let place = classifier.features.len();
            let feature = classifier.features.entry(name.clone());
            feature.or_insert((place, 0.0)).1 += 1.0;
        }
        for (name, (_, count)) in &mut classifier.features {
            *count = kind_weight(name) * (examples.len() as f32 / *count).ln().max(0.5).sqrt();
        }
        let rows = classifier.features.len();
        classifier.coefficients = vec![vec![0.0; classifier.labels.len()]; rows];
        let vectors = examples.iter().map(|(names, _)| classifier.vector(names));
        let vectors: Vec<_> = vectors.collect();
        for pass in 0..PASSES {
            for (vector, (_, label)) in vectors.iter().zip(examples) {
                classifier.learn(vector, label, RATE * COOLING.powi(pass));
            }
        }
        classifier
    }

    fn learn(&mut self, vector: &[(usize, f32)], label: &str, rate: f32) {
        for (place, chance) in self.chances(vector).into_iter().enumerate() {
            let gradient = f32::from(u8::from(self.labels[place] == label)) - chance;
            if gradient.abs() > LEAST {
                for (row, value) in vector {
                    self.coefficients[*row][place] += rate * gradient * value;
                }
            }
        }
    }

    /// Known features, scaled to a common norm.
    fn vector(&self, names: &[String]) -> Vec<(usize, f32)> {
        let known = names.iter().filter_map(|name| self.features.get(name));
        let mut vector: Vec<(usize, f32)> = known.copied().collect();
        let unknown = (names.len() - vector.len()) as f32 * UNKNOWN;
        let square: f32 = vector.iter().map(|(_, value)| value * value).sum();
        let length = (unknown + square).sqrt().max(f32::EPSILON);
        vector
            .iter_mut()
            .for_each(|(_, value)| *value *= LENGTH / length);
        vector
    }

    fn chances(&self, vector: &[(usize, f32)]) -> Vec<f32> {
        let mut scores = vec![0.0_f32; self.labels.len()];
        for (row, value) in vector {
            let row = self.coefficients[*row].iter();
            scores
                .iter_mut()
                .zip(row)
                .for_each(|(score, part)| *score += part * value);
        }
        let sum: f32 = scores.iter().map(|score| score.exp()).sum();
        scores.iter().map(|score| score.exp() / sum).collect()
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
    match name.as_bytes()[0] {
        b'b' => 0.4,
        b'c' => 1.2,
        b's' | b'f' => 1.5,
        _ => 1.0,
    }
}
