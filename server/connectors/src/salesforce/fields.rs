//! A record's fields as JSON text, in a fixed order and with money to the cent.

use dewy_domain::money::Cents;
use jiff::{Timestamp, civil::Date};
use serde_json::Value;

/// A JSON object built as text: the bytes are journaled before they are sent, so their order is fixed, and an amount is
/// written as its decimal text and never passes through a float.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    json: String,
}

impl Fields {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A text.
    pub(crate) fn text(self, name: &str, value: &str) -> Self {
        self.raw(name, &Value::from(value).to_string())
    }

    /// A text, or nothing at all.
    pub(crate) fn text_if(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(name, value),
            None => self,
        }
    }

    /// A text, or `null`, which clears the field.
    pub(crate) fn text_or_null(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.text(name, value),
            None => self.raw(name, "null"),
        }
    }

    /// Currency: `250.10`.
    pub(crate) fn money(self, name: &str, amount: Cents) -> Self {
        self.raw(name, &amount.to_decimal())
    }

    /// A day.
    pub(crate) fn day(self, name: &str, day: Date) -> Self {
        self.text(name, &day.to_string())
    }

    /// A moment, in UTC.
    pub(crate) fn moment(self, name: &str, at: Timestamp) -> Self {
        self.text(name, &at.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())
    }

    /// JSON as it is.
    pub(crate) fn raw(mut self, name: &str, json: &str) -> Self {
        self.json.push(if self.json.is_empty() { '{' } else { ',' });
        self.json.push_str(&Value::from(name).to_string());
        self.json.push(':');
        self.json.push_str(json);
        self
    }

    /// Whether no field is in it.
    pub(crate) fn is_empty(&self) -> bool {
        self.json.is_empty()
    }

    /// The finished object.
    pub(crate) fn json(mut self) -> String {
        if self.json.is_empty() {
            self.json.push('{');
        }
        self.json.push('}');
        self.json
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_keep_their_cents_and_texts_are_escaped() {
        let json = Fields::new().money("Amount__c", Cents(25010)).text("Name", "a\"b").text_or_null("X", None).json();
        assert_eq!(json, r#"{"Amount__c":250.10,"Name":"a\"b","X":null}"#);
        assert_eq!(Fields::new().json(), "{}");
        let at = "2026-03-10T12:00:00.1234Z".parse().unwrap();
        assert_eq!(Fields::new().moment("At", at).json(), r#"{"At":"2026-03-10T12:00:00.123Z"}"#);
    }
}
