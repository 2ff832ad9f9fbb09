//! Failed form, kept in the session until its page is shown again. Never in the URL, and never with
//! a secret.

use std::collections::BTreeMap;

use dewy_domain::{
    caller::Caller,
    ports::{Authenticator, SignedIn},
    tool_answer::Problem,
};
use percent_encoding::percent_decode_str;
use serde::{Deserialize, Serialize};

use crate::{language::t, page_context::here};

/// Hidden field that identifies the person a form was rendered for.
pub const FORM_OWNER: &str = "reader";

/// Pseudonymous owner of a form: a draft kept for one person is never shown to another who signs in
/// with the same browser.
pub fn form_owner(person: &Caller) -> String {
    use std::hash::{DefaultHasher, Hasher};
    let mut hasher = DefaultHasher::new();
    hasher.write(person.identity().to_string().as_bytes());
    format!("{:016x}", hasher.finish())
}

/// Entered values and their errors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormDraft {
    /// Fields to show again; never passwords or codes.
    pub fields: BTreeMap<String, String>,
    /// Title of the error; empty when there is none.
    pub title: String,
    pub message: String,
    pub problems: Vec<Problem>,
    /// Alternative: link and its label.
    pub follow: Option<(String, String)>,
    /// Path and query of the only page that shows it; empty when every page with this form does.
    #[serde(default)]
    pub page: String,
}

impl FormDraft {
    /// Form that failed as a whole.
    pub fn failed(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            ..Self::default()
        }
    }

    pub fn invalid_field(field: &str, message: impl Into<String>) -> Self {
        let problem = Problem {
            field: field.to_owned(),
            message: message.into(),
        };
        Self {
            title: t!("draft-check").to_owned(),
            problems: vec![problem],
            ..Self::default()
        }
    }

    #[must_use]
    pub fn and_invalid_field(mut self, field: &str, message: impl Into<String>) -> Self {
        let Self {
            title, problems, ..
        } = Self::invalid_field(field, message);
        self.title = title;
        self.problems.extend(problems);
        self
    }

    /// Adds an invalid field, unless it is good.
    #[must_use]
    pub fn check(self, field: &str, good: bool, message: impl Into<String>) -> Self {
        match good {
            true => self,
            false => self.and_invalid_field(field, message),
        }
    }

    #[must_use]
    pub fn field(mut self, name: &str, value: impl Into<String>) -> Self {
        self.fields.insert(name.to_owned(), value.into());
        self
    }

    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = message.into();
        self
    }

    /// Takes over the values of another form.
    #[must_use]
    pub fn with_fields_of(self, entered: Self) -> Self {
        Self {
            fields: entered.fields,
            ..self
        }
    }

    pub fn value(&self, name: &str) -> String {
        self.fields.get(name).cloned().unwrap_or_default()
    }

    /// Entered value of a field, or another one where nothing was entered.
    pub fn value_or(&self, name: &str, otherwise: &str) -> String {
        let entered = self.fields.get(name).filter(|value| !value.is_empty());
        entered.map_or_else(|| otherwise.to_owned(), Clone::clone)
    }

    pub fn problem(&self, name: &str) -> Option<String> {
        self.problems
            .iter()
            .find(|p| p.field == name)
            .map(|p| p.message.clone())
    }

    /// Stores the form under its name.
    pub async fn put(&self, authenticator: &dyn Authenticator, form: &str) {
        if let Ok(text) = serde_json::to_string(self) {
            authenticator.save_in_session(form, text).await;
        }
    }

    /// Stores the form for one page. Pages about another record have the same form, and must not show it.
    pub async fn put_on(mut self, authenticator: &dyn Authenticator, form: &str, page: &str) {
        page.split('#')
            .next()
            .unwrap_or_default()
            .clone_into(&mut self.page);
        self.put(authenticator, form).await;
    }

    /// Keeps a form that was sent after its session had ended, until its author signs in again.
    pub async fn keep_across_sign_in(self, authenticator: &dyn Authenticator, form: &str) {
        Self::failed(t!("draft-signed-out"))
            .with_message(t!("draft-kept"))
            .with_fields_of(self)
            .put(authenticator, form)
            .await;
    }

    /// Takes the form with that name, unless another person wrote it.
    pub async fn take_own(authenticator: &dyn Authenticator, form: &str, user: &SignedIn) -> Self {
        let draft = Self::take(authenticator, form).await;
        let writer = draft.fields.get(FORM_OWNER);
        if writer.is_some_and(|writer| *writer != form_owner(&user.caller)) {
            return Self::default();
        }
        draft
    }

    /// Takes the form with that name, or an empty one. A form of another page stays in the session.
    pub async fn take(authenticator: &dyn Authenticator, form: &str) -> Self {
        let text = authenticator.take_from_session(form).await;
        let draft: Self = text
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default();
        if draft.page.is_empty() || is_same_page(&draft.page, &here()) {
            return draft;
        }
        draft.put(authenticator, form).await;
        Self::default()
    }
}

/// Whether two addresses are the same, however they are encoded.
fn is_same_page(one: &str, other: &str) -> bool {
    let decoded = |address: &str| {
        let spaced = address.replace('+', " ");
        percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
    };
    decoded(one) == decoded(other)
}

/// Drafts written under an expired session. A sign-in clears the session, so that nothing planted
/// survives it; these few forms are carried over, and shown only to their author.
#[derive(Debug)]
pub struct DraftsAcrossSignIn(Vec<(&'static str, String)>);

/// Forms with long text.
const CARRIED_FORMS: [&str; 2] = ["concierge", "request"];

impl DraftsAcrossSignIn {
    /// Takes the drafts before the sign-in.
    pub async fn take(authenticator: &dyn Authenticator) -> Self {
        let mut kept = Vec::new();
        for form in CARRIED_FORMS {
            kept.extend(
                authenticator
                    .take_from_session(form)
                    .await
                    .map(|text| (form, text)),
            );
        }
        Self(kept)
    }

    /// Restores them after the sign-in, whether or not it succeeded.
    pub async fn put_back(self, authenticator: &dyn Authenticator) {
        for (form, text) in self.0 {
            authenticator.save_in_session(form, text).await;
        }
    }
}
