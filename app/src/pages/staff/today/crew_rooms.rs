//! Rooms that wait for a crew: the next one with its one tap, and all of them to choose from. On a
//! phone the next one is at the thumb, and after a tap the following one comes up in its place.

use dewy_domain::{caller::Role, ports::HotelSnapshot, vocabulary::RoomStatus};
use leptos::prelude::*;

use super::PAGE;
use crate::{
    components::Icon,
    page_url,
    pages::staff::{
        board::room,
        rooms::{Condition, RoomState, moves, set_button},
    },
    render_page::PageRequest,
};

/// Rooms that this role works in: the chosen one or the first, and the list.
pub fn rooms(role: Role, snapshot: &HotelSnapshot, request: &PageRequest) -> AnyView {
    let (title, empty, condition) = match role {
        Role::Maintenance => (
            "Out of order",
            "No room is out of order. Rooms that need you appear here.",
            Condition::Out,
        ),
        _ => (
            "Rooms to clean",
            "Every room is clean. Rooms that guests leave appear here.",
            Condition::Dirty,
        ),
    };
    let all = || {
        snapshot
            .rooms
            .iter()
            .map(|room| RoomState::of(room, snapshot))
    };
    let mut faces: Vec<RoomState<'_>> = all().filter(|face| face.condition == condition).collect();
    faces.sort_by_key(sort_key);
    let chosen = request.query_param("room");
    let next = faces
        .iter()
        .find(|face| chosen == Some(number(face)))
        .or_else(|| faces.first());
    let taken_back = undo_form(snapshot, request);
    let sheet = (next.is_some() || taken_back.is_some()).then(|| {
        view! { <div class="next-room">{taken_back} {next.map(|face| act(face, request))}</div> }
    });
    let list = if faces.is_empty() {
        view! { <p class="empty">{empty}</p> }.into_any()
    } else {
        let here = next.map(number);
        let rows = faces.iter().map(|face| row(face, here)).collect_view();
        view! { <ul class="queue">{rows}</ul> }.into_any()
    };
    view! {
        <section aria-labelledby="work-rooms">
            <h2 id="work-rooms">{title} " " <span class="n">{faces.len()}</span></h2>
            {sheet}
            {list}
        </section>
        {(role != Role::Maintenance).then(|| still_occupied(all().filter(|face| face.leaves.is_some()).collect()))}
    }
    .into_any()
}

/// Rooms of arriving guests first, then along the corridors, floor by floor.
pub fn sort_key(face: &RoomState<'_>) -> (bool, Option<i64>, usize, String) {
    let number = &face.facts.room.number;
    (
        face.arrives.is_none(),
        face.facts.floor,
        number.len(),
        number.to_string(),
    )
}

fn number<'a>(face: &'a RoomState<'_>) -> &'a str {
    &face.facts.room.number
}

fn what(face: &RoomState<'_>) -> String {
    format!("{}, {}", face.facts.kind, face.label().to_lowercase())
}

fn arrival(face: &RoomState<'_>) -> Option<impl IntoView + use<>> {
    face.arrives.map(|_| {
        view! { <span class="sign arrives"><Icon state="arrive" />"A guest arrives today"</span> }
    })
}

/// The room at hand.
fn act(face: &RoomState<'_>, request: &PageRequest) -> AnyView {
    let (number, status) = (number(face), &face.facts.room.status);
    let usual = moves(status).into_iter().next();
    let button = usual.map(|to| {
        set_button(
            number,
            status,
            to,
            "big-tap",
            PAGE,
            &request.ctx.token_generator,
        )
    });
    view! {
        <div class="at-hand" role="group" aria-label=format!("Room {number}, next")>
            <strong class="room-number">"Room " {number.to_owned()}</strong>
            <span class="when">{what(face)}</span>
            {arrival(face)}
            {button}
            <a class="button quiet" href=format!("{}#defect", page_url::room(number))>"Something is broken"</a>
        </div>
    }
    .into_any()
}

/// A row chooses its room.
fn row(face: &RoomState<'_>, here: Option<&str>) -> AnyView {
    let number = number(face).to_owned();
    let current = (here == Some(number.as_str())).then_some("true");
    let version = format!("{} {}", face.facts.room.status, face.arrives.is_some());
    view! {
        <li data-key=number.clone() data-version=version>
            <a href=page_url::with_query(PAGE, [("room", number.as_str())]) aria-current=current>
                <strong class="room-number">"Room " {number.clone()}</strong>
                " "
                <span class="when">{what(face)}</span>
                " "
                {arrival(face)}
            </a>
        </li>
    }
    .into_any()
}

/// Takes the last tap back, while the room still is as it left it.
fn undo_form(snapshot: &HotelSnapshot, request: &PageRequest) -> Option<AnyView> {
    let (number, was) = (request.query_param("done")?, request.query_param("was")?);
    let face = RoomState::of(room(snapshot, number)?, snapshot);
    let (now, was) = (&face.facts.room.status, RoomStatus::from(was));
    let possible =
        face.condition == Condition::Clean && moves(now).iter().any(|(to, _)| *to == was);
    let back = page_url::with_query(PAGE, [("room", number)]);
    possible.then(|| {
        view! {
            <div class="taken-back">
                <span><Icon state="done" /> " Room " {number.to_owned()} " is ready"</span>
                {set_button(number, now, (was, "Undo"), "quiet", &back, &request.ctx.token_generator)}
            </div>
        }
        .into_any()
    })
}

/// Rooms that come later today.
fn still_occupied(faces: Vec<RoomState<'_>>) -> Option<AnyView> {
    let rooms = faces
        .iter()
        .map(|face| view! { <li><a href=page_url::room(number(face))>{number(face).to_owned()}</a></li> })
        .collect_view();
    (!faces.is_empty()).then(|| {
        view! {
            <section aria-labelledby="later">
                <h2 id="later">"Still occupied, leaving today"</h2>
                <ul class="numbers">{rooms}</ul>
            </section>
        }
        .into_any()
    })
}
