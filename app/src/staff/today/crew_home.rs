//! Home page of housekeeping and maintenance: tasks, each completed with one click.

use dewy_domain::{
    caller::Role,
    ports::{HotelSnapshot, SignedIn},
};
use leptos::prelude::*;
use serde_json::json;

use super::PAGE;
use crate::{
    address,
    components::{Ago, Icon, Pill},
    guest::day,
    layout::PageLayout,
    page::{PageError, PageRequest},
    staff::{
        board::{Notice, cut_note, follow, look, notice, way_back},
        cases::{self, CaseRow, Queue, step_button},
        rooms::{self, Condition, Face, moves, set_button},
    },
};

/// Their page.
pub async fn page(visit: &PageRequest, who: &SignedIn, role: Role) -> Result<AnyView, PageError> {
    let snapshot = look(visit, who).await?;
    let (room_told, case_told) = (
        Notice::take(visit, rooms::FORM).await,
        Notice::take(visit, cases::FORM).await,
    );
    let queue = if role == Role::Maintenance {
        Queue::Maintenance
    } else {
        Queue::Housekeeping
    };
    let found = cases::cases(
        &visit.ctx,
        who,
        json!({ "status_filter": "Open" }),
        &way_back(visit),
    )
    .await?;
    let mut mine: Vec<CaseRow> = found.unwrap_or_default().cases;
    let own = Some(who.caller.email.as_str());
    mine.retain(|case| {
        queue.has(case) && (case.assignee.is_none() || case.assignee.as_deref() == own)
    });
    mine.sort_by_key(CaseRow::rank);
    let rooms = match role {
        Role::Maintenance => to_mend(&snapshot, visit),
        _ => to_clean(&snapshot, visit),
    };
    let content = view! {
        <div class="crew">
            {notice(room_told)}
            {notice(case_told)}
            <h1>"Today"</h1>
            <p class="lead">{day(&snapshot.today.to_string())}</p>
            <div data-region="rooms" data-rows="">{rooms}</div>
            <div data-region="cases" data-rows="">{work(mine, visit)}</div>
            {cut_note(&snapshot)}
            <p class="actions">
                <a class="button quiet" href="/staff/rooms">"All rooms, and report a defect"</a>
                <a class="button quiet" href="/staff/cases">"All cases"</a>
            </p>
        </div>
    };
    Ok(PageLayout::new("Today")
        .who(who)
        .follows(follow(&snapshot))
        .staff(content))
}

fn to_clean(snapshot: &HotelSnapshot, visit: &PageRequest) -> AnyView {
    let faces: Vec<_> = snapshot
        .rooms
        .iter()
        .map(|room| Face::of(room, snapshot))
        .collect();
    let mut dirty: Vec<&Face<'_>> = faces
        .iter()
        .filter(|face| face.condition == Condition::Dirty)
        .collect();
    dirty.sort_by_key(|face| (face.arrives.is_none(), face.facts.room.number.clone()));
    let to_come: Vec<_> = faces.iter().filter(|face| face.leaves.is_some()).collect();
    let later = to_come
        .iter()
        .map(|face| view! { <li><a href=address::room(&face.facts.room.number)>{face.facts.room.number.clone()}</a></li> })
        .collect_view();
    view! {
        {list("Rooms to clean", "Every room is clean. Rooms that guests leave appear here.", &dirty, visit)}
        {(!to_come.is_empty()).then(|| view! {
            <section aria-labelledby="later">
                <h2 id="later">"Still occupied, leaving today"</h2>
                <ul class="numbers">{later}</ul>
            </section>
        })}
    }
    .into_any()
}

fn to_mend(snapshot: &HotelSnapshot, visit: &PageRequest) -> AnyView {
    let faces: Vec<_> = snapshot
        .rooms
        .iter()
        .map(|room| Face::of(room, snapshot))
        .collect();
    let mut out: Vec<&Face<'_>> = faces
        .iter()
        .filter(|face| face.condition == Condition::Out)
        .collect();
    out.sort_by_key(|face| (face.arrives.is_none(), face.facts.room.number.clone()));
    list(
        "Out of order",
        "No room is out of order. Rooms that need you appear here.",
        &out,
        visit,
    )
}

fn list(
    title: &'static str,
    empty: &'static str,
    faces: &[&Face<'_>],
    visit: &PageRequest,
) -> AnyView {
    let items = faces.iter().map(|face| {
        let number = face.facts.room.number.clone();
        let status = face.facts.room.status.clone();
        let button =
            moves(&status).into_iter().next().map(|to| set_button(&number, &status, to, "big-tap", PAGE, &visit.ctx.mint));
        let soon = face
            .arrives
            .map(|_| view! { <span class="sign arrives"><Icon state="arrive" />"A guest arrives today"</span> });
        let version = format!("{status} {}", face.arrives.is_some());
        view! {
            <li data-key=number.clone() data-version=version>
                <div>
                    <a class="room-number" href=address::room(&number)>"Room " {number.clone()}</a>
                    <span class="when">{face.facts.kind.clone()} ", " {face.words().to_lowercase()}</span>
                    {soon}
                </div>
                {button}
            </li>
        }
    });
    let items = items.collect_view();
    view! {
        <section aria-labelledby="work-rooms">
            <h2 id="work-rooms">{title} " " <span class="n">{faces.len()}</span></h2>
            {if faces.is_empty() {
                view! { <p class="empty">{empty}</p> }.into_any()
            } else {
                view! { <ul class="work">{items}</ul> }.into_any()
            }}
        </section>
    }
    .into_any()
}

fn work(cases: Vec<CaseRow>, visit: &PageRequest) -> AnyView {
    let count = cases.len();
    let items = cases
        .into_iter()
        .map(|case| {
            let room = case.room_number.clone().map(|room| format!("Room {room}, "));
            let button = step_button(&case, PAGE, &visit.ctx.mint, true);
            let version = format!("{} {} {:?}", case.case_status, case.priority, case.assignee);
            let pressing = matches!(case.priority.as_str(), "Urgent" | "High").then(|| {
                view! { <Pill state=cases::priority_state(&case.priority) word=case.priority.clone() /> }
            });
            view! {
                <li data-key=case.case_number.clone() data-version=version>
                    <div>
                        <a class="subject" href=address::case(&case.case_number)>{case.subject.clone()}</a>
                        <span class="when">{room} {case.case_status.clone()} ", " <Ago at=case.created_at /></span>
                        {pressing}
                    </div>
                    {button}
                </li>
            }
        })
        .collect_view();
    view! {
        <section aria-labelledby="work-cases">
            <h2 id="work-cases">"Your cases " <span class="n">{count}</span></h2>
            {if count == 0 {
                view! { <p class="empty">"Nothing is assigned to you. New requests appear here."</p> }.into_any()
            } else {
                view! { <ul class="work">{items}</ul> }.into_any()
            }}
        </section>
    }
    .into_any()
}
