//! The one island: an execution that is followed while it runs.
//!
//! ```text
//! server ── first view, rendered ──► page ──► island wakes ──► EventSource …/events ──► one ExecutionView per change
//! ```
//! Without a script the page is read again every two seconds instead.

mod connection;
#[cfg(feature = "hydrate")]
mod follow;
mod guest_view;
mod outcome;
#[cfg(feature = "ssr")]
mod refresh;
mod staff_view;

use dewy_domain::view::ExecutionView;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use self::{connection::Connection, guest_view::guest_view, staff_view::staff_view};
#[cfg(feature = "ssr")]
pub use refresh::{Bundle, Refresh};

/// Who reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reader {
    /// A guest: few words, and what to do next.
    Guest,
    /// Staff: everything.
    Staff,
}

/// An execution, live.
#[island]
pub fn LiveExecution(
    /// How it stood when the page was made.
    first: ExecutionView,
    /// Who reads it.
    reader: Reader,
) -> impl IntoView {
    let now = RwSignal::new(first);
    let connection = RwSignal::new(Connection::Quiet);
    #[cfg(feature = "hydrate")]
    follow::follow(reader, now, connection);
    let body = match reader {
        Reader::Guest => guest_view(now, connection),
        Reader::Staff => staff_view(now, connection),
    };
    view! { <div class="execution">{body}</div> }
}
