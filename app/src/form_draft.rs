//! Failed form, kept in the session until its page is shown again. Never in the URL, and never with
//! a secret.

use std::collections::BTreeMap;

use dewy_domain::{answer::Problem, ports::Authenticator};
use serde::{Deserialize, Serialize};

/// Entered values and their errors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormDraft {
    /// Fields to show again; never passwords or codes.
    pub fields: BTreeMap<String, String>,
    /// Title of the error; empty when there is none.
    pub title: String,
    /// Further explanation.
    pub message: String,
    /// Errors by field.
    pub problems: Vec<Problem>,
    /// Alternative: link and its label.
    pub follow: Option<(String, String)>,
}

impl FormDraft {
    /// Form that failed as a whole.
    pub fn failed(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            ..Self::default()
        }
    }

    /// Form with one invalid field.
    pub fn wrong(field: &str, message: impl Into<String>) -> Self {
        let problem = Problem {
            field: field.to_owned(),
            message: message.into(),
        };
        Self {
            title: "Please check what you entered".to_owned(),
            problems: vec![problem],
            ..Self::default()
        }
    }

    /// Adds another invalid field.
    #[must_use]
    pub fn and_wrong(mut self, field: &str, message: impl Into<String>) -> Self {
        let Self {
            title, problems, ..
        } = Self::wrong(field, message);
        self.title = title;
        self.problems.extend(problems);
        self
    }

    /// Adds a value.
    #[must_use]
    pub fn field(mut self, name: &str, value: impl Into<String>) -> Self {
        self.fields.insert(name.to_owned(), value.into());
        self
    }

    /// Adds an explanation.
    #[must_use]
    pub fn because(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Entered value of a field.
    pub fn value(&self, name: &str) -> String {
        self.fields.get(name).cloned().unwrap_or_default()
    }

    /// Error of a field.
    pub fn problem(&self, name: &str) -> Option<String> {
        self.problems
            .iter()
            .find(|p| p.field == name)
            .map(|p| p.message.clone())
    }

    /// Stores the form under its name.
    pub async fn put(&self, authenticator: &dyn Authenticator, form: &str) {
        if let Ok(text) = serde_json::to_string(self) {
            authenticator.put_aside(form, text).await;
        }
    }

    /// Takes the form with that name, or an empty one.
    pub async fn take(authenticator: &dyn Authenticator, form: &str) -> Self {
        let text = authenticator.take_aside(form).await;
        text.and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    }
}
