//! What became of the last act, told once at the top of the next page.

use leptos::prelude::*;

use crate::{components::ProblemPanel, flash::Flash, gate::Gate, kept::Kept, page::Visit};

/// Something that was done, and was not done.
#[derive(Clone, Debug)]
pub struct Notice {
    kept: Kept,
    done: Option<Flash>,
}

impl Notice {
    /// Keeps a sentence for the next page, if there is one to say.
    pub async fn put(gate: &Gate, text: String) {
        if !text.is_empty() {
            Flash::new(text).put(&*gate.doorman).await;
        }
    }

    /// What the last act of that form came to. Nothing is taken by the island, which shows regions only.
    pub async fn take(visit: &Visit, form: &str) -> Self {
        if visit.live() {
            return Self { kept: Kept::default(), done: None };
        }
        Self { kept: take_kept(visit, form).await, done: Flash::take(&*visit.gate.doorman).await }
    }
}

/// The form of that name, unless the island reads the page.
pub async fn take_kept(visit: &Visit, form: &str) -> Kept {
    if visit.live() { Kept::default() } else { Kept::take(&*visit.gate.doorman, form).await }
}

/// Problem or success, read out at once.
pub fn notice(notice: Notice) -> AnyView {
    view! {
        {notice.done.map(Flash::view)}
        <ProblemPanel kept=notice.kept />
    }
    .into_any()
}
