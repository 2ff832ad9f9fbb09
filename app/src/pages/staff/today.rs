//! Today board: arrivals, departures, in-house guests; what blocks each, and the next action.

mod booking_entry;
mod booking_tables;
mod charts;
pub mod check_in;
pub mod check_out_handler;
mod crew_home;
mod crew_rooms;
mod day_counts;
mod rooms_to_clean;
mod running_executions;

use self::{
    booking_entry::entry, day_counts::Counts, rooms_to_clean::rooms_to_clean,
    running_executions::runs,
};
use super::{
    board::{
        Notice, crew_role, double_bookings, notice, read_snapshot, subscribe, truncation_notice,
    },
    new_booking::walk_in,
    rooms,
};
use crate::pages::prelude::*;

pub const FORM: &str = "today";

/// Staff home page: the today board, or a short task list for housekeeping and maintenance.
pub async fn today_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Staff).await?;
    if let Some(role) = crew_role(&user) {
        return crew_home::page(&request, &user, role).await;
    }
    let snapshot = read_snapshot(&request, &user).await?;
    let flash_notice = Notice::take(&request, FORM).await;
    let room_notice = Notice::take(&request, rooms::FORM).await;
    let content = board(&request, &user, &snapshot).await?;
    let content = view! {
        {notice(flash_notice)}
        {notice(room_notice)}
        <header class="beside">
            <h1>"Today"</h1>
            <a class="button" href=walk_in::PAGE data-press="n">"Walk-in"</a>
        </header>
        <p class="lead">{day(&snapshot.today.to_string())}</p>
        {content}
        {truncation_notice(&snapshot)}
    };
    Ok(PageLayout::new("Today")
        .who(&user)
        .follows(subscribe(&snapshot))
        .staff(content))
}

async fn board(
    request: &PageRequest,
    user: &SignedIn,
    snapshot: &HotelSnapshot,
) -> Result<AnyView, PageError> {
    let running = runs(request, user).await?;
    let show = request.query_param("show").unwrap_or_default();
    let counts = Counts::of(snapshot);
    let entries: Vec<_> = snapshot
        .bookings
        .iter()
        .filter_map(|booking| entry(booking, snapshot, &running))
        .collect();
    let lists = booking_tables::lists(request, show, entries, &request.ctx.token_generator);
    let to_clean = show
        .is_empty()
        .then(|| rooms_to_clean(snapshot, &request.ctx.token_generator));
    Ok(view! {
        <div data-region="booked-twice">{double_bookings(snapshot)}</div>
        <div data-region="counts">{counts.shown(show)}</div>
        <div class="day">
            <div class="day-lists" data-region="lists" data-rows="">{lists} {to_clean}</div>
            <div class="day-charts" data-region="charts">
                {charts::tonight(snapshot)}
                {charts::revenue(snapshot)}
            </div>
        </div>
    }
    .into_any())
}
