//! What became of the last act, told once at the top of the next page.

use leptos::prelude::*;

use crate::{
    components::ProblemPanel, flash::Flash, form_draft::FormDraft, page::Visit,
    page_context::PageContext,
};

/// Something that was done, and was not done.
#[derive(Clone, Debug)]
pub struct Notice {
    draft: FormDraft,
    done: Option<Flash>,
}

impl Notice {
    /// Keeps a sentence for the next page, if there is one to say.
    pub async fn put(ctx: &PageContext, text: String) {
        if !text.is_empty() {
            Flash::new(text).put(&*ctx.authenticator).await;
        }
    }

    /// What the last act of that form came to. Nothing is taken by the island, which shows regions
    /// only.
    pub async fn take(visit: &Visit, form: &str) -> Self {
        if visit.live() {
            return Self {
                draft: FormDraft::default(),
                done: None,
            };
        }
        Self {
            draft: take_kept(visit, form).await,
            done: Flash::take(&*visit.ctx.authenticator).await,
        }
    }
}

/// The form of that name, unless the island reads the page.
pub async fn take_kept(visit: &Visit, form: &str) -> FormDraft {
    if visit.live() {
        FormDraft::default()
    } else {
        FormDraft::take(&*visit.ctx.authenticator, form).await
    }
}

/// Problem or success, read out at once.
pub fn notice(notice: Notice) -> AnyView {
    view! {
        {notice.done.map(Flash::view)}
        <ProblemPanel draft=notice.draft />
    }
    .into_any()
}
