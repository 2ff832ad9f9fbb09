//! Board for a screen in the back office: counts, rooms, and open cases; without names, without
//! anything to click. Its letters grow with the screen, so that they are read from four meters.

use std::collections::BTreeMap;

use dewy_domain::{case::Case, emergency};
use jiff::SignedDuration;
use leptos::nonce::use_nonce;

use super::{
    board::{ArrivalStatus, arrival_status, read_snapshot, subscribe},
    rooms::{Condition, RoomState},
};
use crate::{attention_summary, pages::prelude::*};

/// Maximum number of cases: more would not be read from afar.
const CASES: usize = 6;
/// An older snapshot is called out of date: boards are read at least every 15 seconds.
const MAX_AGE: SignedDuration = SignedDuration::from_secs(60);
/// Nobody presses anything here, and a stream whose network has died says nothing: the screen asks
/// by itself whether the server still answers.
const HEALTH_CHECK_SCRIPT: &str = r#"setInterval(()=>fetch("/healthz",{cache:"no-store",signal:AbortSignal.timeout(8000)}).then(answer=>answer.ok,()=>false).then(there=>document.documentElement.toggleAttribute("data-cut",!there)),10000)"#;

pub async fn wall_page(request: PageRequest) -> PageResult {
    let user = request.signed_in(Persona::Staff).await?;
    let snapshot = read_snapshot(&request, &user).await?;
    let content = view! {
        <h1 class="unseen">"Board for the wall"</h1>
        <p class="wall-stale wall-cut" role="alert">
            <Icon state="overdue" />
            " No connection. What you see may be out of date."
        </p>
        <script nonce=use_nonce() inner_html=HEALTH_CHECK_SCRIPT></script>
        <div data-region="stale">{stale(&snapshot)}</div>
        <div data-region="counts">{counts(&snapshot)}</div>
        <div class="wall-rooms" data-region="rooms">{floors(&snapshot)}</div>
        <div data-region="cases">{cases(&snapshot.cases)}</div>
    };
    Ok(PageLayout::new("Wall")
        .who(&user)
        .follows(subscribe(&snapshot))
        .wall(content))
}

/// The day, and a warning if what is shown is not of now: Salesforce does not answer.
fn stale(snapshot: &HotelSnapshot) -> AnyView {
    let old = hotel_time::now().is_some_and(|now| now.duration_since(snapshot.as_of) > MAX_AGE);
    let silent = attention_summary::outage_notice(&attention_summary::seen(), Persona::Staff);
    let warning = (old || silent.is_some()).then(|| {
        let at = hour(&HotelClock::here(), snapshot.as_of);
        view! { <p class="wall-stale"><Icon state="overdue" /> {format!("Out of date: this is how it stood at {at}.")}</p> }
    });
    view! { <p class="wall-day">{day(&snapshot.today.to_string())}</p> {warning} }.into_any()
}

fn counts(snapshot: &HotelSnapshot) -> AnyView {
    let stays = |wanted: fn(ArrivalStatus) -> bool| {
        let fits = |booking: &&_| wanted(arrival_status(booking, snapshot.day()));
        snapshot.bookings.iter().filter(fits).count()
    };
    let room_states = RoomState::all(snapshot);
    let rooms = |condition: Condition| {
        let fits = |room_state: &&RoomState<'_>| room_state.condition == condition;
        room_states.iter().filter(fits).count()
    };
    use ArrivalStatus::{Arrives, Late, Leaves, Overdue, Stays, Unclear};
    let counts = [
        (
            "arrivals",
            "To arrive",
            stays(|s| matches!(s, Arrives | Late(_) | Unclear(0..))),
        ),
        (
            "departures",
            "To leave",
            stays(|s| matches!(s, Leaves | Overdue(_))),
        ),
        (
            "in-house",
            "In house",
            stays(|s| matches!(s, Leaves | Overdue(_) | Stays)),
        ),
        ("clean", "Ready", rooms(Condition::Clean)),
        ("dirty", "To clean", rooms(Condition::Dirty)),
        ("out", "Out of order", rooms(Condition::Out)),
    ];
    let counts = counts.map(|(name, word, count)| {
        view! { <div data-count=name><dt>{word}</dt> <dd>{count}</dd></div> }
    });
    view! { <dl class="wall-counts">{counts.into_iter().collect_view()}</dl> }.into_any()
}

fn floors(snapshot: &HotelSnapshot) -> AnyView {
    let mut by_floor: BTreeMap<i64, Vec<RoomState<'_>>> = BTreeMap::new();
    for room_state in RoomState::all(snapshot) {
        let on = room_state.facts.floor.unwrap_or_default();
        by_floor.entry(on).or_default().push(room_state);
    }
    let floor = |(floor, room_states): (i64, Vec<RoomState<'_>>)| {
        let tiles = room_states.iter().map(tile).collect_view();
        view! { <ul class="wall-floor" aria-label=format!("Floor {floor}")>{tiles}</ul> }
    };
    by_floor.into_iter().map(floor).collect_view().into_any()
}

/// Number, state, and whether there is an arrival or departure today.
fn tile(room_state: &RoomState<'_>) -> AnyView {
    let word = match (room_state.condition, &room_state.facts.room.status) {
        (Condition::Clean, _) => "Ready",
        (Condition::Dirty, _) => "To clean",
        (Condition::Out, RoomStatus::Maintenance) => "Repair",
        (Condition::Out, RoomStatus::Other(_)) => room_state.facts.room.status.text(),
        (Condition::Out, _) => "Out",
        (Condition::InUse, _) => "In use",
    };
    let word = word.to_owned();
    let sign = |shown: bool, icon: &'static str, word: &'static str| {
        shown.then(|| view! { <span class="sign"><Icon state=icon /><span class="unseen">{word}</span></span> })
    };
    view! {
        <li data-condition=room_state.condition.name()>
            <span class="wall-number">
                <strong>{room_state.facts.room.number.to_string()}</strong>
                {sign(room_state.leaves.is_some(), "leave", "leaves today")}
                {sign(room_state.arrives.is_some(), "arrive", "arrives today")}
            </span>
            <span class="word">{word}</span>
        </li>
    }
    .into_any()
}

/// The most urgent cases, emergencies first: rooms, kinds, states, and ages; what guests wrote stays
/// off the wall.
fn cases(cases: &[Case]) -> AnyView {
    let mut open: Vec<&Case> = cases.iter().filter(|case| !case.closed).collect();
    let danger = |case: &Case| emergency::reported_message(&case.description).is_some();
    open.sort_by_key(|case| (!danger(case), case.priority.rank(), case.created_at));
    let items = open.iter().take(CASES).map(|case| {
        let room = case.room_number.as_deref().unwrap_or("–").to_owned();
        view! {
            <li data-priority=case.priority.to_string()>
                <strong>{room}</strong>
                " "
                {if danger(case) { "EMERGENCY".to_owned() } else { case.kind.to_string() }}
                ", "
                {case.priority.to_string()}
                ", "
                {case.status.to_string()}
                " "
                <Ago at=case.created_at />
            </li>
        }
    });
    let more = open.len().saturating_sub(CASES);
    view! {
        <section class="wall-cases" aria-labelledby="wall-cases">
            <h2 id="wall-cases">"Open cases " <span class="n">{open.len()}</span></h2>
            <ul>{items.collect_view()}</ul>
            {(more > 0).then(|| view! { <p class="aside">{format!("and {more} more")}</p> })}
        </section>
    }
    .into_any()
}
