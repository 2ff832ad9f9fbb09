//! Island of live pages. It knows nothing about their content: when the server reports a change, it
//! fetches the page again and replaces the regions that differ.
//!
//! ```text
//! <main data-events=… data-seq=…> ──► EventSource ── a number ──► GET this page?live=1 ──► [data-region] by [data-region]
//! ```
//! The browser renders nothing itself, so its bundle contains no views. Without scripts the page is
//! reloaded by the browser, or by the person.

#[cfg(feature = "hydrate")]
mod region;
#[cfg(feature = "hydrate")]
mod sound;
#[cfg(feature = "hydrate")]
mod subscribe;
#[cfg(feature = "hydrate")]
mod tick;

use leptos::prelude::*;

/// Connection state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "hydrate"),
    expect(dead_code, reason = "only a browser listens")
)]
enum Connection {
    /// Not connected: no script yet, or nothing to follow.
    #[default]
    Quiet,
    /// Connected.
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
}

impl Line {
    fn words(&self) -> String {
        match self.connection {
            Connection::Quiet => String::new(),
            Connection::Open if !self.silent.is_empty() => {
                format!("Not up to date: this is how it stood at {}.", self.as_of)
            }
            Connection::Open => "Live".to_owned(),
            Connection::Lost => {
                format!(
                    "Connection lost. This is how it stood at {}; trying to connect again.",
                    self.as_of
                )
            }
            Connection::Closed => {
                format!(
                    "Connection lost. This is how it stood at {}; please reload the page.",
                    self.as_of
                )
            }
        }
    }

    const fn state(&self) -> Option<&'static str> {
        match self.connection {
            Connection::Quiet => None,
            Connection::Open if !self.silent.is_empty() => Some("silent"),
            Connection::Open => Some("open"),
            Connection::Lost | Connection::Closed => Some("lost"),
        }
    }

    fn updated(&self) -> String {
        if self.connection == Connection::Open && self.silent.is_empty() {
            format!("Updated {} ago.", self.age)
        } else {
            String::new()
        }
    }

    fn more(&self) -> String {
        if self.held == 1 {
            "1 change – show".to_owned()
        } else {
            format!("{} changes – show", self.held)
        }
    }
}

/// Keeps the page's regions up to date, and shows their age.
#[island]
pub fn Live() -> impl IntoView {
    let line = RwSignal::new(Line::default());
    #[cfg(feature = "hydrate")]
    subscribe::begin(line);
    let show = move |_| {
        #[cfg(feature = "hydrate")]
        subscribe::show();
    };
    view! {
        <div class="live-line">
            <p class="connection" role="status" data-state=move || line.with(Line::state)>
                {move || line.with(Line::words)}
            </p>
            <p class="age">{move || line.with(Line::updated)}</p>
            <button type="button" class="quiet held" hidden=move || line.with(|line| line.held == 0) on:click=show>
                {move || line.with(Line::more)}
            </button>
        </div>
    }
}
