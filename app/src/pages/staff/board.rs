//! Common parts of all boards: one live snapshot of the hotel, the same for everybody.

mod arrival_status;
mod double_bookings;
mod flash_notice;
mod last_change;
mod late_checkout;
mod quick_action;

use std::sync::Arc;

use dewy_domain::{blank_text::is_blank, inventory::RoomFacts};

use crate::{layout::EventStream, pages::prelude::*};

pub use self::{
    arrival_status::{ArrivalStatus, arrival_status, nights},
    double_bookings::double_bookings,
    flash_notice::{Notice, notice, take_kept},
    last_change::ChangedRecord,
    late_checkout::{case_subject, late_until},
    quick_action::{DECLINED_CARDS, QuickAction, STILL_WORKING, failure_reason},
};

/// Snapshot of the hotel, at most a few seconds old.
pub async fn read_snapshot(
    request: &PageRequest,
    user: &SignedIn,
) -> Result<Arc<HotelSnapshot>, PageError> {
    let snapshot = request.ctx.board.snapshot(&user.caller).await;
    snapshot.map_err(|error| {
        let page = ErrorPage::of(error.code, Persona::Staff, &return_url(request));
        page.about(&error.details).into()
    })
}

/// Name of the booking's guest, if the board knows it, or else the booking number.
pub async fn guest_of(ctx: &PageContext, user: &SignedIn, booking_number: &str) -> String {
    guest_and_request(ctx, user, booking_number).await.0
}

/// Name of the booking's guest, as [`guest_of`] gives it, and what the guest asks for.
pub async fn guest_and_request(
    ctx: &PageContext,
    user: &SignedIn,
    booking_number: &str,
) -> (String, Option<String>) {
    let snapshot = ctx.board.snapshot(&user.caller).await.ok();
    let booking = snapshot.as_ref().and_then(|snapshot| {
        let same = |booking: &&BookingRow| booking.booking_number == booking_number;
        snapshot.bookings.iter().find(same)
    });
    let name = booking.and_then(|booking| booking.guest_name.clone());
    let request = booking.and_then(|booking| booking.special_requests.clone());
    let request = request.filter(|request| !is_blank(request));
    (name.unwrap_or_else(|| booking_number.to_owned()), request)
}

pub fn subscribe(snapshot: &HotelSnapshot) -> EventStream {
    EventStream {
        events: Some("/staff/board/events".to_owned()),
        seq: snapshot.seq,
        as_of: Some(snapshot.as_of),
    }
}

/// URL of the page, without the island's parameters.
pub fn return_url(request: &PageRequest) -> String {
    let Some((path, query)) = request.here.split_once('?') else {
        return request.here.clone();
    };
    let query: Vec<_> = query
        .split('&')
        .filter(|pair| !pair.starts_with("live="))
        .collect();
    if query.is_empty() {
        path.to_owned()
    } else {
        format!("{path}?{}", query.join("&"))
    }
}

pub fn room<'a>(snapshot: &'a HotelSnapshot, number: &str) -> Option<&'a RoomFacts> {
    snapshot
        .rooms
        .iter()
        .find(|room| room.room.number == number)
}

/// Notice that a board is truncated, or that a record is incomplete.
pub fn truncation_notice(snapshot: &HotelSnapshot) -> Option<impl IntoView + use<>> {
    let incomplete = incomplete_note(snapshot);
    (!snapshot.cut.is_empty() || incomplete.is_some()).then(|| {
        let what = snapshot.cut.join(" and ");
        let cut = (!what.is_empty()).then(|| {
            view! { <p class="notice">"There are more " {what} " than one board shows. Search for what you miss."</p> }
        });
        view! { {cut} {incomplete} }
    })
}

fn incomplete_note(snapshot: &HotelSnapshot) -> Option<impl IntoView + use<>> {
    const MAX_NAMED: usize = 5;
    let problems = snapshot.problems();
    (!problems.is_empty()).then(|| {
        let more = problems.len().saturating_sub(MAX_NAMED);
        let more = (more > 0).then(|| format!(" And {more} more."));
        let words = problems.into_iter().take(MAX_NAMED).map(|problem| format!("{problem}. ")).collect::<String>();
        view! { <p class="notice">"Incomplete in Salesforce: " {words} "Please fill it in there." {more}</p> }
    })
}

/// Role of staff who don't handle guests' money.
pub fn crew_role(user: &SignedIn) -> Option<Role> {
    user.caller.role.filter(|_| !user.caller.is_front_desk())
}
