//! Whether the page still hears from the server.

use dewy_domain::view::ExecutionView;
use jiff::Timestamp;
use leptos::prelude::*;

use crate::words;

/// The state of the live connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "hydrate"), expect(dead_code, reason = "only a browser connects"))]
pub enum Connection {
    /// Nothing to hear: not connected yet, or at rest.
    Quiet,
    /// Live.
    Open,
    /// Lost; the browser tries again by itself.
    Lost,
    /// Lost for good.
    Closed,
}

impl Connection {
    /// What a person should know about it.
    pub fn words(self, as_of: Timestamp) -> String {
        match self {
            Self::Quiet => String::new(),
            Self::Open => "Live: this page changes by itself.".to_owned(),
            Self::Lost => format!(
                "Connection lost. This is how it stood at {}; trying to connect again.",
                words::clock_time(as_of)
            ),
            Self::Closed => format!(
                "Connection lost. This is how it stood at {}; please reload the page.",
                words::clock_time(as_of)
            ),
        }
    }
}

/// The line that says so.
pub fn connection_line(now: RwSignal<ExecutionView>, connection: RwSignal<Connection>) -> impl IntoView {
    let lost = move || matches!(connection.get(), Connection::Lost | Connection::Closed).then_some("");
    let words = move || connection.get().words(now.with(|view| view.updated_at));
    view! {
        <p class="connection" role="status" data-lost=lost>
            {words}
        </p>
    }
}
