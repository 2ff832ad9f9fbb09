//! Rooms that are free for some dates, for everyone. A room leads through the sign-in to the
//! booking, with the choice kept.

use dewy_domain::{
    error_code::ErrorCode,
    nights::Nights,
    ports::{PublicInventory, PublicRooms},
};
use leptos::prelude::*;

use super::{
    illustrations::room_picture,
    room_offers::{left, offers, priced, room_description, room_sum},
    room_type::{RoomKind, room_kinds},
    search_form::{ROOM_TYPES, search},
    stay_query::StayQuery,
};
use crate::{
    components::ErrorSummary,
    dates::date_range,
    form_draft::FormDraft,
    hotel_profile::hotel,
    labels::{self, beds_text, error_message, nights, people, view_text},
    language::{rich, t},
    layout::PageLayout,
    render_page::{PageRequest, page},
};

/// Search form, and the rooms.
#[component]
pub fn FreeRoomsPage() -> impl IntoView {
    page(|request: PageRequest| async move {
        let user = request.ctx.authenticator.signed_in().await;
        let today = request.today()?;
        let kind = request
            .query_param("room_type")
            .filter(|kind| ROOM_TYPES.iter().any(|(name, _)| name == kind))
            .unwrap_or_default()
            .to_owned();
        let asked = StayQuery::from_url(&request);
        let read = asked.as_ref().map(|wanted| wanted.read(today));
        let wanted = asked.unwrap_or_else(|| StayQuery::suggestion(today));
        let inventory = &*request.ctx.public_inventory;
        let (draft, found) = match read {
            Some(Err(draft)) => (*draft, ().into_any()),
            Some(Ok((stay, count))) => {
                let found = free(inventory, stay, count, &kind, &wanted).await;
                (FormDraft::default(), found)
            }
            None => (FormDraft::default(), all(inventory, &kind, &wanted).await),
        };
        let content = view! {
            <div class="rooms-page">
                <ErrorSummary draft=draft.clone() />
                <h1>{t!("rooms-title")}</h1>
                {search("/rooms", &wanted, &kind, &draft)}
                {found}
            </div>
        };
        Ok(PageLayout::new(t!("rooms-title"))
            .public(user.as_ref())
            .guest(content))
    })
}

/// All types, before dates are chosen; each leads to its free rooms for the suggested dates.
async fn all(inventory: &dyn PublicInventory, kind: &str, wanted: &StayQuery) -> AnyView {
    let rooms = match inventory.rooms().await {
        Ok(rooms) => rooms,
        Err(code) => return unavailable(code),
    };
    let kinds = room_kinds(&rooms);
    let shown = kinds
        .iter()
        .filter(|one| kind.is_empty() || one.name == kind);
    let items = shown.map(|kind| {
        let href = wanted.on("/rooms", &[("room_type", &kind.name)]);
        let of = t!("landing-choose-room", room = kind.name.clone());
        view! {
            <li class="free-kind">
                {room_picture(&kind.name, true)}
                <div class="room-words">
                    <h3>{kind.name.clone()}</h3>
                    <p class="room-line">{kind.line()}</p>
                    {kind.feature_list()}
                    {kind.amenities()}
                    <div class="room-foot">
                        {kind.price()}
                        <a class="button quiet" href=href>{t!("search-show")} <span class="unseen">" " {of}</span></a>
                    </div>
                </div>
            </li>
        }
    });
    view! {
        <section aria-labelledby="free">
            <h2 id="free">{t!("rooms-all")}</h2>
            <p class="aside">{t!("rooms-choose")}</p>
            <ul class="free-kinds">{items.collect_view()}</ul>
        </section>
    }
    .into_any()
}

/// Rooms that are free for these nights.
async fn free(
    inventory: &dyn PublicInventory,
    stay: Nights,
    count: i64,
    kind: &str,
    wanted: &StayQuery,
) -> AnyView {
    let rooms = match inventory.free(stay).await {
        Ok(rooms) => rooms,
        Err(code) => return unavailable(code),
    };
    let dates = date_range(stay.from, stay.to);
    let summary = [dates, nights(stay.count()), people(count)].join(", ");
    let largest = rooms.rooms.iter().map(|room| room.sleeps).max();
    let of_kind = |name: &str| kind.is_empty() || name == kind;
    let fitting = PublicRooms {
        rooms: rooms
            .rooms
            .iter()
            .filter(|room| room.sleeps >= count && of_kind(&room.kind))
            .cloned()
            .collect(),
        currency: rooms.currency,
    };
    if fitting.rooms.is_empty() {
        return none(count, largest.filter(|sleeps| *sleeps < count), summary);
    }
    let kinds = room_kinds(&fitting);
    let items = kinds
        .iter()
        .map(|kind| kind_with_offers(kind, &fitting, stay, wanted));
    view! {
        <section aria-labelledby="free">
            <h2 id="free">{t!("free-rooms")}</h2>
            <p class="aside">{summary} ". " {t!("rooms-prices")}</p>
            <ul class="free-kinds">{items.collect_view()}</ul>
        </section>
    }
    .into_any()
}

/// A type, and its rooms with their prices.
fn kind_with_offers(
    kind: &RoomKind,
    rooms: &PublicRooms,
    stay: Nights,
    wanted: &StayQuery,
) -> AnyView {
    let own = rooms.rooms.iter().filter(|room| room.kind == kind.name);
    let own = own.map(|room| priced(room, stay, rooms.currency));
    let rows = offers(own.collect()).into_iter().map(|(room, count)| {
        let left = left(count);
        let total = labels::money(room.total, room.currency);
        let features = [
            room.beds.as_deref().map(beds_text),
            room.view.as_deref().map(view_text),
            Some(t!("up-to", people = people(room.max_occupancy))),
            room.accessible.then(|| t!("accessible").to_owned()),
        ];
        let features: Vec<_> = features.into_iter().flatten().collect();
        let href = wanted.on("/guest/book/check", &[("room_number", &room.room_number)]);
        view! {
            <li class="rate">
                <p class="rate-what">{features.join(" · ")}</p>
                <p class="rate-price"><strong>{total.clone()}</strong> <span>{room_sum(&room)} " · " {left}</span></p>
                <a class="button" href=href>{t!("book")} <span class="unseen">{format!(" {}, {total}", room_description(&room))}</span></a>
            </li>
        }
    });
    view! {
        <li class="free-kind">
            {room_picture(&kind.name, true)}
            <div class="room-words">
                <h3>{kind.name.clone()}</h3>
                <p class="room-line">{kind.line()}</p>
                {kind.amenities()}
                <ul class="rates">{rows.collect_view()}</ul>
            </div>
        </li>
    }
    .into_any()
}

/// Nothing fits: other dates, or several rooms.
fn none(count: i64, largest: Option<i64>, summary: String) -> AnyView {
    let (title, words) = match largest {
        Some(sleeps) => (
            t!("no-room-so-large", people = people(count)),
            t!("rooms-too-many", people = people(sleeps)),
        ),
        None => (t!("rooms-none").to_owned(), t!("other-dates").to_owned()),
    };
    view! {
        <section aria-labelledby="free">
            <h2 id="free">{title}</h2>
            <p>{summary} ". " {words} {call()}</p>
        </section>
    }
    .into_any()
}

/// Free rooms are not known.
fn unavailable(code: ErrorCode) -> AnyView {
    let words = match code {
        ErrorCode::RateLimited => {
            t!("rooms-busy")
        }
        ErrorCode::QuotaReserved => error_message(code),
        _ => t!("rooms-silent"),
    };
    view! {
        <section aria-labelledby="free">
            <h2 id="free">{t!("rooms-cannot")}</h2>
            <p>{words} {call()}</p>
        </section>
    }
    .into_any()
}

/// The front desk's phone, if there is one.
fn call() -> Option<AnyView> {
    let hotel = hotel();
    let (phone, link) = hotel.phone.clone().zip(hotel.phone_link())?;
    let link = view! { <a class="phone" href=link>{phone}</a> }.into_any();
    Some(view! { " " {rich("rooms-call", vec![("phone", link)], &[])} }.into_any())
}
