//! Island of live pages. It knows nothing about their content: when the server reports a change, it
//! fetches the page again and replaces the regions that differ.
//!
//! ```text
//! <main data-events=… data-seq=…> ──► EventSource ── a number ──► GET this page?live=1 ──► [data-region] by [data-region]
//! ```
//! The browser renders nothing itself, so its bundle contains no views. Without scripts the page is
//! reloaded by the browser, or by the person.

#[cfg(feature = "hydrate")]
mod attention_alert;
#[cfg(feature = "hydrate")]
mod live_times;
#[cfg(feature = "hydrate")]
mod page_stream;
#[cfg(feature = "hydrate")]
mod replace_regions;

use leptos::prelude::*;

/// Place of a value in a sentence.
pub(crate) const PLACEHOLDER: char = '%';

/// Separator of the sentences in the page's `data-words`.
pub(crate) const SEPARATOR: char = '|';

/// Messages of the sentences, and the name of the value in each. The server writes them into the
/// page, so that the bundle needs none.
#[cfg(feature = "ssr")]
pub(crate) const SENTENCES: [(&str, &str); 7] = [
    ("live-on", ""),
    ("live-stale", "time"),
    ("live-lost", "time"),
    ("live-closed", "time"),
    ("live-updated", "age"),
    ("live-change", ""),
    ("live-changes", "count"),
];

/// Connection state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "hydrate"),
    expect(dead_code, reason = "only a browser listens")
)]
enum Connection {
    /// Not connected: no script yet, or nothing to follow.
    #[default]
    Idle,
    Open,
    /// Disconnected; the browser reconnects by itself.
    Lost,
    /// Disconnected for good.
    Closed,
}

/// State shown by the island.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Line {
    connection: Connection,
    /// Time of the shown content, as rendered by the server.
    as_of: String,
    /// Age of the content.
    age: String,
    /// Systems that don't respond; empty when all is well.
    silent: String,
    /// Number of changes held back so that nothing moves under the cursor.
    held: usize,
    /// Sentences in the page's language, in the order of [`SENTENCES`].
    sentences: Vec<String>,
}

impl Line {
    /// A sentence of the page, with a value in its gap.
    fn sentence(&self, place: usize, value: &str) -> String {
        self.sentences
            .get(place)
            .map(|sentence| sentence.replace(PLACEHOLDER, value))
            .unwrap_or_default()
    }

    fn status_text(&self) -> String {
        match self.connection {
            Connection::Idle => String::new(),
            Connection::Open if !self.silent.is_empty() => self.sentence(1, &self.as_of),
            Connection::Open => self.sentence(0, ""),
            Connection::Lost => self.sentence(2, &self.as_of),
            Connection::Closed => self.sentence(3, &self.as_of),
        }
    }

    const fn state(&self) -> Option<&'static str> {
        match self.connection {
            Connection::Idle => None,
            Connection::Open if !self.silent.is_empty() => Some("silent"),
            Connection::Open => Some("open"),
            Connection::Lost | Connection::Closed => Some("lost"),
        }
    }

    fn updated(&self) -> String {
        if self.connection == Connection::Open && self.silent.is_empty() {
            self.sentence(4, &self.age)
        } else {
            String::new()
        }
    }

    fn more(&self) -> String {
        let place = if self.held == 1 { 5 } else { 6 };
        self.sentence(place, &self.held.to_string())
    }
}

/// Keeps the page's regions up to date, and shows their age.
#[island]
pub fn LivePage() -> impl IntoView {
    let line = RwSignal::new(Line::default());
    #[cfg(feature = "hydrate")]
    page_stream::begin(line);
    let show = move |_| {
        #[cfg(feature = "hydrate")]
        page_stream::show();
    };
    view! {
        <div class="live-line">
            <p class="connection" role="status" data-state=move || line.with(Line::state)>
                {move || line.with(Line::status_text)}
            </p>
            <p class="age">{move || line.with(Line::updated)}</p>
            <button type="button" class="quiet held" hidden=move || line.with(|line| line.held == 0) on:click=show>
                {move || line.with(Line::more)}
            </button>
        </div>
    }
}
