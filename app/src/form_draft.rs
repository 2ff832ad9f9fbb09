//! A form that failed, kept in the session until its page is shown again. Never in the URL, never
//! with a secret.

use std::collections::BTreeMap;

use dewy_domain::{answer::Problem, ports::Authenticator};
use serde::{Deserialize, Serialize};

/// What was entered and what was wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormDraft {
    /// The fields worth showing again; passwords and codes never are.
    pub fields: BTreeMap<String, String>,
    /// What went wrong, in a few words; empty when nothing did.
    pub title: String,
    /// One sentence more.
    pub message: String,
    /// Field by field.
    pub problems: Vec<Problem>,
    /// Where to go instead: link and its text.
    pub follow: Option<(String, String)>,
}

impl FormDraft {
    /// A form that failed as a whole.
    pub fn failed(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            ..Self::default()
        }
    }

    /// One field was wrong.
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

    /// One field more was wrong.
    #[must_use]
    pub fn and_wrong(mut self, field: &str, message: impl Into<String>) -> Self {
        let Self {
            title, problems, ..
        } = Self::wrong(field, message);
        self.title = title;
        self.problems.extend(problems);
        self
    }

    /// Keeps a field.
    #[must_use]
    pub fn field(mut self, name: &str, value: impl Into<String>) -> Self {
        self.fields.insert(name.to_owned(), value.into());
        self
    }

    /// With a sentence more.
    #[must_use]
    pub fn because(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// What was entered there.
    pub fn value(&self, name: &str) -> String {
        self.fields.get(name).cloned().unwrap_or_default()
    }

    /// What was wrong there.
    pub fn problem(&self, name: &str) -> Option<String> {
        self.problems
            .iter()
            .find(|p| p.field == name)
            .map(|p| p.message.clone())
    }

    /// Puts the form aside under its name.
    pub async fn put(&self, authenticator: &dyn Authenticator, form: &str) {
        if let Ok(text) = serde_json::to_string(self) {
            authenticator.put_aside(form, text).await;
        }
    }

    /// Takes the form of that name, or an empty one.
    pub async fn take(authenticator: &dyn Authenticator, form: &str) -> Self {
        let text = authenticator.take_aside(form).await;
        text.and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default()
    }
}
