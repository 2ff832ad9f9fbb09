//! Flash message: shown once on the page after a redirect.

use dewy_domain::ports::Authenticator;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// Session key.
const KEY: &str = "flash";

/// Message about a completed action, with a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flash {
    /// Sentence.
    pub text: String,
    /// Link and its label.
    pub link: Option<(String, String)>,
}

impl Flash {
    /// Creates a message.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            link: None,
        }
    }

    /// Adds a link.
    #[must_use]
    pub fn link(mut self, href: impl Into<String>, words: &str) -> Self {
        self.link = Some((href.into(), words.to_owned()));
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

    /// Rendered message.
    pub fn view(self) -> impl IntoView {
        let link = self
            .link
            .map(|(href, words)| view! { " " <a href=href>{words}</a> });
        view! { <p class="flash" role="status">{self.text} {link}</p> }
    }
}
