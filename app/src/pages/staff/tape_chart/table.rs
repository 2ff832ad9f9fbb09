//! Chart. Days are columns: a bar covers the nights of its booking. Attributes of cells and bars
//! support drag and drop; the grip at the end of a bar changes its departure.

use jiff::civil::Weekday;

use super::booking_bars::{Bar, Cell, Row};
use crate::{
    dates::days as span_of_days,
    pages::{prelude::*, staff::board::ArrivalStatus},
};

/// Table in its own scroll region.
pub fn chart(rows: &[Row<'_>], days: &[Date], snapshot: &HotelSnapshot) -> AnyView {
    let heads = days.iter().map(|date| {
        let weekend = matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday);
        let now = (*date == snapshot.today).then_some("date");
        view! {
            <th scope="col" data-day=date.to_string() data-weekend=weekend.then_some("") aria-current=now>
                <span>{date.strftime("%a").to_string()}</span>
                " "
                <strong>{date.day()}</strong>
            </th>
        }
    });
    let body = rows
        .iter()
        .map(|row| room_rows(row, snapshot.today))
        .collect_view();
    view! {
        <div class="tape" role="region" aria-label="Tape chart" tabindex="0">
            <table>
                <caption class="unseen">"Rooms by night. A booking covers the nights of its stay."</caption>
                <thead>
                    <tr>
                        <th scope="col" class="corner">"Room"</th>
                        {heads.collect_view()}
                    </tr>
                </thead>
                <tbody>{body}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn room_rows(row: &Row<'_>, today: Date) -> AnyView {
    let number = row.room.room.number.clone();
    let lanes = row.lanes.len();
    let shown = row.lanes.iter().enumerate().map(|(n, lane)| {
        let head = (n == 0).then(|| {
            let href = page_url::room(&number);
            view! {
                <th scope="row" rowspan=(lanes > 1).then(|| lanes.to_string())>
                    <a href=href>{number.to_string()}</a>
                    " "
                    <small>{row.room.kind.clone()}</small>
                </th>
            }
        });
        let cells = lane.iter().map(|cell| match cell {
            Cell::Free(date) => {
                let now = (*date == today).then_some("");
                view! { <td data-room=number.to_string() data-day=date.to_string() data-today=now></td> }.into_any()
            }
            Cell::Out(nights, why) => view! {
                <td colspan=nights.to_string() class="bar" data-state="out" data-room=number.to_string()>
                    <span class="label"><Icon state="out" />{(*why).to_owned()}</span>
                </td>
            }
            .into_any(),
            Cell::Bar(bar) => self::bar(bar, &number),
        });
        let cells = cells.collect_view();
        view! { <tr data-key=format!("{number}-{n}")>{head} {cells}</tr> }
    });
    shown.collect_view().into_any()
}

fn bar(bar: &Bar<'_>, room: &str) -> AnyView {
    let booking = bar.booking;
    let number = booking.booking_number.clone();
    let name = booking
        .guest_name
        .clone()
        .unwrap_or_else(|| number.to_string());
    let page = page_url::stay(&number);
    let word = bar.standing.word(&booking.booking_status);
    let dates = match (booking.check_in_date, booking.check_out_date) {
        (Some(from), Some(to)) => span_of_days(&from.to_string(), &to.to_string()),
        (Some(from), None) => day(&from.to_string()),
        _ => String::new(),
    };
    let details = format!(", {word}, {dates}");
    let title = format!("{name}{details}");
    let movable = match bar.standing {
        ArrivalStatus::Arrives | ArrivalStatus::ToCome => Some("any"),
        // Checked in: only the room can change
        ArrivalStatus::Stays => Some("room"),
        _ => None,
    };
    let href = format!("{page}/move");
    let label = format!("Move {name} to…");
    let turn = movable.map(|_| {
        view! { <a class="move" id=format!("move-{}", page_url::segment(&number)) href=href aria-label=label title="Move to…"><Icon state="move" /></a> }
    });
    let ends = !bar.later
        && !matches!(
            bar.standing,
            ArrivalStatus::Over | ArrivalStatus::Unclear(_)
        );
    let grip = ends.then(|| {
        view! { <span class="grip" data-grip="" draggable="true" aria-hidden="true" title="Drag to lengthen or shorten the stay"></span> }
    });
    let from = booking.check_in_date.map(|date| date.to_string());
    view! {
        <td
            colspan=bar.nights.to_string()
            class="bar"
            data-state=bar.standing.state()
            data-earlier=bar.earlier.then_some("")
            data-later=bar.later.then_some("")
            data-booking=number.to_string()
            data-room=room.to_owned()
            data-day=from
            data-move=movable
        >
            <span class="label">
                <a id=format!("bar-{}", page_url::segment(&number)) href=page title=title><Icon state=bar.standing.state() /><span class="name">{name}</span><span class="unseen">{details}</span></a>
                {turn}
                {grip}
            </span>
        </td>
    }
    .into_any()
}
