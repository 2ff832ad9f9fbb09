//! Guest search by any known detail.

use dewy_domain::{hotel_profile::phone_text, tool_output::GuestListItem};

use super::{PAGE, find, guest_rows::Guests};
use crate::pages::{
    prelude::*,
    staff::{
        board::{Notice, notice},
        filters::{Filters, truncation_notice},
        require_front_desk::require_front_desk,
    },
};

pub async fn guests_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    let flash_notice = Notice::take(&request, "guests").await;
    let query = request.query_param("query").unwrap_or_default().to_owned();
    let (found, draft) = match query.as_str() {
        "" => (None, FormDraft::default()),
        query => match find(&request.ctx, &user, query, &request.here).await? {
            Ok(found) => (Some(found), FormDraft::default()),
            Err(draft) => (None, draft),
        },
    };
    let problem = draft.problem("query");
    let links = view! {
        <a class="button quiet" href="/staff/guests/new">"New guest"</a>
        <a class="button quiet" href="/staff/book">"New booking"</a>
    };
    let content = view! {
        {notice(flash_notice)}
        <ErrorSummary draft=draft />
        {Filters::of(&request, PAGE, &["query"]).heading("Guests", links, found.is_some())}
        <form method="get" action=PAGE class="guest-search" role="search" aria-label="Guests">
            <Field name="query" known=Known::Guests label="Name, email, phone, booking or room" value=query.clone() problem=problem />
            <button>"Find"</button>
        </form>
        {found.map(|found| results(found, &query))}
    };
    Ok(PageLayout::new("Guests").who(&user).staff(content))
}

fn results(found: Guests, query: &str) -> AnyView {
    if found.rows.is_empty() {
        let words = if found.cut {
            format!(
                "Too many guests to look through for “{query}”. Give more of it, an email, or a booking number."
            )
        } else {
            format!("No guest matches “{query}”. Try part of the name, or a booking number.")
        };
        return view! { <p class="empty">{words}</p> }.into_any();
    }
    view! {
        <ListTable label="Guests found" heads=&["Guest", "Email", "Phone", "Stays"]>
            {found.rows.into_iter().map(row).collect_view()}
        </ListTable>
        {truncation_notice(found.cut, found.how_to_narrow)}
    }
    .into_any()
}

fn row(guest: GuestListItem) -> impl IntoView {
    let name = guest.name();
    let name = match &guest.guest_email {
        Some(email) => view! { <a href=page_url::guest(email)>{name}</a> }.into_any(),
        None => name.into_any(),
    };
    let stays = guest
        .stays
        .into_iter()
        .map(|stay| {
            let href = page_url::stay(&stay.booking_number);
            let words = format!("Room {}, {}", stay.room_number, stay.booking_status.as_str().to_lowercase());
            view! { <li><a href=href>{stay.booking_number.to_string()}</a> " " <small class="inline">{words}</small></li> }
        })
        .collect_view();
    view! {
        <tr>
            <th scope="row" data-label="What">{name} {guest.loyalty_number.map(|n| view! { <small>{n}</small> })}</th>
            <td data-label="Email">{guest.guest_email.map(String::from)}</td>
            <td data-label="Phone">{guest.phone.as_deref().map(phone_text)}</td>
            <td data-label="Stays"><ul>{stays}</ul></td>
        </tr>
    }
}
