//! A language of the guests' pages.

use std::{fmt, sync::LazyLock};

use crate::{
    Value,
    message_catalog::Catalog,
    preferred_language::{preferred, primary},
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

/// Reads all messages, which takes longer than a request should; for the start of a process.
pub fn warm_up() {
    LazyLock::force(&CATALOGS);
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

    /// Message with the values of a sentence of the backend, if this language has it.
    #[must_use]
    pub fn translation(self, id: &str, values: &[(&str, String)]) -> Option<String> {
        let values: Vec<_> = values
            .iter()
            .map(|(name, value)| (*name, counted(value)))
            .collect();
        self.0.format(id, &values)
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
