//! Moving a stay to another room: which ones are free, what they cost, and what the move does. The same for a bar on the tape
//! chart and for the stay's own page.

use dewy_domain::{caller::Persona, money::Cents, nights::Nights, ports::SignedIn};
use jiff::civil::Date;
use leptos::{prelude::*, server_fn::ServerFn};
use serde::Deserialize;
use serde_json::json;

use super::{FORM, act::too_late, found::Found, stay_page};
use crate::{
    components::Pill,
    form,
    gate::sign_in_url,
    guest::days,
    kept::Kept,
    page::{Stop, Visit},
    staff::{
        board::{Tap, room},
        reads::ask,
    },
    tool_form::TOKEN,
    words,
};

/// A room that is free for all of the nights.
#[derive(Clone, Debug, Deserialize)]
struct FreeRoom {
    room_number: String,
    #[serde(default)]
    room_type: String,
    #[serde(default)]
    floor: Option<i64>,
    #[serde(default)]
    beds: Option<String>,
    nightly_rate: Cents,
}

#[derive(Debug, Default, Deserialize)]
struct FreeRooms {
    rooms: Vec<FreeRoom>,
}

/// The nights for which a room has to be free: of a stay that has begun, those that are left; none when there are none.
pub fn nights_left(found: &Found) -> Option<Nights> {
    let (from, to) = (found.booking.check_in_date?, found.booking.check_out_date?);
    let today: Date = found.glance.today;
    let from = if from < today { today } else { from };
    (from < to).then_some(Nights { from, to })
}

/// Free rooms to choose from; with a room in the address, what moving there does.
pub async fn form(visit: &Visit, who: &SignedIn, found: &Found, token: String) -> Result<AnyView, Stop> {
    if !found.open() {
        return Ok(too_late(found));
    }
    let Some(nights) = nights_left(found) else {
        let change = format!("{}/change", stay_page(&found.booking.booking_number));
        return Ok(view! {
            <p class="notice">"No night of this stay is left to be spent in another room. "<a href=change>"Change the departure first"</a>"."</p>
        }
        .into_any());
    };
    let input = json!({
        "check_in_date": nights.from, "check_out_date": nights.to,
        "number_of_guests": found.booking.number_of_guests.unwrap_or(1).clamp(1, 20), "limit": 200,
    });
    let free = match ask::<FreeRooms>(&visit.gate, who, "search_available_rooms", input, &visit.here).await? {
        Ok(free) => free.rooms,
        Err(kept) => return Ok(view! { <p class="notice">{kept.message}</p> }.into_any()),
    };
    let own = found.booking.room_number.clone().unwrap_or_default();
    let free: Vec<FreeRoom> = free.into_iter().filter(|one| one.room_number != own).collect();
    let chosen = visit.asked("room").map(str::to_owned);
    let preview = match &chosen {
        Some(number) => match free.iter().find(|one| one.room_number == *number) {
            Some(one) => preview(found, &own, one, token),
            None => view! { <p class="notice">"Room " {number.clone()} " is not free for these nights, or too small. Choose one of those below."</p> }
                .into_any(),
        },
        None => ().into_any(),
    };
    let when = days(&nights.from.to_string(), &nights.to.to_string());
    Ok(view! {
        <p class="lead">{format!("{} is in room {own}. These rooms are free for {when}.", found.name())}</p>
        {preview}
        {table(found, &own, free, chosen.as_deref())}
    }
    .into_any())
}

/// What the whole stay costs in that room, against what it costs at the present room's rate.
fn difference(found: &Found, own: &str, rate: Cents) -> Option<(Cents, Cents)> {
    let all = crate::staff::board::nights(&found.booking);
    let present = room(&found.glance, own)?.rate;
    let total = Cents(rate.0 * all);
    Some((total, total - Cents(present.0 * all)))
}

fn sign(cents: Cents, currency: dewy_domain::money::Currency) -> String {
    match cents.0 {
        0 => "the same".to_owned(),
        1.. => format!("+{}", words::money(cents, currency)),
        _ => format!("−{}", words::money(Cents(-cents.0), currency)),
    }
}

fn preview(found: &Found, own: &str, one: &FreeRoom, token: String) -> AnyView {
    let currency = found.glance.currency;
    let in_house = found.booking.booking_status == "Checked In";
    let cost = difference(found, own, one.nightly_rate).map(|(total, more)| {
        let total = words::money(total, currency);
        let (by, how) = (words::money(Cents(more.0.abs()), currency), if more.0 > 0 { "more" } else { "less" });
        let words = match more.0 {
            0 => format!("All nights cost {total}, as they do at the present room’s rate."),
            _ => format!("All nights cost {total}: {by} {how} than at the present room’s rate. The rate agreed at booking no longer counts."),
        };
        view! { <p>{words}</p> }
    });
    let moved = in_house.then(|| {
        view! {
            <p><strong>"The guest is in the house. "</strong> "Room " {own.to_owned()} " becomes Cleaning at once, and room " {one.room_number.clone()} " Occupied. Tell the guest, and hand out the new key."</p>
        }
    });
    let status = room(&found.glance, &one.room_number).map(|facts| facts.room.status.clone()).unwrap_or_default();
    let unready = (status != "Vacant").then(|| {
        view! { <p>"Room " {one.room_number.clone()} " is " {status.clone()} " right now." {in_house.then_some(" A guest in the house cannot move in before it is ready.")}</p> }
    });
    view! {
        <section class="card will" aria-labelledby="will">
            <h2 id="will">{format!("From {own} to {}", one.room_number)}</h2>
            {cost}
            {moved}
            {unready}
            <form method="post" action=MoveStay::PATH>
                <input type="hidden" name="booking_number" value=found.booking.booking_number.clone() />
                <input type="hidden" name="room_number" value=one.room_number.clone() />
                <input type="hidden" name=TOKEN value=token />
                <p class="actions">
                    <button>{format!("Move to {}", one.room_number)}</button>
                    <a href=stay_page(&found.booking.booking_number)>"Leave it"</a>
                </p>
            </form>
        </section>
    }
    .into_any()
}

fn table(found: &Found, own: &str, free: Vec<FreeRoom>, chosen: Option<&str>) -> AnyView {
    if free.is_empty() {
        return view! { <p class="empty">"No other room is free for all of these nights."</p> }.into_any();
    }
    let currency = found.glance.currency;
    let page = format!("{}/move", stay_page(&found.booking.booking_number));
    let rows = free
        .into_iter()
        .map(|one| {
            let status = room(&found.glance, &one.room_number).map(|facts| facts.room.status.clone());
            let status = status.unwrap_or_default();
            let state = if status == "Vacant" { "completed" } else { "to_come" };
            let more = difference(found, own, one.nightly_rate).map(|(_, more)| sign(more, currency));
            let here = (chosen == Some(one.room_number.as_str())).then_some("true");
            let href = format!("{page}?room={}", one.room_number);
            view! {
                <tr>
                    <th scope="row" data-label="Room"><a href=href aria-current=here>"Room " {one.room_number.clone()}</a></th>
                    <td data-label="Type">{one.room_type} <small>{one.beds}</small></td>
                    <td data-label="Floor">{one.floor}</td>
                    <td data-label="State"><Pill state=state word=status /></td>
                    <td data-label="A night" class="num">{words::money(one.nightly_rate, currency)}</td>
                    <td data-label="Difference" class="num">{more}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <table class="list" aria-label="Free rooms">
            <thead>
                <tr>
                    <th scope="col">"Room"</th>
                    <th scope="col">"Type"</th>
                    <th scope="col">"Floor"</th>
                    <th scope="col">"Now"</th>
                    <th scope="col" class="num">"A night"</th>
                    <th scope="col" class="num">"Difference, all nights"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
    .into_any()
}

/// Moves it.
#[server(prefix = "/form", endpoint = "move_stay")]
pub async fn move_stay(
    #[server(default)] booking_number: String,
    #[server(default)] room_number: String,
    #[server(default)] idempotency_token: String,
) -> Result<(), ServerFnError> {
    let gate = form::gate()?;
    let stay = stay_page(&booking_number);
    let back = format!("{stay}/move");
    let Ok(who) = gate.admit(Persona::Staff, &back).await else {
        return form::go(&sign_in_url(Persona::Staff, &back));
    };
    let tap = Tap {
        tool: "manage_bookings",
        input: json!({ "booking_number": booking_number, "room_number": room_number }),
        form: FORM,
        back,
        then: stay,
        not_done: format!("{booking_number} was not moved"),
        kept: Kept::default(),
        token: idempotency_token,
        record: Some(("manage_bookings", "booking_number", booking_number.clone())),
    };
    tap.send(&gate, &who, move |data| {
        let room = data.get("room_number").and_then(serde_json::Value::as_str).unwrap_or(&room_number);
        format!("{booking_number} is in room {room} now.")
    })
    .await
}
