//! Result of the last action, shown once at the top of the next page.

use crate::{pages::prelude::*, tool_form::execution_page};

/// Success or failure of an action.
#[derive(Clone, Debug)]
pub struct Notice {
    draft: FormDraft,
    done: Option<Flash>,
}

impl Notice {
    /// Stores a message for the next page, unless it is empty, with its link, or else one to the
    /// record.
    pub async fn put(ctx: &PageContext, flash: Flash, record: Option<String>) {
        if flash.text.is_empty() {
            return;
        }
        let flash = match record.filter(|_| flash.link.is_none()) {
            Some(id) => flash.link(execution_page(Persona::Staff, &id), "Details"),
            None => flash,
        };
        flash.put(&*ctx.authenticator).await;
    }

    /// Result of the form's last action. The island doesn't take it, because it shows only regions.
    pub async fn take(request: &PageRequest, form: &str) -> Self {
        if request.live() {
            return Self {
                draft: FormDraft::default(),
                done: None,
            };
        }
        Self {
            draft: take_kept(request, form).await,
            done: Flash::take(&*request.ctx.authenticator).await,
        }
    }
}

/// Stored form with that name, unless the island fetches the page.
pub async fn take_kept(request: &PageRequest, form: &str) -> FormDraft {
    if request.live() {
        FormDraft::default()
    } else {
        FormDraft::take(&*request.ctx.authenticator, form).await
    }
}

/// Error or success, announced by screen readers at once.
pub fn notice(notice: Notice) -> AnyView {
    view! {
        {notice.done.map(Flash::view)}
        <ErrorSummary draft=notice.draft />
    }
    .into_any()
}
