//! All bookings of a guest, with their actions.

use dewy_domain::{
    execution_view::GuestActivity, hotel_calendar::HotelDay, tool_catalog::returns,
    tool_output::CheckOutResult,
};

use super::guest_stay::{GuestStay, Phase};
use crate::pages::prelude::*;

/// Number of executions searched for receipts.
const MAX_EXECUTIONS: usize = 50;

/// Page of a form about a booking, or the list if there can't be a booking with that number.
pub fn act_page(number: &str, act: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if !number.is_empty() && number.bytes().all(plain) {
        page_url::booking(number, act)
    } else {
        "/guest/bookings".to_owned()
    }
}

/// Bookings page; upcoming ones first.
pub async fn bookings_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Guest).await?;
    let today = request.hotel_day()?;
    let feed = &request.ctx.execution_feed;
    let (stays, activities, flash) = futures::join!(
        GuestStay::of_page(&request, &user),
        feed.activities(&user.caller, MAX_EXECUTIONS),
        Flash::take(&*request.ctx.authenticator)
    );
    Ok(PageLayout::new(t!("bookings-title"))
        .who(&user)
        .flash(flash)
        .guest(bookings(stays?, &activities, today)))
}

fn bookings(stays: Vec<GuestStay>, activities: &[GuestActivity], today: HotelDay) -> AnyView {
    let mut groups: [(&str, &str, Vec<GuestStay>); 3] = [
        ("now", t!("bookings-now"), Vec::new()),
        ("ahead", t!("bookings-ahead"), Vec::new()),
        ("before", t!("bookings-before"), Vec::new()),
    ];
    for stay in stays {
        let group = match stay.phase(today) {
            Phase::InHouse | Phase::DueOut => 0,
            Phase::Arriving | Phase::Upcoming(_) | Phase::Unclear => 1,
            Phase::NoShow | Phase::Departed | Phase::Cancelled => 2,
        };
        if let Some((.., list)) = groups.get_mut(group) {
            list.push(stay);
        }
    }
    // Current ones by room, upcoming ones by date; past ones latest first
    if let Some((.., now)) = groups.first_mut() {
        now.sort_by(|one, other| one.room_number.cmp(&other.room_number));
    }
    if let Some((.., ahead)) = groups.get_mut(1) {
        ahead.sort_by_key(|stay| stay.check_in_date);
    }
    let empty = groups.iter().all(|(.., list)| list.is_empty());
    let sections = groups
        .into_iter()
        .filter(|(.., list)| !list.is_empty())
        .map(|(id, title, list)| {
            let items = list
                .iter()
                .map(|stay| entry(stay, activities, today))
                .collect_view();
            section(id, title, view! { <ul class="bookings">{items}</ul> })
        });
    view! {
        <h1>{t!("bookings-title")}</h1>
        <p class="actions">
            <a class="button" href="/guest/book">{t!("bookings-book")}</a>
        </p>
        {empty.then(|| view! { <p class="empty">{t!("bookings-empty")}</p> })}
        {sections.collect_view()}
    }
    .into_any()
}

fn entry(stay: &GuestStay, activities: &[GuestActivity], today: HotelDay) -> AnyView {
    let number = stay.booking_number.clone();
    let phase = stay.phase(today);
    let (state, word) = match phase {
        Phase::Unclear => ("due", stay.booking_status.as_str()),
        Phase::InHouse | Phase::DueOut => ("in_house", t!("status-checked-in")),
        Phase::Arriving => ("due", t!("card-today")),
        Phase::Upcoming(_) => ("reserved", t!("status-reserved")),
        Phase::NoShow => ("skipped", t!("status-no-show")),
        Phase::Departed => ("skipped", t!("status-checked-out")),
        Phase::Cancelled => ("skipped", t!("status-cancelled")),
    };
    let bill = (
        page_url::with_booking("/guest/folio", &number),
        t!("see-bill"),
    );
    let change = (page_url::booking(&number, "change"), t!("change"));
    let cancel = (page_url::booking(&number, "cancel"), t!("cancel"));
    let links = match phase {
        Phase::InHouse | Phase::DueOut => {
            vec![
                bill,
                (
                    page_url::with_booking("/guest/check-out", &number),
                    t!("check-out"),
                ),
                (change.0, t!("stay-longer")),
            ]
        }
        Phase::Arriving => vec![
            (
                page_url::with_booking("/guest/check-in", &number),
                t!("check-in"),
            ),
            change,
            cancel,
        ],
        Phase::Upcoming(_) => vec![change, cancel],
        Phase::Departed => receipt(&number, activities)
            .into_iter()
            .chain([bill])
            .collect(),
        Phase::NoShow | Phase::Cancelled | Phase::Unclear => Vec::new(),
    };
    let links = links.into_iter().map(|(href, words)| {
        view! { <a href=href>{words} <span class="unseen">{t!("bookings-of", number = number.as_str())}</span></a> }
    });
    let what = [
        Some(nights(stay.nights())),
        stay.people(),
        Some(stay.description()).filter(|what| !what.is_empty()),
    ];
    let what = labels::dotted(what);
    view! {
        <li>
            <div class="head">
                <h3>{stay.room()}</h3>
                <StatusBadge state=state word=word />
            </div>
            <p class="dates">{stay.days()}</p>
            <p class="aside">{t!("booking-number", number = stay.booking_number.as_str())} {labels::DOT} {what}</p>
            <p class="ways-row">{links.collect_view()}</p>
        </li>
    }
    .into_any()
}

fn receipt(number: &str, activities: &[GuestActivity]) -> Option<(String, &'static str)> {
    let paid = |activity: &&GuestActivity| {
        returns::<CheckOutResult>(&activity.tool)
            && activity.state == ExecutionState::Completed
            && activity.booking_number.as_deref() == Some(number)
    };
    activities.iter().find(paid).map(|activity| {
        (
            format!("/guest/receipt/{}", activity.execution_id),
            t!("receipt"),
        )
    })
}
