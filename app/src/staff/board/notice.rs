//! What became of the last act, told once at the top of the next page.

use leptos::prelude::*;

use crate::{components::ProblemPanel, gate::Gate, kept::Kept, page::Visit};

/// The note's name in the session.
const NOTE: &str = "notice";

/// Something that was done, and was not done.
#[derive(Clone, Debug)]
pub struct Notice {
    kept: Kept,
    done: Option<String>,
}

impl Notice {
    /// Keeps a sentence for the next page.
    pub async fn put(gate: &Gate, text: String) {
        gate.doorman.put_aside(NOTE, text).await;
    }

    /// What the last act of that form came to. Nothing is taken by the island, which shows regions only.
    pub async fn take(visit: &Visit, form: &str) -> Self {
        if visit.live() {
            return Self { kept: Kept::default(), done: None };
        }
        Self { kept: take_kept(visit, form).await, done: visit.gate.doorman.take_aside(NOTE).await }
    }
}

/// The form of that name, unless the island reads the page.
pub async fn take_kept(visit: &Visit, form: &str) -> Kept {
    if visit.live() { Kept::default() } else { Kept::take(&*visit.gate.doorman, form).await }
}

/// Problem or success, read out at once.
pub fn notice(notice: Notice) -> AnyView {
    let done =
        notice.done.filter(|text| !text.is_empty()).map(|text| view! { <p class="done-note" role="status">{text}</p> });
    view! {
        {done}
        <ProblemPanel kept=notice.kept />
    }
    .into_any()
}
