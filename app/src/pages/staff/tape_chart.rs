//! Tape chart: rooms by days, bookings as bars. The bars are cells of a real table, so that screen
//! readers get the same information; narrow screens show a list first.

mod booking_bars;
mod booking_list;
mod table;

use jiff::ToSpan;

use self::booking_bars::bars;
use super::{
    board::{read_snapshot, subscribe, truncation_notice},
    require_front_desk::require_front_desk,
};
use crate::{islands::DragAndDrop, pages::prelude::*};

const PAGE: &str = "/staff/tape";
const DAYS: i32 = 14;
/// Range of the snapshot: one week back and four weeks ahead.
const DAYS_BACK: i32 = 7;
const DAYS_AHEAD: i32 = 28;

/// Two weeks from the date in the URL.
pub async fn tape_page(request: PageRequest) -> PageResult {
    let user = require_front_desk(&request).await?;
    let snapshot = read_snapshot(&request, &user).await?;
    let from = first_day(request.query_param("from"), snapshot.today);
    let days = days(from);
    let bars = bars(&snapshot, &days);
    let content = view! {
        <h1>"Tape chart"</h1>
        {week_links(&snapshot, from)}
        {legend()}
        <p class="aside drag-hint">"Drag a booking to another room or day, or its end to another night: you see what that does before anything changes."</p>
        <DragAndDrop />
        <div data-region="tape-list">{booking_list::list(&bars, &snapshot)}</div>
        <div data-region="tape" data-rows="">{table::chart(&bars, &days, &snapshot)}</div>
        {truncation_notice(&snapshot)}
    };
    Ok(PageLayout::new("Tape chart")
        .who(&user)
        .follows(subscribe(&snapshot))
        .staff(content))
}

/// First day: the requested one, within the range of the snapshot; by default yesterday, so that
/// overdue departures are visible.
fn first_day(asked: Option<&str>, today: Date) -> Date {
    let ahead = |days: i32| today.checked_add(days.days()).unwrap_or(today);
    let asked = asked
        .and_then(|text| text.parse::<Date>().ok())
        .unwrap_or_else(|| ahead(-1));
    asked.clamp(ahead(-DAYS_BACK), ahead(DAYS_AHEAD - DAYS))
}

fn days(from: Date) -> Vec<Date> {
    (0..DAYS)
        .filter_map(|n| from.checked_add(n.days()).ok())
        .collect()
}

fn week_links(snapshot: &HotelSnapshot, from: Date) -> AnyView {
    let to = |days: i32| {
        let asked = from.checked_add(days.days()).unwrap_or(from).to_string();
        let day = first_day(Some(&asked), snapshot.today);
        (day != from).then(|| format!("{PAGE}?from={day}"))
    };
    let step = |href: Option<String>, text: &'static str| {
        href.map(|href| view! { <li><a href=href>{text}</a></li> })
    };
    let last = from.checked_add((DAYS - 1).days()).unwrap_or(from);
    view! {
        <p class="lead">{day(&from.to_string())} " to " {day(&last.to_string())}</p>
        <nav aria-label="Days">
            <ul class="filters">
                {step(to(-7), "← A week earlier")}
                <li><a href=PAGE>"Today"</a></li>
                {step(to(7), "A week later →")}
            </ul>
        </nav>
    }
    .into_any()
}

fn legend() -> AnyView {
    let entries = [
        ("overdue", "Overdue"),
        ("due", "Arrives or leaves today"),
        ("in_house", "In house"),
        ("to_come", "To come"),
        ("over", "Left"),
        ("out", "Out of order"),
    ];
    let items = entries.map(|(state, word)| {
        view! { <li data-state=state><crate::components::Icon state=state /> {word}</li> }
    });
    view! { <ul class="tape-legend" aria-label="Colors and signs">{items.into_iter().collect_view()}</ul> }.into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chart_never_leaves_the_known_dates() {
        let today: Date = "2026-11-20".parse().unwrap();
        for (asked, first) in [
            (None, "2026-11-19"),
            (Some("2026-11-24"), "2026-11-24"),
            (Some("2020-01-01"), "2026-11-13"),
            (Some("2030-01-01"), "2026-12-04"),
            (Some("soon"), "2026-11-19"),
        ] {
            assert_eq!(first_day(asked, today).to_string(), first, "{asked:?}");
        }
        assert_eq!(days(today).len(), 14);
    }
}
