//! What went wrong with a form, at the top of its page.

use leptos::prelude::*;

use crate::form_draft::FormDraft;

/// The summary of problems: read out at once, focused, and leading to the fields.
#[component]
pub fn ProblemPanel(
    /// The form that failed.
    draft: FormDraft,
) -> impl IntoView {
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
            {(!draft.message.is_empty()).then(|| view! { <p>{draft.message}</p> })}
            {problems}
            {follow}
        </div>
    }
    .into_any()
}
