//! Schemas of results. One declaration gives a tool's result its type and its schema.

use jiff::{Timestamp, civil::Date};
use serde_json::{Value, json};

/// Type of a result, or of one of its fields.
pub trait OutputSchema {
    /// Its JSON schema. A field without a value is left out, so it has the schema of its value.
    fn schema() -> Value;
}

/// Declares the schemas of types that are sent as one plain value.
macro_rules! plain_schema {
    ($word:literal: $($kind:ty),+) => {
        $(
            impl $crate::output_schema::OutputSchema for $kind {
                fn schema() -> serde_json::Value {
                    serde_json::json!({ "type": $word })
                }
            }
        )+
    };
}
pub(crate) use plain_schema;

plain_schema!("boolean": bool);
plain_schema!("integer": i64);
plain_schema!("string": String, Date, Timestamp);

impl<T: OutputSchema> OutputSchema for Option<T> {
    fn schema() -> Value {
        T::schema()
    }
}

impl<T: OutputSchema> OutputSchema for Vec<T> {
    fn schema() -> Value {
        json!({ "type": "array", "items": T::schema() })
    }
}

/// Row of a list.
pub trait ListRow {
    /// Field of the result that holds the rows: `bookings`.
    const LIST: &'static str;
}

/// Declares a result, or a part of one, perhaps the row of a list: each field's name, type and, where
/// the name does not say it, description. A field may have a name that is a word of the language.
macro_rules! tool_output {
    ($(#[$about:meta])* $result:ident $(in $list:literal)? {
        $($(#[$meaning:meta])* $field:ident $(as $name:literal)?: $kind:ty $(= $words:literal)?,)+
    }) => {
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        $(#[$about])*
        pub struct $result {
            $(
                $(#[$meaning])*
                $(#[serde(rename = $name)])?
                pub $field: $kind,
            )+
        }

        $(
            impl $crate::output_schema::ListRow for $result {
                const LIST: &'static str = $list;
            }
        )?

        impl $crate::output_schema::OutputSchema for $result {
            fn schema() -> serde_json::Value {
                let mut properties = serde_json::Map::new();
                $(
                    let name = [$($name,)? stringify!($field)][0];
                    let schema = <$kind as $crate::output_schema::OutputSchema>::schema();
                    $(let schema = $crate::output_schema::described(schema, $words);)?
                    properties.insert(name.to_owned(), schema);
                )+
                serde_json::json!({ "type": "object", "properties": properties })
            }
        }
    };
}
pub(crate) use tool_output;

/// The schema with a description.
pub(crate) fn described(mut schema: Value, words: &str) -> Value {
    schema["description"] = words.into();
    schema
}

/// The schema of a result, or of a list in it, without the fields that a tool never sets.
pub(crate) fn without(mut schema: Value, list: Option<&str>, fields: &[&str]) -> Value {
    let object = match list {
        Some(list) => &mut schema["properties"][list]["items"],
        None => &mut schema,
    };
    if let Some(properties) = object["properties"].as_object_mut() {
        properties.retain(|name, _| !fields.contains(&name.as_str()));
    }
    schema
}
