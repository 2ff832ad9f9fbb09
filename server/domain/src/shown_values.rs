//! Values that a form showed, compared with those that it would replace.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Values that a form showed and its author changed, by field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ShownValues(BTreeMap<String, String>);

/// Value that somebody else changed after a form had shown it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedValue {
    pub field: String,
    /// Value that the form showed.
    pub shown: String,
    pub now: String,
}

impl ShownValues {
    /// Those that are different now. Browsers send line breaks in a form of their own.
    #[must_use]
    pub fn changed(&self, now: &[(&str, &str)]) -> Vec<ChangedValue> {
        let text = |text: &str| text.replace("\r\n", "\n").trim().to_owned();
        let changed = now.iter().filter_map(|(field, now)| {
            let (shown, now) = (text(self.0.get(*field)?), text(now));
            let field = (*field).to_owned();
            (shown != now).then_some(ChangedValue { field, shown, now })
        });
        changed.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_shown_and_differs_has_changed() {
        let shown =
            serde_json::json!({ "special_requests": "Crib\r\nQuiet ", "number_of_guests": "2" });
        let shown: ShownValues = serde_json::from_value(shown).unwrap();
        let now = |requests, guests| {
            let now = [
                ("special_requests", requests),
                ("number_of_guests", guests),
                ("room_number", "302"),
            ];
            shown.changed(&now)
        };
        assert_eq!(now("Crib\nQuiet", "2"), []);
        let changed = now("Nut allergy", "2");
        assert_eq!(
            (changed.len(), changed[0].shown.as_str()),
            (1, "Crib\nQuiet")
        );
        assert_eq!(changed[0].now, "Nut allergy");
    }
}
