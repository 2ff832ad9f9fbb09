//! Finds a field that occurs twice in one object. Programs differ in which of the two they read, so a
//! message with both says two things.

use std::{cell::RefCell, collections::HashSet, fmt};

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Longest name that an answer repeats.
const MAX_NAME: usize = 100;

/// Name of the first repeated field of a JSON text, at any depth, cut to what an answer can show.
/// `None` also if the text is not JSON.
pub fn repeated_field(json: &[u8]) -> Option<String> {
    let found = RefCell::new(None);
    let _ = Fields(&found).deserialize(&mut serde_json::Deserializer::from_slice(json));
    found.into_inner()
}

/// Visits a value; what it finds is noted here.
#[derive(Clone, Copy)]
struct Fields<'a>(&'a RefCell<Option<String>>);

impl<'de> DeserializeSeed<'de> for Fields<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Fields<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut names = HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if names.contains(&name) {
                let shown = || name.chars().take(MAX_NAME).collect();
                self.0.borrow_mut().get_or_insert_with(shown);
                map.next_value::<IgnoredAny>()?;
            } else {
                names.insert(name);
                map.next_value_seed(self)?;
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        while items.next_element_seed(self)?.is_some() {}
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_occurs_twice_is_found_at_any_depth() {
        let found = |json: &str| repeated_field(json.as_bytes());
        let name = |name: &str| Some(name.to_owned());
        assert_eq!(found(r#"{"a": 1, "b": {"a": [true, null, 1.5]}}"#), None);
        assert_eq!(found(r#"{"a": 1, "a": 1}"#), name("a"));
        assert_eq!(
            found(r#"{"p": [{"q": {"x": "", "y": -1, "x": 2}}]}"#),
            name("x")
        );
        assert_eq!(
            found(r#"{"room_number": 1, "room\u005fnumber": 2}"#),
            name("room_number")
        );
        assert_eq!(found(""), None);
    }
}
