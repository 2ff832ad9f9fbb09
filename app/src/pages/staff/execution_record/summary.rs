//! Caller, place, time, and every id.

use dewy_domain::execution_view::ExecutionView;
use leptos::prelude::*;

use crate::{components::Timestamp, labels};

/// Caller, subject and time.
pub fn facts(view: &ExecutionView) -> AnyView {
    let texts = [
        ("Guest", view.guest_email.clone().map(String::from)),
        ("Booking", view.booking_number.clone().map(Into::into)),
        ("Room", view.room_number.clone().map(Into::into)),
        ("Asked by", view.asked_by.as_deref().map(labels::asked_by)),
    ];
    let texts = texts
        .into_iter()
        .filter_map(|(name, value)| value.map(|value| (name, value)));
    let texts = texts
        .map(|(name, value)| view! { <div><dt>{name}</dt> <dd>{value}</dd></div> })
        .collect_view();
    let triggers = (!view.triggers.is_empty()).then(|| {
        let items = view
            .triggers
            .iter()
            .map(|user| view! { <li>{labels::asked_by(user)}</li> })
            .collect_view();
        view! { <div><dt>"Undoing asked for by"</dt> <dd><ul>{items}</ul></dd></div> }
    });
    view! {
        <dl class="facts">
            {texts}
            <div><dt>"Accepted"</dt> <dd><Timestamp at=view.created_at /></dd></div>
            <div><dt>"Last change"</dt> <dd><Timestamp at=view.updated_at /></dd></div>
            {triggers}
        </dl>
    }
    .into_any()
}

/// Internal and external ids; one click selects a whole id.
pub fn ids(view: &ExecutionView) -> AnyView {
    let own = ("This execution".to_owned(), view.execution_id.clone());
    let all = [own].into_iter().chain(
        view.ids
            .iter()
            .filter(|(_, id)| *id != view.execution_id)
            .cloned(),
    );
    let row = |(what, id): (String, String)| {
        let shown = if id.starts_with("exe_") && id != view.execution_id {
            let href = format!("/staff/executions/{id}");
            view! { <a href=href><code>{id}</code></a> }.into_any()
        } else {
            view! { <code class="id">{id}</code> }.into_any()
        };
        view! { <div><dt>{what}</dt> <dd>{shown}</dd></div> }
    };
    view! { <dl class="ids">{all.map(row).collect_view()}</dl> }.into_any()
}
