//! Result of a tool that lists.

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, Error},
    ser::SerializeMap,
};
use serde_json::{Map, Value, json};

use crate::output_schema::{ListRow, OutputSchema};

/// Rows of a list, and whether there are more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListResult<T> {
    /// Rows, as the tool sorts them.
    pub rows: Vec<T>,
    /// Whether there are more.
    pub cut: bool,
    /// How to narrow the search; empty unless there are more.
    pub how_to_narrow: String,
}

impl<T> ListResult<T> {
    /// Creates a result; `narrow` says how to narrow the search if it is `cut`.
    #[must_use]
    pub fn new(rows: Vec<T>, cut: bool, narrow: &str) -> Self {
        Self {
            rows,
            cut,
            how_to_narrow: if cut { narrow } else { "" }.to_owned(),
        }
    }
}

impl<T: ListRow> OutputSchema for ListResult<T> {
    fn schema() -> Value {
        json!({ "type": "object", "properties": {
            T::LIST: { "type": "array", "items": { "type": "object" } },
            "cut": { "type": "boolean", "description": "True when there are more than the limit." },
            "how_to_narrow": { "type": "string" },
        } })
    }
}

impl<T> Default for ListResult<T> {
    fn default() -> Self {
        Self::new(Vec::new(), false, "")
    }
}

impl<T: ListRow + Serialize> Serialize for ListResult<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(Some(3))?;
        fields.serialize_entry(T::LIST, &self.rows)?;
        fields.serialize_entry("cut", &self.cut)?;
        fields.serialize_entry("how_to_narrow", &self.how_to_narrow)?;
        fields.end()
    }
}

impl<'de, T: ListRow + DeserializeOwned> Deserialize<'de> for ListResult<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Fields {
            #[serde(default)]
            cut: bool,
            #[serde(default)]
            how_to_narrow: String,
            #[serde(flatten)]
            others: Map<String, Value>,
        }
        let mut fields = Fields::deserialize(deserializer)?;
        let rows = fields.others.remove(T::LIST);
        let rows = rows.ok_or_else(|| Error::missing_field(T::LIST))?;
        Ok(Self {
            rows: serde_json::from_value(rows).map_err(Error::custom)?,
            cut: fields.cut,
            how_to_narrow: fields.how_to_narrow,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    struct Row(u8);

    impl ListRow for Row {
        const LIST: &'static str = "digits";
    }

    #[test]
    fn a_list_has_the_name_of_its_rows() {
        for (list, value) in [
            (
                ListResult::new(vec![Row(1)], true, "Ask for less."),
                json!({ "digits": [1], "cut": true, "how_to_narrow": "Ask for less." }),
            ),
            (
                ListResult::new(vec![], false, "Ask for less."),
                json!({ "digits": [], "cut": false, "how_to_narrow": "" }),
            ),
        ] {
            assert_eq!(json!(list), value);
            assert_eq!(
                serde_json::from_value::<ListResult<Row>>(value).unwrap(),
                list
            );
        }
        assert!(serde_json::from_value::<ListResult<Row>>(json!({ "letters": [] })).is_err());
    }
}
