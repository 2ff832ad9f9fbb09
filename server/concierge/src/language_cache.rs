//! Languages of the guests' pages, for the model's answers.

use std::{collections::HashMap, sync::Mutex};

use crate::mutex::locked;

/// Maximum number of entries. A full cache is cleared and refills as pages load.
const MAX_PEOPLE: usize = 10_000;

/// Language of the last page of each person who wrote here.
#[derive(Debug, Default)]
pub(crate) struct Languages(Mutex<HashMap<String, String>>);

impl Languages {
    /// Language of a person; empty when it is not known.
    pub fn of(&self, person: &str) -> String {
        let languages = locked(&self.0);
        languages.get(person).cloned().unwrap_or_default()
    }

    pub fn note(&self, person: String, language: &str) {
        let mut languages = locked(&self.0);
        if languages.len() >= MAX_PEOPLE && !languages.contains_key(&person) {
            languages.clear();
        }
        languages.insert(person, language.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_keeps_the_latest_language_and_is_bounded() {
        let languages = Languages::default();
        languages.note("guest:a".to_owned(), "en");
        languages.note("guest:a".to_owned(), "es");
        assert_eq!(
            (languages.of("guest:a"), languages.of("guest:b")),
            ("es".to_owned(), String::new())
        );
        for n in 0..MAX_PEOPLE {
            languages.note(format!("guest:{n}"), "en");
        }
        assert!(languages.0.lock().unwrap().len() <= MAX_PEOPLE);
        assert_eq!(languages.of(&format!("guest:{}", MAX_PEOPLE - 1)), "en");
    }
}
