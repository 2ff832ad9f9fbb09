//! Room grid: a tile per room, by floor; clicking a count filters the grid.

use std::collections::BTreeMap;

use super::{Condition, FORM, PAGE, RoomState};
use crate::pages::{
    prelude::*,
    staff::{
        board::{Notice, notice, read_snapshot, subscribe, truncation_notice},
        bulk_action::{BulkAct, begin, choice},
        filters::Filters,
        saved_views::views,
    },
};

/// Name in URLs, and label.
const FILTER_LABELS: [(&str, &str); 7] = [
    ("occupied", "Occupied"),
    ("vacant", "Vacant"),
    ("clean", "Clean"),
    ("dirty", "Needs cleaning"),
    ("out", "Unavailable"),
    ("arriving", "Arrival today"),
    ("leaving", "Departure today"),
];

/// All rooms, or those that match the filter.
pub async fn rooms_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Staff).await?;
    let snapshot = read_snapshot(&request, &user).await?;
    let flash_notice = Notice::take(&request, FORM).await;
    let show = FILTER_LABELS
        .iter()
        .map(|(name, _)| *name)
        .find(|name| request.query_param("show") == Some(name))
        .unwrap_or("");
    let floor = request
        .query_param("floor")
        .and_then(|floor| floor.parse::<i64>().ok());
    let filters = Filters::of(&request, PAGE, &["show", "floor"]);
    let views = views(filters, &user).await;
    let content = view! {
        {notice(flash_notice)}
        <h1>"Rooms"</h1>
        <div data-region="counts">{counts(&snapshot, show, floor)}</div>
        {views}
        {(show == "dirty").then(|| begin(BulkAct::Clean))}
        <div data-region="rooms" data-rows="">{floors(&snapshot, show, floor)}</div>
        {truncation_notice(&snapshot)}
        <p class="actions"><a class="button quiet" href="/staff/wall">"Board for the wall"</a></p>
    };
    Ok(PageLayout::new("Rooms")
        .who(&user)
        .follows(subscribe(&snapshot))
        .staff(content))
}

fn address(show: &str, floor: Option<i64>) -> String {
    let floor = floor.map(|floor| floor.to_string()).unwrap_or_default();
    page_url::with_query(PAGE, [("show", show), ("floor", floor.as_str())])
}

fn counts(snapshot: &HotelSnapshot, show: &str, floor: Option<i64>) -> AnyView {
    let mut on_floor = RoomState::all(snapshot);
    on_floor.retain(|room| floor.is_none_or(|floor| room.facts.floor == Some(floor)));
    let count = |name: &str| {
        let fits = |room: &&RoomState<'_>| room.matches_filter(name);
        on_floor.iter().filter(fits).count()
    };
    let shown = FILTER_LABELS.map(|(name, label)| {
        let is_current = name == show;
        Chip {
            id: Some(format!("show-{name}")),
            href: address(if is_current { "" } else { name }, floor),
            label: label.to_owned(),
            count: Some(count(name)),
            is_current,
        }
    });
    let mut floors: Vec<i64> = snapshot
        .rooms
        .iter()
        .filter_map(|room| room.floor)
        .collect();
    floors.sort_unstable();
    floors.dedup();
    let floors = floors.into_iter().map(|one| {
        let is_current = floor == Some(one);
        Chip {
            id: Some(format!("floor-{one}")),
            href: address(show, (!is_current).then_some(one)),
            label: format!("Floor {one}"),
            is_current,
            ..Chip::default()
        }
    });
    view! {
        {chips("Show", "filters", "true", shown)}
        {chips("Floors", "filters floors", "true", floors)}
    }
    .into_any()
}

fn floors(snapshot: &HotelSnapshot, show: &str, floor: Option<i64>) -> AnyView {
    let mut by_floor: BTreeMap<i64, Vec<RoomState<'_>>> = BTreeMap::new();
    for room_state in RoomState::all(snapshot) {
        let on = room_state.facts.floor.unwrap_or_default();
        if floor.is_none_or(|floor| floor == on) && room_state.matches_filter(show) {
            by_floor.entry(on).or_default().push(room_state);
        }
    }
    if by_floor.is_empty() {
        return view! { <p class="empty">"No rooms match right now."</p> }.into_any();
    }
    by_floor
        .into_iter()
        .map(|(floor, room_states)| {
            let id = format!("rooms-{floor}");
            view! {
                <section aria-labelledby=id.clone()>
                    <h2 id=id.clone()>"Floor " {floor}</h2>
                    <ul class="room-grid">{room_states.iter().map(|room_state| tile(room_state, show == "dirty")).collect_view()}</ul>
                </section>
            }
        })
        .collect_view()
        .into_any()
}

fn tile(room_state: &RoomState<'_>, choose: bool) -> AnyView {
    let number = room_state.facts.room.number.clone();
    let (icon, user) = if room_state.occupied {
        ("person", "Occupied")
    } else {
        ("bed", "Vacant")
    };
    // Users who may not see names get none
    let guest = room_state
        .guest
        .and_then(|booking| booking.guest_name.clone());
    let sign = match room_state.condition {
        Condition::Clean => "done",
        Condition::Dirty => "broom",
        Condition::Out => "bar",
        Condition::InUse => "key",
    };
    let leaves = room_state
        .leaves
        .map(|_| view! { <span class="sign leaves"><Icon state="leave" />"Leaves today"</span> });
    let arrives = room_state.arrives.map(
        |_| view! { <span class="sign arrives"><Icon state="arrive" />"Arrives today"</span> },
    );
    let version = format!(
        "{} {} {} {}",
        room_state.occupied,
        room_state.label(),
        room_state.leaves.is_some(),
        room_state.arrives.is_some()
    );
    view! {
        <li class="room-tile" data-condition=room_state.condition.name() data-key=number.to_string() data-version=version>
            <a id=format!("room-{}", page_url::segment(&number)) href=page_url::room(&number)>
                <span class="number">{number.to_string()}</span>
                <span class="kind">{room_state.facts.kind.clone()}</span>
                <span class="axis"><Icon state=icon />{user}</span>
                <span class="axis condition"><Icon state=sign />{room_state.label()}</span>
                {guest.map(|name| view! { <span class="guest-name">{name}</span> })}
                {leaves}
                {arrives}
            </a>
            {choose.then(|| choice(&number, format!("Choose room {number}")))}
        </li>
    }
    .into_any()
}
