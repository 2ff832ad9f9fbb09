//! Forms and query strings, in the order in which they are written: Stripe's `a[b]=c` and Twilio's
//! plain ones.

use crate::percent::percent;

/// A form or a query string. The order is fixed, for the bytes are journaled, and a key sent twice
/// must come with the same ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Form {
    text: String,
}

impl Form {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A field by its literal key: `amount`, `expand[]`.
    pub(crate) fn field(mut self, key: &str, value: &str) -> Self {
        if !self.text.is_empty() {
            self.text.push('&');
        }
        self.text.push_str(key);
        self.text.push('=');
        self.text.push_str(&percent(value));
        self
    }

    /// A field, or nothing at all.
    pub(crate) fn field_if(self, key: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.field(key, value),
            None => self,
        }
    }

    /// `name[key]=value` for all of them.
    pub(crate) fn map<'a>(
        self,
        name: &str,
        entries: impl IntoIterator<Item = (&'a String, &'a String)>,
    ) -> Self {
        let entry = |form: Self, (key, value): (&String, &String)| {
            form.field(&format!("{name}[{}]", percent(key)), value)
        };
        entries.into_iter().fold(self, entry)
    }

    /// As sent.
    pub(crate) fn text(self) -> String {
        self.text
    }
}
