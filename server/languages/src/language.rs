//! A language of the guests' pages.

use std::{collections::HashMap, fmt, sync::LazyLock};

use crate::{
    Value,
    message_catalog::Catalog,
    preferred_language::{preferred, primary},
    sentence_matcher::SentenceMatcher,
};

/// Number of words that a text's language is told from: each view of a conversation tells that of
/// every message.
const MAX_JUDGED_WORDS: usize = 100;

/// Files in `locales/`: name and text.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The language that the others are compared with.
const ENGLISH: &str = "en";

static CATALOGS: LazyLock<Vec<Catalog>> = LazyLock::new(|| {
    FILES
        .iter()
        .map(|(tag, file)| Catalog::read(tag, file))
        .collect()
});

static NO_MESSAGES: LazyLock<Catalog> = LazyLock::new(|| Catalog::read(ENGLISH, ""));

/// Sentences of the backend: by their English text, and those with variables.
static BACKEND_SENTENCES: LazyLock<BackendSentences> = LazyLock::new(|| {
    let (templates, plain): (Vec<_>, Vec<_>) = Language::english()
        .0
        .backend_sentences()
        .into_iter()
        .partition(|(id, _)| Language::english().0.text(id).is_none());
    let plain = plain
        .into_iter()
        .filter_map(|(id, _)| Some((Language::english().0.text(id)?, id)))
        .collect();
    BackendSentences { plain, templates }
});

/// Reads all messages, which takes longer than a request should; for the start of a process.
pub fn warm_up() {
    LazyLock::force(&BACKEND_SENTENCES);
}

struct BackendSentences {
    plain: HashMap<&'static str, &'static str>,
    templates: Vec<(&'static str, SentenceMatcher)>,
}

/// A language with its messages; cheap to copy.
#[derive(Clone, Copy)]
pub struct Language(&'static Catalog);

impl Language {
    /// Every language, by tag.
    pub fn all() -> impl Iterator<Item = Self> {
        CATALOGS.iter().map(Self)
    }

    /// English, which is also the backend's language.
    #[must_use]
    pub fn english() -> Self {
        Self::named(ENGLISH).unwrap_or(Self(&NO_MESSAGES))
    }

    /// Language with that tag, whatever the region: `es` for `es-MX`.
    #[must_use]
    pub fn named(tag: &str) -> Option<Self> {
        let exact = |one: &Self| one.tag().eq_ignore_ascii_case(tag);
        let alike = |one: &Self| one.tag().eq_ignore_ascii_case(primary(tag));
        Self::all().find(exact).or_else(|| Self::all().find(alike))
    }

    /// First available language of an `Accept-Language` header.
    #[must_use]
    pub fn accepted(header: &str) -> Option<Self> {
        preferred(header).into_iter().find_map(Self::named)
    }

    /// Detected language of a text; `None` if its words don't identify one.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        let text = text.to_lowercase();
        let words: Vec<&str> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .take(MAX_JUDGED_WORDS)
            .collect();
        let known = |language: Self| {
            let list: Vec<&str> = language.text("language-words").split(' ').collect();
            words.iter().filter(|word| list.contains(word)).count()
        };
        let mut counts: Vec<_> = Self::all().map(|one| (known(one), one)).collect();
        counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        match counts.as_slice() {
            [(0, _), ..] | [] => None,
            [(one, _), (other, _), ..] if one == other => None,
            [(_, language), ..] => Some(*language),
        }
    }

    /// `es`.
    #[must_use]
    pub fn tag(self) -> &'static str {
        self.0.tag
    }

    /// Whether it is English.
    #[must_use]
    pub fn is_english(self) -> bool {
        self.tag() == ENGLISH
    }

    /// Message without variables. Falls back to English, then to the id; a test detects both.
    #[must_use]
    pub fn text(self, id: &str) -> &'static str {
        let found = self.0.text(id);
        found.or_else(|| Self::english().0.text(id)).unwrap_or("…")
    }

    /// Message with these values.
    #[must_use]
    pub fn format(self, id: &str, values: &[(&str, Value<'_>)]) -> String {
        let found = self.0.format(id, values);
        found
            .or_else(|| Self::english().0.format(id, values))
            .unwrap_or_else(|| id.to_owned())
    }

    /// Whether there is a message with that id.
    #[must_use]
    pub fn has(self, id: &str) -> bool {
        self.0.has(id)
    }

    /// Sentence of the backend in this language; as it is, if it is not known. `rewritten` writes a
    /// value of the sentence, such as a date, in this language, if it knows how.
    #[must_use]
    pub fn translated(self, english: &str, rewritten: impl Fn(&str) -> Option<String>) -> String {
        if self.is_english() || english.is_empty() {
            return english.to_owned();
        }
        self.known(english, rewritten)
            .unwrap_or_else(|| english.to_owned())
    }

    /// As [`Self::translated`], but also rewrites values in English sentences, such as dates.
    #[must_use]
    pub fn rewritten(self, english: &str, rewritten: impl Fn(&str) -> Option<String>) -> String {
        self.known(english, rewritten)
            .unwrap_or_else(|| english.to_owned())
    }

    fn known(self, english: &str, rewritten: impl Fn(&str) -> Option<String>) -> Option<String> {
        if let Some(id) = BACKEND_SENTENCES.plain.get(english) {
            return Some(self.text(id).to_owned());
        }
        BACKEND_SENTENCES
            .templates
            .iter()
            .find_map(|(id, template)| {
                let values = template.matched(english)?;
                let values: Vec<_> = values
                    .into_iter()
                    .map(|(name, value)| match rewritten(value) {
                        Some(text) => (name, Value::from(text)),
                        None => (name, counted(value)),
                    })
                    .collect();
                Some(self.format(id, &values))
            })
    }

    /// Every message id, and the variables of each.
    pub fn messages(self) -> impl Iterator<Item = (&'static str, Vec<String>)> {
        self.0.ids().iter().map(move |id| {
            let mut variables = self.0.variables(id);
            variables.sort();
            (*id, variables)
        })
    }
}

/// A count, for its plural; everything else as it is written, `0042` included.
fn counted(text: &str) -> Value<'_> {
    match text.parse::<i64>() {
        Ok(count) if count.to_string() == text => Value::from(count),
        _ => Value::from(text),
    }
}

impl Default for Language {
    fn default() -> Self {
        Self::english()
    }
}

impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.tag() == other.tag()
    }
}

impl Eq for Language {}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Language").field(&self.tag()).finish()
    }
}
