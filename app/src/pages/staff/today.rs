//! Today board: arrivals, departures, in-house guests; what blocks each, and the next action.

mod booking_entry;
mod booking_tables;
mod charts;
mod check_in;
mod counts;
mod crew_home;
mod crew_rooms;
mod running_executions;

use dewy_domain::{
    caller::Persona,
    ports::{HotelSnapshot, SignedIn},
};
use leptos::prelude::*;

pub use self::check_in::{desk_check_in_path, undo_check_in_path};
use self::{booking_entry::entry, counts::Counts, running_executions::runs};
use super::board::{Notice, crew_role, cut_note, follow, notice, read_snapshot};
use crate::{
    dates::day,
    layout::PageLayout,
    render_page::{PageError, PageRequest, page},
};

/// Path of the board.
pub const PAGE: &str = "/staff";
/// Session key of its actions.
pub const FORM: &str = "today";

/// Staff home page: the today board, or a short task list for housekeeping and maintenance.
#[component]
pub fn TodayPage() -> impl IntoView {
    page(|visit: PageRequest| async move {
        let who = visit.signed_in(Persona::Staff).await?;
        if let Some(role) = crew_role(&who) {
            return crew_home::page(&visit, &who, role).await;
        }
        let snapshot = read_snapshot(&visit, &who).await?;
        let told = Notice::take(&visit, FORM).await;
        let content = board(&visit, &who, &snapshot).await?;
        let content = view! {
            {notice(told)}
            <h1>"Today"</h1>
            <p class="lead">{day(&snapshot.today.to_string())}</p>
            {content}
            {cut_note(&snapshot)}
        };
        Ok(PageLayout::new("Today")
            .who(&who)
            .follows(follow(&snapshot))
            .staff(content))
    })
}

async fn board(
    visit: &PageRequest,
    who: &SignedIn,
    snapshot: &HotelSnapshot,
) -> Result<AnyView, PageError> {
    let running = runs(visit, who).await?;
    let show = visit.query_param("show").unwrap_or_default();
    let counts = Counts::of(snapshot);
    let entries: Vec<_> = snapshot
        .bookings
        .iter()
        .filter_map(|booking| entry(booking, snapshot, &running))
        .collect();
    let lists = booking_tables::lists(visit, show, entries, &visit.ctx.mint);
    Ok(view! {
        <div data-region="counts">{counts.shown(show)}</div>
        <div class="day">
            <div class="day-lists" data-region="lists" data-rows="">{lists}</div>
            <div class="day-charts" data-region="charts">
                {charts::tonight(snapshot)}
                {charts::revenue(snapshot)}
            </div>
        </div>
    }
    .into_any())
}
