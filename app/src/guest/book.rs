//! Search for available rooms and their prices.

use dewy_domain::{caller::Persona, error_code::ErrorCode};
use leptos::prelude::*;

use super::{
    guest_stay::{nights, people},
    offer::{AvailableRoom, cards},
    read::stop,
    stay_query::StayQuery,
};
use crate::{
    components::ProblemPanel,
    form_draft::FormDraft,
    guest::days,
    hotel_time,
    layout::{PageLayout, hotel},
    page::{ErrorPage, PageRequest, page},
    public::{ROOM_TYPES, search},
};

/// Search form and results.
#[component]
pub fn BookPage() -> impl IntoView {
    let today = hotel_time::today();
    page(move |visit: PageRequest| async move {
        let who = visit
            .ctx
            .require_persona(Persona::Guest, &visit.here)
            .await?;
        let today =
            today.ok_or_else(|| ErrorPage::of(ErrorCode::Internal, Persona::Guest, &visit.here))?;
        let kind = visit
            .query_param("room_type")
            .filter(|kind| ROOM_TYPES.iter().any(|(name, _)| name == kind))
            .map(str::to_owned);
        let asked = StayQuery::asked(&visit);
        let read = asked.as_ref().map(|wanted| wanted.read(today));
        let wanted = asked.unwrap_or_else(|| StayQuery::suggestion(today));
        let (draft, found) = match read {
            None => (FormDraft::default(), ().into_any()),
            Some(Err(draft)) => (*draft, ().into_any()),
            Some(Ok((stay, count))) => {
                let rooms =
                    AvailableRoom::search(&visit.ctx, &who, stay, count, kind.as_deref()).await;
                let rooms = rooms.map_err(|no| stop(no, &visit.here))?;
                // Either the nights are unavailable, or the party is too large for a room
                let smaller = if rooms.is_empty() && count > 1 {
                    AvailableRoom::search(&visit.ctx, &who, stay, 1, None).await
                } else {
                    Ok(Vec::new())
                };
                let largest = smaller.ok().and_then(|rooms| largest(&rooms));
                let dates = days(&stay.from.to_string(), &stay.to.to_string());
                let summary = format!("{dates}, {}, {}", nights(stay.count()), people(count));
                let found = match largest.filter(|sleeps| *sleeps < count) {
                    Some(sleeps) => too_many(count, sleeps, summary),
                    None => results(rooms, &wanted, summary),
                };
                (FormDraft::default(), found)
            }
        };
        let content = view! {
            <ProblemPanel draft=draft.clone() />
            <h1>"Find a room"</h1>
            {search("/guest/book", &wanted, kind.as_deref().unwrap_or_default(), &draft)}
            {found}
        };
        Ok(PageLayout::new("Find a room").who(&who).guest(content))
    })
}

/// Capacity of the largest of these rooms.
fn largest(rooms: &[AvailableRoom]) -> Option<i64> {
    rooms.iter().map(|room| room.max_occupancy).max()
}

/// No room is large enough, so other dates don't help, but several rooms do.
fn too_many(count: i64, sleeps: i64, summary: String) -> AnyView {
    let hotel = hotel();
    let phone = hotel.phone.clone().zip(hotel.phone_link());
    let phone =
        phone.map(|(phone, link)| view! { " or call " <a class="phone" href=link>{phone}</a> });
    view! {
        <section aria-labelledby="free">
            <h2 id="free">{format!("No room is large enough for {}", people(count))}</h2>
            <p>
                {summary} ". The largest room that is free then is for up to " {people(sleeps)}
                ", so book several rooms: search again with fewer people. Our front desk gladly arranges rooms next to each other: "
                <a href="/guest/requests?ask=question#ask">"ask them"</a> {phone} "."
            </p>
        </section>
    }
    .into_any()
}

fn results(rooms: Vec<AvailableRoom>, wanted: &StayQuery, summary: String) -> AnyView {
    if rooms.is_empty() {
        return view! {
            <section aria-labelledby="free">
                <h2 id="free">"No room is available for these nights"</h2>
                <p>{summary} ". Other dates, or any kind of room, may have one; our front desk knows who might leave early."</p>
            </section>
        }
        .into_any();
    }
    let href = |room: &AvailableRoom| {
        wanted.on("/guest/book/check", &[("room_number", &room.room_number)])
    };
    view! {
        <section aria-labelledby="free">
            <h2 id="free">"Free rooms"</h2>
            <p class="aside">{summary} ". Prices are for the whole stay, before tax."</p>
            {cards(rooms, href)}
        </section>
    }
    .into_any()
}
