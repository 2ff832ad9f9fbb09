//! Two small charts, rendered on the server: tonight's occupancy, and expected room revenue.

use std::collections::{BTreeSet, HashMap};

use jiff::ToSpan;

use crate::{components::bar_chart, pages::prelude::*};

/// Number of days of revenue; the snapshot covers four weeks.
const DAYS: i32 = 14;

/// Whether the booking's guest stays that night.
fn sleeps(booking: &BookingRow, night: Date, today: Date) -> bool {
    let (Some(from), Some(to)) = (booking.check_in_date, booking.check_out_date) else {
        return false;
    };
    let status = &booking.booking_status;
    // A guest who was expected before today is not counted
    let counts = match status {
        BookingStatus::CheckedIn | BookingStatus::Other(_) => true,
        BookingStatus::Reserved => from >= today,
        BookingStatus::CheckedOut | BookingStatus::Cancelled | BookingStatus::NoShow => false,
    };
    counts && from <= night && night < to
}

/// Rooms booked for tonight, by stayovers and arrivals; rooms that can't be let, and all rooms.
fn tonight_counts(snapshot: &HotelSnapshot) -> (usize, usize, usize) {
    let today = snapshot.today;
    let taken: BTreeSet<_> = snapshot
        .bookings
        .iter()
        .filter(|b| sleeps(b, today, today))
        .filter_map(|b| b.room_number.as_deref())
        .collect();
    let out = snapshot
        .rooms
        .iter()
        .filter(|r| !r.room.status.is_lettable())
        .filter(|r| !taken.contains(r.room.number.as_str()))
        .count();
    (taken.len(), out, snapshot.rooms.len())
}

pub fn tonight(snapshot: &HotelSnapshot) -> AnyView {
    let (taken, out, all) = tonight_counts(snapshot);
    let free = all.saturating_sub(taken + out);
    let percent = (taken * 100 + all / 2).checked_div(all).unwrap_or(0);
    // A bar of 300 units, with a gap of two between its parts
    let part = |count: usize| (count * 300).checked_div(all).unwrap_or(0);
    let (a, b) = (part(taken), part(free));
    let label = format!(
        "{taken} of {all} rooms are booked for tonight, {free} are available, {out} are out of order."
    );
    let rows = [
        ("Booked", taken, "taken"),
        ("Free", free, "free"),
        ("Out of order", out, "out"),
    ];
    let legend = rows.map(|(word, count, part)| {
        view! { <li data-part=part><span>{word}</span> " " <strong>{count}</strong></li> }
    });
    view! {
        <section class="chart-card" aria-labelledby="tonight">
            <h2 id="tonight">"Tonight"</h2>
            <p class="figure"><strong>{format!("{percent}%")}</strong> " booked"</p>
            <svg class="chart" viewBox="0 0 300 14" role="img" aria-label=label preserveAspectRatio="none">
                <rect class="taken" x="0" y="0" width=a.saturating_sub(2).to_string() height="14" />
                <rect class="free" x=a.to_string() y="0" width=b.saturating_sub(2).to_string() height="14" />
                <rect class="out" x=(a + b).to_string() y="0" width=(300 - (a + b).min(300)).to_string() height="14" />
            </svg>
            <ul class="legend">{legend.into_iter().collect_view()}</ul>
        </section>
    }
    .into_any()
}

/// Date, revenue and number of occupied rooms of each night.
fn per_night(snapshot: &HotelSnapshot) -> Vec<(Date, Cents, usize)> {
    let rates: HashMap<&str, Cents> = snapshot
        .rooms
        .iter()
        .map(|room| (room.room.number.as_str(), room.rate))
        .collect();
    let night = |ahead: i32| {
        let date = snapshot.today.checked_add(ahead.days()).ok()?;
        let taken = |booking: &&BookingRow| sleeps(booking, date, snapshot.today);
        let rate = |booking: &BookingRow| rates.get(booking.room_number.as_deref()?).copied();
        let taken = snapshot.bookings.iter().filter(taken);
        Some((date, taken.clone().filter_map(rate).sum(), taken.count()))
    };
    (0..DAYS).filter_map(night).collect()
}

/// Expected room revenue of the next two weeks.
pub fn revenue(snapshot: &HotelSnapshot) -> AnyView {
    let nights = per_night(snapshot);
    let sum: Cents = nights.iter().map(|night| night.1).sum();
    let bars: Vec<_> = nights.iter().map(|night| (night.0, night.1)).collect();
    let rows = nights
        .iter()
        .map(|(date, cents, rooms)| {
            view! {
                <tr>
                    <th scope="row">{day(&date.to_string())}</th>
                    <td class="num">{*rooms}</td>
                    <td class="num">{labels::money(*cents, snapshot.currency)}</td>
                </tr>
            }
        })
        .collect_view();
    let total = labels::money(sum, snapshot.currency);
    let label = format!(
        "Expected room revenue of the next {DAYS} nights: {total}. The table below has each night."
    );
    view! {
        <section class="chart-card" aria-labelledby="revenue">
            <h2 id="revenue">"Expected room revenue"</h2>
            <p class="figure"><strong>{total}</strong> {format!(" in the next {DAYS} nights")}</p>
            {bar_chart(&bars, label)}
            <details id="revenue-table">
                <summary>"Night by night"</summary>
                <ListTable class="small-list" heads=&["Night of", "Rooms", "Expected"] num=&["Rooms", "Expected"]>
                    {rows}
                </ListTable>
            </details>
            <p class="aside">"Bookings so far, at the rooms’ present rates; no tax."</p>
        </section>
    }
    .into_any()
}
