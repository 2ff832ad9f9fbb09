//! Rooms that wait for a crew: the next one with its one tap, and all of them to choose from. On a
//! phone the next one is at the thumb, and after a tap the following one comes up in its place.

use crate::pages::{
    prelude::*,
    staff::{
        board::{late_until, room},
        rooms::{Condition, RoomState, moves, set_button},
    },
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
    let all = RoomState::all(snapshot);
    let mut room_states = all.clone();
    room_states.retain(|room_state| room_state.condition == condition);
    room_states.sort_by_key(sort_key);
    let chosen = request.query_param("room");
    let next = room_states
        .iter()
        .find(|room_state| chosen == Some(number(room_state)))
        .or_else(|| room_states.first());
    let taken_back = undo_form(snapshot, request);
    let next_room = (next.is_some() || taken_back.is_some()).then(|| {
        view! { <div class="next-room">{taken_back} {next.map(|room_state| act(room_state, request))}</div> }
    });
    let here = next.map(number);
    let list = room_states.iter().map(|room_state| row(room_state, here));
    let list = rows("queue", list, empty);
    view! {
        <section aria-labelledby="work-rooms">
            <h2 id="work-rooms">{title} " " <span class="n">{room_states.len()}</span></h2>
            {next_room}
            {list}
        </section>
        {(role != Role::Maintenance).then(|| still_occupied(all.into_iter().filter(|room_state| room_state.leaves.is_some()).collect(), snapshot))}
    }
    .into_any()
}

/// Rooms of arriving guests first, then along the corridors, floor by floor.
pub fn sort_key(room_state: &RoomState<'_>) -> (bool, Option<i64>, usize, String) {
    let number = &room_state.facts.room.number;
    (
        room_state.arrives.is_none(),
        room_state.facts.floor,
        number.len(),
        number.to_string(),
    )
}

fn number<'a>(room_state: &'a RoomState<'_>) -> &'a str {
    &room_state.facts.room.number
}

fn what(room_state: &RoomState<'_>) -> String {
    format!(
        "{}, {}",
        room_state.facts.kind,
        room_state.label().to_lowercase()
    )
}

fn arrival(room_state: &RoomState<'_>) -> Option<impl IntoView + use<>> {
    room_state.arrives.map(|_| {
        view! { <span class="sign arrives"><Icon state="arrive" />"A guest arrives today"</span> }
    })
}

fn act(room_state: &RoomState<'_>, request: &PageRequest) -> AnyView {
    let (number, status) = (number(room_state), &room_state.facts.room.status);
    let usual = moves(status).into_iter().next();
    let button = usual.map(|to| {
        set_button(
            number,
            status,
            to,
            "big-tap",
            page_url::TODAY,
            &request.ctx.token_generator,
        )
    });
    view! {
        <div class="at-hand" role="group" aria-label=format!("Room {number}, next")>
            <strong class="room-number">"Room " {number.to_owned()}</strong>
            <span class="when">{what(room_state)}</span>
            {arrival(room_state)}
            {button}
            <a class="button quiet" href=format!("{}#defect", page_url::room(number))>"Something is broken"</a>
        </div>
    }
    .into_any()
}

/// A row chooses its room.
fn row(room_state: &RoomState<'_>, here: Option<&str>) -> AnyView {
    let number = number(room_state).to_owned();
    let current = (here == Some(number.as_str())).then_some("true");
    let version = format!(
        "{} {}",
        room_state.facts.room.status,
        room_state.arrives.is_some()
    );
    view! {
        <li data-key=number.clone() data-version=version>
            <a href=page_url::with_query(page_url::TODAY, [("room", number.as_str())]) aria-current=current>
                <strong class="room-number">"Room " {number.clone()}</strong>
                " "
                <span class="when">{what(room_state)}</span>
                " "
                {arrival(room_state)}
            </a>
        </li>
    }
    .into_any()
}

/// Takes the last tap back, while the room still is as it left it.
fn undo_form(snapshot: &HotelSnapshot, request: &PageRequest) -> Option<AnyView> {
    let (number, was) = (request.query_param("done")?, request.query_param("was")?);
    let room_state = RoomState::of(room(snapshot, number)?, snapshot);
    let (now, was) = (&room_state.facts.room.status, RoomStatus::from(was));
    let possible =
        room_state.condition == Condition::Clean && moves(now).iter().any(|(to, _)| *to == was);
    let back = page_url::with_query(page_url::TODAY, [("room", number)]);
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
fn still_occupied(room_states: Vec<RoomState<'_>>, snapshot: &HotelSnapshot) -> Option<AnyView> {
    let rooms = room_states
        .iter()
        .map(|room_state| {
            let late = room_state.leaves.and_then(|stay| late_until(snapshot, stay));
            let late = late.map(|time| view! { <small>{format!(" until {time}")}</small> });
            view! { <li><a href=page_url::room(number(room_state))>{number(room_state).to_owned()} {late}</a></li> }
        })
        .collect_view();
    (!room_states.is_empty()).then(|| {
        view! {
            <section aria-labelledby="later">
                <h2 id="later">"Still occupied, leaving today"</h2>
                <ul class="numbers">{rooms}</ul>
            </section>
        }
        .into_any()
    })
}
