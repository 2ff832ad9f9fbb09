//! Answer of the model.

use serde_json::{Map, Value};

use super::tokenizer::one_of;

/// Answer: text, or parallel calls, perhaps with a text before them.
#[derive(Clone, Debug, Default)]
pub struct ModelAnswer {
    pub text: String,
    pub calls: Vec<Call>,
}

impl ModelAnswer {
    pub fn words(text: String) -> Self {
        let calls = Vec::new();
        Self { text, calls }
    }

    /// Calls without a text.
    pub fn calls(calls: Vec<Call>) -> Self {
        let text = String::new();
        Self { text, calls }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Call {
    pub tool: String,
    pub arguments: Map<String, Value>,
}

impl Call {
    /// Call without arguments.
    pub fn to(tool: &str) -> Self {
        let (tool, arguments) = (tool.to_owned(), Map::new());
        Self { tool, arguments }
    }

    /// Adds an argument if there is a value.
    #[must_use]
    pub fn with<T: Into<Value>>(mut self, name: &str, value: Option<T>) -> Self {
        self.arguments
            .extend(value.map(|value| (name.to_owned(), value.into())));
        self
    }

    /// Keeps only the arguments in a list separated by spaces.
    #[must_use]
    pub fn only(mut self, names: &str) -> Self {
        self.arguments.retain(|name, _| one_of(name, names));
        self
    }
}
