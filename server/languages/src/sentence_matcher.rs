//! A sentence with variables, recognized in a text.

/// Fixed words with variables between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentenceMatcher {
    /// Words before the first variable.
    start: String,
    /// Name of each variable, and the words after it.
    rest: Vec<(String, String)>,
}

impl SentenceMatcher {
    /// Parses a text whose variables are written as `\u{1}name\u{2}`.
    pub fn of(text: &str) -> Self {
        let mut parts = text.split('\u{1}');
        let start = parts.next().unwrap_or_default().to_owned();
        let rest = parts
            .filter_map(|part| part.split_once('\u{2}'))
            .map(|(name, words)| (name.to_owned(), words.to_owned()))
            .collect();
        Self { start, rest }
    }

    /// Number of fixed characters.
    pub fn weight(&self) -> usize {
        self.start.len()
            + self
                .rest
                .iter()
                .map(|(_, words)| words.len())
                .sum::<usize>()
    }

    /// Values of the variables, if the text is this sentence.
    pub fn matched<'a>(&self, text: &'a str) -> Option<Vec<(&str, &'a str)>> {
        let mut left = text.strip_prefix(self.start.as_str())?;
        let mut values = Vec::new();
        for (n, (name, words)) in self.rest.iter().enumerate() {
            let last = n + 1 == self.rest.len();
            let end = if last {
                left.strip_suffix(words.as_str())?.len()
            } else {
                left.find(words.as_str())?
            };
            let (value, after) = left.split_at_checked(end)?;
            if value.is_empty() {
                return None;
            }
            values.push((name.as_str(), value));
            left = after.strip_prefix(words.as_str())?;
        }
        left.is_empty().then_some(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_recognized_with_its_values() {
        let of =
            |text: &str| SentenceMatcher::of(&text.replace('{', "\u{1}").replace('}', "\u{2}"));
        let paid = of("We charged {sum} to card {card}.");
        assert_eq!(
            paid.matched("We charged $250.00 to card 4242."),
            Some(vec![("sum", "$250.00"), ("card", "4242")])
        );
        for other in [
            "We charged $250.00 to card 4242. Thanks",
            "We charged  to card 4242.",
            "We charged",
        ] {
            assert_eq!(paid.matched(other), None, "{other}");
        }
        assert_eq!(of("Done.").matched("Done."), Some(Vec::new()));
        assert_eq!(of("Done.").matched("Done. "), None);
        assert!(paid.weight() > of("{x}.").weight());
    }
}
