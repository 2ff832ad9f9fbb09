//! One sentence that the next page says once: what a form did, after the browser was sent on.

use dewy_domain::ports::Authenticator;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// Its place in the session.
const KEY: &str = "flash";

/// What was done, and where to see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flash {
    /// In a sentence.
    pub text: String,
    /// A link and its words.
    pub link: Option<(String, String)>,
}

impl Flash {
    /// A sentence.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            link: None,
        }
    }

    /// With a link.
    #[must_use]
    pub fn link(mut self, href: impl Into<String>, words: &str) -> Self {
        self.link = Some((href.into(), words.to_owned()));
        self
    }

    /// Puts it aside for the page that comes next.
    pub async fn put(&self, authenticator: &dyn Authenticator) {
        if let Ok(text) = serde_json::to_string(self) {
            authenticator.put_aside(KEY, text).await;
        }
    }

    /// Takes it, if there is one.
    pub async fn take(authenticator: &dyn Authenticator) -> Option<Self> {
        serde_json::from_str(&authenticator.take_aside(KEY).await?).ok()
    }

    /// As the page says it.
    pub fn view(self) -> impl IntoView {
        let link = self
            .link
            .map(|(href, words)| view! { " " <a href=href>{words}</a> });
        view! { <p class="flash" role="status">{self.text} {link}</p> }
    }
}
