//! Parameters of a Stripe call, parsed strictly.

use serde_json::{Map, Value};

use super::error_body::Refusal;

/// Decoded parameters: texts, lists and nested objects of them.
#[derive(Clone, Debug, Default)]
pub struct Params(pub Map<String, Value>);

/// Whether a name is among these, which spaces separate.
pub fn listed(names: &str, name: &str) -> bool {
    names.split(' ').any(|known| known == name)
}

impl Params {
    /// Rejects parameters that the sandbox does not simulate, which are all but `names` (separated by spaces); `expand` is
    /// always allowed. [`super::vendor_params`] has rejected those that Stripe does not know.
    ///
    /// # Errors
    /// The parameter's name.
    pub fn only(&self, names: &str) -> Result<(), Refusal> {
        let simulated = |name: &&String| *name == "expand" || listed(names, name);
        match self.0.keys().find(|name| !simulated(name)) {
            None => Ok(()),
            Some(name) => Err(Refusal::not_simulated(name)),
        }
    }

    /// The same for the members of a nested parameter.
    ///
    /// # Errors
    /// The member's name.
    pub fn only_in(&self, outer: &str, names: &str) -> Result<(), Refusal> {
        let inner = match self.0.get(outer) {
            None => return Ok(()),
            Some(Value::Object(inner)) => inner,
            Some(_) => return Err(Refusal::invalid("Invalid object").param(outer)),
        };
        match inner.keys().find(|name| !listed(names, name)) {
            None => Ok(()),
            Some(name) => Err(Refusal::not_simulated(&format!("{outer}[{name}]"))),
        }
    }

    /// Non-empty text.
    ///
    /// # Errors
    /// When it is an object or a list.
    pub fn text(&self, name: &str) -> Result<Option<&str>, Refusal> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.is_empty() => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Refusal::invalid("Invalid string").param(name)),
        }
    }

    /// Member of a nested parameter.
    #[must_use]
    pub fn inner(&self, outer: &str, name: &str) -> Option<&str> {
        self.0.get(outer)?.get(name)?.as_str()
    }

    /// Whole number.
    ///
    /// # Errors
    /// `parameter_invalid_integer`.
    pub fn integer(&self, name: &str) -> Result<Option<i64>, Refusal> {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        let parsed = text.parse().map(Some);
        parsed.map_err(|_| Refusal::integer(&format!("Invalid integer: {text}"), name))
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// Any other value.
    pub fn flag(&self, name: &str) -> Result<Option<bool>, Refusal> {
        match self.text(name)? {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(other) => Err(Refusal::invalid(format!("Invalid boolean: {other}")).param(name)),
        }
    }

    /// One of several values.
    ///
    /// # Errors
    /// Any other value.
    pub fn choice(&self, name: &str, words: &[&str]) -> Result<Option<&str>, Refusal> {
        match self.text(name)? {
            Some(word) if !words.contains(&word) => Err(Refusal::invalid(format!(
                "Invalid {name}: must be one of {}",
                words.join(", ")
            ))
            .param(name)),
            found => Ok(found),
        }
    }

    /// Merges `metadata[...]` into existing metadata: an empty value removes its key, `metadata=`
    /// removes all.
    ///
    /// # Errors
    /// Values that are not texts, names over 40 and values over 500 characters, more than 50
    /// entries.
    pub fn merge_metadata(&self, into: &mut Map<String, Value>) -> Result<(), Refusal> {
        match self.0.get("metadata") {
            None => return Ok(()),
            Some(Value::String(text)) if text.is_empty() => into.clear(),
            Some(Value::Object(given)) => {
                for (name, value) in given {
                    let Value::String(text) = value else {
                        return Err(
                            Refusal::invalid("Metadata values must be strings").param("metadata")
                        );
                    };
                    if name.chars().count() > 40 || text.chars().count() > 500 {
                        return Err(Refusal::invalid(format!("Metadata {name} is too long"))
                            .param("metadata"));
                    }
                    if text.is_empty() {
                        into.remove(name);
                    } else {
                        into.insert(name.clone(), value.clone());
                    }
                }
            }
            Some(_) => return Err(Refusal::invalid("Invalid object").param("metadata")),
        }
        if into.len() > 50 {
            return Err(Refusal::invalid("Metadata can have at most 50 keys").param("metadata"));
        }
        Ok(())
    }

    /// `expand` list.
    #[must_use]
    pub fn expand(&self) -> Vec<String> {
        match self.0.get("expand") {
            Some(Value::Array(items)) => items
                .iter()
                .filter_map(Value::as_str)
                .map(str::to_owned)
                .collect(),
            Some(Value::String(one)) => vec![one.clone()],
            _ => Vec::new(),
        }
    }
}
