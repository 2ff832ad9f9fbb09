//! A sentence for a person, worded for each reader.
//!
//! ```text
//! said!("out-done", sum) ─► Sentence ─┬─► programs, journals: its English
//!                kept with id, values ┴─► a person: `said-out-done` of their language
//! ```

use std::{borrow::Cow, fmt, ops::Deref};

use serde::{Deserialize, Serialize, Serializer};

use crate::{caller::Persona, error_code::ErrorCode};

type Values = Vec<(Cow<'static, str>, String)>;

/// Sentence in English, with its id and values for other languages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Sentence {
    /// English for every reader.
    Text(String),
    /// A message of each language.
    Said {
        id: Cow<'static, str>,
        english: String,
        values: Values,
    },
}

/// Sentence of the languages crate, which the caller's crate must use: the id of its message after
/// `said-`, and a value for each of its variables.
#[macro_export]
macro_rules! said {
    (@value $name:ident) => {
        $name.to_string()
    };
    (@value $name:ident $value:expr) => {
        $value.to_string()
    };
    ($id:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::sentence::Sentence::said(
            concat!("said-", $id),
            vec![$((stringify!($name).into(), $crate::said!(@value $name $($value)?))),*],
            |id, values| ::dewy_languages::Language::english().translation(id, values),
        )
    };
}

impl Sentence {
    /// Sentence with this id, whose English `english` words.
    pub fn said(
        id: &'static str,
        values: Values,
        english: impl FnOnce(&str, &[(&str, String)]) -> Option<String>,
    ) -> Self {
        let named: Vec<_> = values
            .iter()
            .map(|(name, value): &(Cow<'_, str>, String)| (name.as_ref(), value.clone()))
            .collect();
        Self::Said {
            english: english(id, &named).unwrap_or_else(|| id.to_owned()),
            id: id.into(),
            values,
        }
    }

    /// Entry of a closed list, such as a tool's title: its words are its id, `tool-check-in`.
    #[must_use]
    pub fn named(list: &str, english: impl Into<String>) -> Self {
        Self::named_with(list, &english.into(), Vec::new())
    }

    /// Entry of a closed list with a value for each name in braces.
    #[must_use]
    pub fn named_with(list: &str, template: &str, values: Values) -> Self {
        // No value is looked at again: what a guest wrote may have braces
        let pieces = template.split(['{', '}']).enumerate().map(|(n, piece)| {
            let mut named = values
                .iter()
                .filter(|(name, _)| n % 2 == 1 && name == piece);
            named.next().map_or(piece, |(_, value)| value)
        });
        Self::Said {
            english: pieces.collect(),
            id: Self::id_in(list, template).into(),
            values,
        }
    }

    /// Id of an entry of a closed list: `tool-check-in`.
    #[must_use]
    pub fn id_in(list: &str, entry: &str) -> String {
        let words = entry.split(|c: char| !c.is_ascii_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        let id = words.fold(list.to_owned(), |id, word| format!("{id}-{word}"));
        id.to_ascii_lowercase()
    }

    #[must_use]
    pub fn of_error(code: ErrorCode, persona: Persona) -> Self {
        match persona {
            Persona::Guest => Self::Said {
                id: format!("error-{}", code.code()).into(),
                english: code.for_guest().to_owned(),
                values: Vec::new(),
            },
            Persona::Staff => code.for_staff().into(),
        }
    }

    /// For a reader: `value` words a value for them, such as a day; `translation` is the message of
    /// their language with these values, if it has one.
    pub fn told(
        &self,
        value: impl Fn(&str) -> Option<String>,
        translation: impl FnOnce(&str, &[(&str, String)]) -> Option<String>,
    ) -> String {
        let Self::Said { id, values, .. } = self else {
            return self.to_string();
        };
        let worded = values.iter().map(|(name, text)| {
            let worded = value(text).unwrap_or_else(|| text.clone());
            (name.as_ref(), worded)
        });
        let worded = Vec::from_iter(worded);
        translation(id, &worded).unwrap_or_else(|| {
            // Its English stands for itself, with the values as this reader writes them
            let pairs = values.iter().map(|(_, text)| text).zip(&worded);
            pairs.fold(self.to_string(), |english, (text, (_, worded))| {
                match text == worded {
                    true => english,
                    false => english.replace(text.as_str(), worded),
                }
            })
        })
    }

    /// Writes its English, as programs read it.
    ///
    /// # Errors
    /// The serializer's.
    pub fn as_english<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl Deref for Sentence {
    type Target = str;

    /// Its English.
    fn deref(&self) -> &str {
        let (Self::Text(english) | Self::Said { english, .. }) = self;
        english
    }
}

impl PartialEq<&str> for Sentence {
    fn eq(&self, english: &&str) -> bool {
        **self == **english
    }
}

impl Default for Sentence {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl From<String> for Sentence {
    fn from(english: String) -> Self {
        Self::Text(english)
    }
}

impl From<&str> for Sentence {
    fn from(english: &str) -> Self {
        Self::Text(english.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_sentence_is_kept_with_its_id_and_values() {
        let sum = vec![("sum".into(), "{sum} 5".to_owned())];
        let paid = Sentence::named_with("yes", "Pay {sum} now?", sum);
        assert_eq!(paid, "Pay {sum} 5 now?");
        let kept = json!(paid);
        assert_eq!(kept["id"], "yes-pay-sum-now");
        assert_eq!(serde_json::from_value::<Sentence>(kept).unwrap(), paid);
        let told = paid.told(
            |_| Some("5 €".to_owned()),
            |id, values| Some(format!("{id}: {}", values[0].1)),
        );
        assert_eq!(told, "yes-pay-sum-now: 5 €");
    }

    #[test]
    fn a_text_alone_is_english_for_every_reader() {
        let day = ("day".into(), "2026-11-28".to_owned());
        let late = Sentence::named_with("case", "Until {day}", vec![day]);
        let day = |_: &str| Some("Sat, Nov 28".to_owned());
        assert_eq!(late.told(day, |_, _| None), "Until Sat, Nov 28");
        let old: Sentence = serde_json::from_value(json!("Was {sum} paid?")).unwrap();
        assert_eq!(old.told(|_| None, |_, _| None), "Was {sum} paid?");
        assert_eq!(json!(old), "Was {sum} paid?");
    }
}
