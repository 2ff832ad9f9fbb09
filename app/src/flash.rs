//! Flash message: shown once on the page after a redirect.

use dewy_domain::ports::Authenticator;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

const KEY: &str = "flash";

/// Message about a completed action, with a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flash {
    pub text: String,
    pub link: Option<(String, String)>,
    #[serde(default)]
    pub undo: Option<Undo>,
}

/// Form that undoes a completed action with one click.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Undo {
    /// Path it posts to.
    pub action: String,
    /// Label of its button for screen readers: `Undo the check-in of Beth Gibbs`.
    pub label: String,
    /// Names and values of its hidden fields.
    pub fields: Vec<(String, String)>,
}

impl From<String> for Flash {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl Flash {
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            link: None,
            undo: None,
        }
    }

    #[must_use]
    pub fn link(mut self, href: impl Into<String>, words: &str) -> Self {
        self.link = Some((href.into(), words.to_owned()));
        self
    }

    /// Adds a button that undoes the action.
    #[must_use]
    pub fn undo(mut self, undo: Undo) -> Self {
        self.undo = Some(undo);
        self
    }

    /// Stores it for the next page.
    pub async fn put(&self, authenticator: &dyn Authenticator) {
        if let Ok(text) = serde_json::to_string(self) {
            authenticator.save_in_session(KEY, text).await;
        }
    }

    /// Takes the stored message, if any.
    pub async fn take(authenticator: &dyn Authenticator) -> Option<Self> {
        serde_json::from_str(&authenticator.take_from_session(KEY).await?).ok()
    }

    pub fn view(self) -> impl IntoView {
        let link = self
            .link
            .map(|(href, words)| view! { " " <a href=href>{words}</a> });
        let undo = self.undo.map(|undo| {
            let fields = undo
                .fields
                .into_iter()
                .map(|(name, value)| view! { <input type="hidden" name=name value=value /> });
            view! {
                <form class="tap" method="post" action=undo.action>
                    {fields.collect_view()}
                    <button class="quiet" aria-label=undo.label>"Undo"</button>
                </form>
            }
        });
        view! { <div class="flash" role="status"><p>{self.text} {link}</p> {undo}</div> }
    }
}
