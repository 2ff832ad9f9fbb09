//! Fields of a record as JSON text, in a fixed order and with money to the cent.

use std::borrow::Cow;

use dewy_domain::money::Cents;
use jiff::{Timestamp, civil::Date};

use super::{OrgVocabulary, Picklist, org_vocabulary::PicklistValue};

/// JSON object built as text: the bytes are journaled before they are sent, so their order is
/// fixed, and an amount is written as decimal text and never passes through a float.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    members: Vec<(String, Member)>,
}

#[derive(Clone, Debug)]
enum Member {
    /// Raw JSON.
    Raw(String),
    /// Text in which Salesforce would resolve a reference if a composite's body contained it.
    Braced(String),
}

/// Prefix that a composite resolves as a reference, even in text entered by users.
const REFERENCE: &str = "@{";

impl Fields {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a text; it is stored as written, even if it looks like a reference.
    pub(crate) fn text(mut self, name: &str, value: &str) -> Self {
        if value.contains(REFERENCE) {
            self.members
                .push((name.to_owned(), Member::Braced(value.to_owned())));
            return self;
        }
        self.raw(name, quoted(value))
    }

    /// Adds a value of an earlier part's response: `contact.id`, `free.records[0].Id`.
    pub(crate) fn refer(self, name: &str, path: &str) -> Self {
        self.raw(name, quoted(&format!("@{{{path}}}")))
    }

    /// Adds the org's word for one of our values, in the field of its picklist.
    pub(crate) fn value<V: PicklistValue>(self, vocabulary: &OrgVocabulary, ours: &V) -> Self {
        self.word(vocabulary, V::LIST, ours.word())
    }

    /// Adds such a value if there is one.
    pub(crate) fn value_if<V: PicklistValue>(
        self,
        vocabulary: &OrgVocabulary,
        ours: Option<&V>,
    ) -> Self {
        match ours {
            Some(ours) => self.value(vocabulary, ours),
            None => self,
        }
    }

    /// Adds the org's word for one of ours, in the field of its picklist.
    pub(crate) fn word(self, vocabulary: &OrgVocabulary, list: Picklist, ours: &str) -> Self {
        self.text(list.place().1, vocabulary.theirs(list, ours))
    }

    pub(crate) fn text_if(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(name, value),
            None => self,
        }
    }

    /// Adds a text, or `null`, which clears the field.
    pub(crate) fn text_or_null(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(name, value),
            None => self.raw(name, "null"),
        }
    }

    /// Adds a currency amount: `250.10`.
    pub(crate) fn money(self, name: &str, amount: Cents) -> Self {
        self.raw(name, amount.to_decimal())
    }

    pub(crate) fn day(self, name: &str, day: Date) -> Self {
        self.text(name, &day.to_string())
    }

    /// Adds a timestamp in UTC.
    pub(crate) fn moment(self, name: &str, at: Timestamp) -> Self {
        self.text(name, &at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())
    }

    pub(crate) fn raw(mut self, name: &str, json: impl Into<String>) -> Self {
        self.members
            .push((name.to_owned(), Member::Raw(json.into())));
        self
    }

    /// Only the fields whose names fit.
    pub(crate) fn retain(mut self, fits: impl Fn(&str) -> bool) -> Self {
        self.members.retain(|(name, _)| fits(name));
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Object for a request outside of composites, where text is never resolved.
    pub(crate) fn json(self) -> String {
        object(self.members.iter().map(|(name, member)| match member {
            Member::Raw(json) => (name.as_str(), json.as_str().into()),
            Member::Braced(text) => (name.as_str(), quoted(text).into()),
        }))
    }

    /// For a composite's body: the first text that must not appear there, if any.
    pub(crate) fn braced(&self) -> Option<&str> {
        self.members
            .iter()
            .find(|(_, member)| matches!(member, Member::Braced(_)))
            .map(|(name, _)| name.as_str())
    }

    /// Object for a composite's body, with a lone brace where a text must not appear.
    pub(crate) fn with_braces(&self) -> String {
        object(self.members.iter().map(|(name, member)| match member {
            Member::Raw(json) => (name.as_str(), json.as_str().into()),
            Member::Braced(_) => (name.as_str(), "\"{\"".into()),
        }))
    }

    /// Only those texts, with each brace taken from the value at `path`.
    pub(crate) fn braced_texts(&self, path: &str) -> String {
        object(
            self.members
                .iter()
                .filter_map(|(name, member)| match member {
                    Member::Raw(_) => None,
                    Member::Braced(text) => {
                        let text = text.replace(REFERENCE, &format!("@@{{{path}}}"));
                        Some((name.as_str(), quoted(&text).into()))
                    }
                }),
        )
    }
}

fn quoted(text: &str) -> String {
    // Writing a text into memory doesn't fail
    serde_json::to_string(text).unwrap_or_default()
}

fn object<'a>(members: impl Iterator<Item = (&'a str, Cow<'a, str>)>) -> String {
    let mut object = String::from("{");
    for (name, json) in members {
        if object.len() > 1 {
            object.push(',');
        }
        object.push_str(&quoted(name));
        object.push(':');
        object.push_str(&json);
    }
    object.push('}');
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_keep_their_cents_and_texts_are_escaped() {
        let json = Fields::new()
            .money("Amount__c", Cents(25010))
            .text("Name", "a\"b")
            .text_or_null("X", None)
            .json();
        assert_eq!(json, r#"{"Amount__c":250.10,"Name":"a\"b","X":null}"#);
        assert_eq!(Fields::new().json(), "{}");
        let braced = Fields::new()
            .text("A", "see @{contact.id}")
            .refer("B", "contact.id");
        assert_eq!(braced.braced(), Some("A"));
        assert_eq!(braced.with_braces(), r#"{"A":"{","B":"@{contact.id}"}"#);
        assert_eq!(
            braced.braced_texts("x.A"),
            r#"{"A":"see @@{x.A}contact.id}"}"#
        );
        assert_eq!(
            braced.json(),
            r#"{"A":"see @{contact.id}","B":"@{contact.id}"}"#
        );
        let at = "2026-03-10T12:00:00.1234Z".parse().unwrap();
        assert_eq!(
            Fields::new().moment("At", at).json(),
            r#"{"At":"2026-03-10T12:00:00.123Z"}"#
        );
    }
}
