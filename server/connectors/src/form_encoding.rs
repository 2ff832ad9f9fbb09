//! Forms and query strings in a fixed order: Stripe's `a[b]=c` and Twilio's plain fields.

use crate::percent_encoding::percent;

/// A form or a query string. The order is fixed, because the bytes are journaled, and a repeated
/// idempotency key requires identical bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Form {
    text: String,
}

impl Form {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a field by its literal key: `amount`, `expand[]`.
    pub(crate) fn field(mut self, key: &str, value: &str) -> Self {
        if !self.text.is_empty() {
            self.text.push('&');
        }
        self.text.push_str(key);
        self.text.push('=');
        self.text.push_str(&percent(value));
        self
    }

    /// Adds a field if there is a value.
    pub(crate) fn field_if(self, key: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.field(key, value),
            None => self,
        }
    }

    /// Adds `name[key]=value` for all entries.
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

    pub(crate) fn text(self) -> String {
        self.text
    }
}
