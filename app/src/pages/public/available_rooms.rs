//! Rooms that are free for some dates, for everyone. A room leads through the sign-in to the
//! booking, with the choice kept.

use dewy_domain::ports::PublicInventory;

use super::{
    room_offers::{free_rooms, priced},
    room_type::room_kinds,
    search_form::{ROOM_TYPES, search},
    stay_query::StayQuery,
};
use crate::pages::prelude::*;

/// Search form, and the rooms.
pub async fn free_rooms_page(request: PageRequest) -> PageResult {
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
        None => {
            let all = all_kinds(inventory, "/rooms", &kind, &wanted).await;
            (FormDraft::default(), all)
        }
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
}

/// All types, before dates are chosen; each leads to its free rooms for the suggested dates, on the
/// page of the search.
pub async fn all_kinds(
    inventory: &dyn PublicInventory,
    page: &str,
    kind: &str,
    wanted: &StayQuery,
) -> AnyView {
    let rooms = match inventory.rooms().await {
        Ok(rooms) => rooms,
        Err(code) => return unavailable(code),
    };
    let kinds = room_kinds(&rooms);
    let shown = kinds
        .iter()
        .filter(|one| kind.is_empty() || one.name == kind);
    let items = shown.map(|kind| {
        let href = wanted.on(page, &[("room_type", &kind.name)]);
        kind.item("free-kind", href, t!("search-show"))
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
    let mut fitting = rooms
        .rooms
        .iter()
        .filter(|room| room.sleeps >= count && of_kind(&room.kind))
        .peekable();
    if fitting.peek().is_none() {
        return none(count, largest.filter(|sleeps| *sleeps < count), summary);
    }
    let priced = fitting.map(|room| priced(room, stay, rooms.currency));
    free_rooms(priced.collect(), summary, wanted)
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
        ErrorCode::RateLimited => t!("rooms-busy").to_owned(),
        ErrorCode::QuotaReserved | ErrorCode::AccessRefused => {
            labels::error_text(code, Persona::Guest)
        }
        _ => t!("rooms-silent").to_owned(),
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
