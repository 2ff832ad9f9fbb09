//! Linear classifier over named features: softmax regression with a fixed number of passes, so that
//! training is deterministic.

use std::collections::{BTreeSet, HashMap};

const PASSES: i32 = 30;
const RATE: f32 = 0.5;
/// Decay of the learning rate per pass.
const COOLING: f32 = 0.97;
/// Norm of a sentence's feature vector.
const LENGTH: f32 = 3.0;
/// Weight of an unknown feature: the more is unknown, the lower the confidence.
const UNKNOWN: f32 = 0.1;

pub struct Classifier {
    labels: Vec<String>,
    /// Index of each feature, and its weight.
    features: HashMap<String, (usize, f32)>,
    /// Coefficients of each feature, one for each label.
    coefficients: Vec<Vec<f32>>,
}

/// Features of a sentence, by index, and their values.
type Vector = Vec<(usize, f32)>;

impl Classifier {
    /// Trains on features and their labels.
    pub fn train(examples: &[(Vec<String>, String)]) -> Self {
        let labels: BTreeSet<&String> = examples.iter().map(|(_, label)| label).collect();
        let labels: Vec<String> = labels.into_iter().cloned().collect();
        let mut features = HashMap::new();
        for name in examples.iter().flat_map(|(names, _)| names) {
            let next = features.len();
            features.entry(name.clone()).or_insert((next, 0.0)).1 += 1.0;
        }
        for (name, (_, weight)) in &mut features {
            // Rare ones weigh more
            *weight = kind_weight(name) * (examples.len() as f32 / *weight).ln().max(0.5).sqrt();
        }
        let mut classifier = Self {
            coefficients: vec![vec![0.0; labels.len()]; features.len()],
            labels,
            features,
        };
        let vectors = examples.iter().map(|(names, _)| classifier.vector(names));
        let vectors: Vec<Vector> = vectors.collect();
        for pass in 0..PASSES {
            for (vector, (_, label)) in vectors.iter().zip(examples) {
                classifier.learn(vector, label, RATE * COOLING.powi(pass));
            }
        }
        classifier
    }

    fn learn(&mut self, vector: &Vector, label: &str, rate: f32) {
        let chances = self.chances(vector).into_iter().zip(&self.labels);
        let right = |known: &String| if known == label { 1.0 } else { 0.0 };
        let gradients = chances.map(|(chance, known)| right(known) - chance);
        let gradients: Vec<f32> = gradients.collect();
        for (feature, value) in vector {
            let coefficients = self.coefficients[*feature].iter_mut();
            for (coefficient, gradient) in coefficients.zip(&gradients) {
                *coefficient += rate * gradient * value;
            }
        }
    }

    /// Known features, scaled to a common norm.
    fn vector(&self, names: &[String]) -> Vector {
        let known = names.iter().filter_map(|name| self.features.get(name));
        let mut vector: Vector = known.copied().collect();
        let unknown = (names.len() - vector.len()) as f32 * UNKNOWN;
        let square: f32 = vector.iter().map(|(_, value)| value * value).sum();
        let scale = LENGTH / (unknown + square).sqrt().max(f32::EPSILON);
        vector.iter_mut().for_each(|(_, value)| *value *= scale);
        vector
    }

    fn chances(&self, vector: &Vector) -> Vec<f32> {
        let mut scores = vec![0.0_f32; self.labels.len()];
        for (feature, value) in vector {
            for (score, coefficient) in scores.iter_mut().zip(&self.coefficients[*feature]) {
                *score += coefficient * value;
            }
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
