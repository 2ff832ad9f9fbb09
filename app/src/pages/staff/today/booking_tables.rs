//! Today's lists as tables; on a phone one panel per booking.

use super::{
    booking_entry::{Entry, List, NextAction},
    check_in::check_in_form,
    check_out_handler::settled_button,
};
use crate::pages::{prelude::*, staff::board::nights};

/// Requested lists: without a filter the remaining entries, with one all of them.
pub fn lists(
    request: &PageRequest,
    show: &str,
    entries: Vec<Entry>,
    token_generator: &TokenGenerator,
) -> AnyView {
    let back = match request.query_param("show") {
        Some(show @ ("arrivals" | "departures" | "in-house")) => {
            format!("{}?show={show}", page_url::TODAY)
        }
        _ => page_url::TODAY.to_owned(),
    };
    let of = |list: List, all: bool| {
        let mut some: Vec<Entry> = entries
            .iter()
            .filter(|e| e.lists.contains(&list) && (all || !e.done))
            .cloned()
            .collect();
        some.sort_by_key(|e| {
            (
                e.done,
                e.standing.state() != "overdue",
                e.booking.room_number.clone(),
            )
        });
        some
    };
    let part = |list: List, all: bool| {
        let (id, title, empty) = match list {
            List::Arrivals => (
                "arrivals",
                "Arrivals",
                "All of today’s arrivals are checked in.",
            ),
            List::Departures => (
                "departures",
                "Departures",
                "All of today’s departures are checked out.",
            ),
            List::InHouse => (
                "in-house",
                "In house",
                "No guests are staying right now. Guests who check in are listed here.",
            ),
        };
        let some = of(list, all);
        let table = if some.is_empty() {
            view! { <p class="empty">{empty}</p> }.into_any()
        } else {
            table(title, list, some, &back, token_generator)
        };
        section(id, title, table)
    };
    match show {
        "arrivals" => part(List::Arrivals, true),
        "departures" => part(List::Departures, true),
        "in-house" => part(List::InHouse, true),
        _ => view! {
            {part(List::Arrivals, false)}
            {part(List::Departures, false)}
        }
        .into_any(),
    }
}

fn table(
    title: &'static str,
    list: List,
    entries: Vec<Entry>,
    back: &str,
    token_generator: &TokenGenerator,
) -> AnyView {
    let rows = entries
        .into_iter()
        .map(|entry| row(list, entry, back, token_generator))
        .collect_view();
    view! {
        <ListTable class="day-list" label=title heads=&["Guest", "Room", "Stay", "Status", "Notes", "Next"] act="Next">
            {rows}
        </ListTable>
    }
    .into_any()
}

fn row(list: List, entry: Entry, back: &str, token_generator: &TokenGenerator) -> AnyView {
    let Entry {
        booking,
        standing,
        blocks,
        next,
        or,
        ..
    } = entry;
    let name = booking
        .guest_name
        .clone()
        .unwrap_or_else(|| booking.booking_number.to_string());
    let state = if list == List::Arrivals && booking.booking_status == BookingStatus::CheckedIn {
        ("completed".to_owned(), "Checked in".to_owned())
    } else if list == List::Departures && booking.booking_status == BookingStatus::CheckedOut {
        ("completed".to_owned(), "Checked out".to_owned())
    } else {
        (
            standing.state().to_owned(),
            standing.word(&booking.booking_status),
        )
    };
    let dates = match (booking.check_in_date, booking.check_out_date) {
        (Some(from), Some(to)) => {
            let locale = locale();
            format!("{} – {}", locale.short_day(from), locale.short_day(to))
        }
        _ => String::new(),
    };
    let long = labels::nights(nights(&booking));
    let version = format!(
        "{} {} {:?} {:?}",
        booking.booking_status, dates, booking.room_number, blocks
    );
    let what = blocks
        .into_iter()
        .map(|(bars, text)| {
            let class = if bars { "block" } else { "fact" };
            view! { <p class=class>{bars.then(|| view! { <Icon state="bar" /> })} <span>{text}</span></p> }
        })
        .collect_view();
    let number = booking.booking_number;
    let request = booking
        .special_requests
        .map(|request| view! { <p class="fact wish">"Asks for: " {request}</p> });
    let act = |next: NextAction, id: String| match next {
        NextAction::Go(href, text) => {
            let label = format!("{text}: {name}");
            view! { <a class="button row-act" id=id href=href aria-label=label>{text}</a> }
                .into_any()
        }
        NextAction::CheckOut => settled_button(&number, &name, id, token_generator),
        NextAction::CheckIn => {
            let label = format!("Check in: {name}");
            let button =
                view! { <button class="row-act" id=id aria-label=label>"Check in"</button> };
            check_in_form(&number, back, token_generator, button)
        }
    };
    let first = act(next, format!("next-{number}"));
    let act = match or {
        Some(or) => {
            let second = act(or, format!("or-{number}"));
            view! { <div class="acts-of-row">{first} {second}</div> }.into_any()
        }
        None => first,
    };
    view! {
        <tr data-key=format!("{title}{number}", title = standing_key(list)) data-version=version>
            <th scope="row" data-label="Guest">
                <a id=format!("stay-{}-{}", standing_key(list), page_url::segment(&number)) href=page_url::stay(&number)>{name}</a>
                <small>{number.to_string()}</small>
            </th>
            <td data-label="Room"><span class="room-number">{booking.room_number.map(String::from)}</span></td>
            <td data-label="Stay">{long} " " <small>{dates}</small></td>
            <td data-label="Status"><StatusBadge state=state.0 word=state.1 /></td>
            <td data-label="Notes">{what} {request}</td>
            <td data-label="Next" class="act">{act}</td>
        </tr>
    }
    .into_any()
}

const fn standing_key(list: List) -> &'static str {
    match list {
        List::Arrivals => "a-",
        List::Departures => "d-",
        List::InHouse => "h-",
    }
}
