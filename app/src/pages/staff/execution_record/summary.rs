//! Caller, place, time, and every id.

use crate::{pages::prelude::*, vendor_pages::VendorPages};

/// Caller, subject and time.
pub fn facts(view: &ExecutionView) -> AnyView {
    let subjects = [
        (
            "Guest",
            view.guest_email
                .as_deref()
                .map(|email| (email, page_url::guest(email))),
        ),
        (
            "Booking",
            view.booking_number
                .as_deref()
                .map(|number| (number, page_url::stay(number))),
        ),
        (
            "Room",
            view.room_number
                .as_deref()
                .map(|number| (number, page_url::room(number))),
        ),
    ];
    let subjects = subjects.into_iter().filter_map(|(name, subject)| {
        let (value, href) = subject?;
        Some(view! { <div><dt>{name}</dt> <dd><a href=href>{value.to_owned()}</a></dd></div> })
    });
    let asked_by = view.asked_by.as_deref().map(labels::asked_by);
    let asked_by = asked_by.map(|user| view! { <div><dt>"Asked by"</dt> <dd>{user}</dd></div> });
    let triggers = (!view.triggers.is_empty()).then(|| {
        let items = view
            .triggers
            .iter()
            .map(|user| view! { <li>{labels::asked_by(user)}</li> })
            .collect_view();
        view! { <div><dt>"Compensation requested by"</dt> <dd><ul>{items}</ul></dd></div> }
    });
    view! {
        <dl class="facts">
            {subjects.collect_view()}
            {asked_by}
            <div><dt>"Accepted"</dt> <dd><Timestamp at=view.created_at /></dd></div>
            <div><dt>"Last change"</dt> <dd><Timestamp at=view.updated_at /></dd></div>
            {triggers}
        </dl>
    }
    .into_any()
}

/// Internal and external ids, as links into the systems that know them, with a button that copies.
pub fn ids(view: &ExecutionView) -> AnyView {
    let own = ("This execution".to_owned(), view.execution_id.clone());
    let all = [own].into_iter().chain(
        view.ids
            .iter()
            .filter(|(_, id)| *id != view.execution_id)
            .cloned(),
    );
    let vendors = VendorPages::here();
    let row = |(what, id): (String, String)| {
        let shown = if id.starts_with("exe_") && id != view.execution_id {
            let href = format!("/staff/executions/{id}");
            view! { <a href=href><code>{id}</code></a> }.into_any()
        } else {
            vendors.id(id)
        };
        view! { <div><dt>{what}</dt> <dd>{shown}</dd></div> }
    };
    view! { <dl class="ids">{all.map(row).collect_view()}</dl> }.into_any()
}
