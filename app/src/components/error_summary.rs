//! Error summary at the top of a form's page.

use leptos::prelude::*;

use crate::form_draft::FormDraft;

/// Summary of errors: focused, announced by screen readers, and linked to the fields.
#[component]
pub fn ErrorSummary(draft: FormDraft) -> impl IntoView {
    if draft.title.is_empty() {
        return ().into_any();
    }
    let follow = draft
        .follow
        .map(|(href, text)| view! { <p><a href=href>{text}</a></p> });
    let problems = (!draft.problems.is_empty()).then(|| {
        let items = draft.problems.into_iter().map(|problem| {
            if problem.field.is_empty() {
                view! { <li>{problem.message}</li> }
            } else {
                view! { <li><a href=format!("#{}", problem.field)>{problem.message}</a></li> }
            }
        });
        view! { <ul>{items.collect_view()}</ul> }
    });
    view! {
        <div class="problem" id="problem" role="alert" tabindex="-1" autofocus>
            <h2>{draft.title}</h2>
            " "
            {(!draft.message.is_empty()).then(|| view! { <p>{draft.message}</p> })}
            {problems}
            {follow}
        </div>
    }
    .into_any()
}
