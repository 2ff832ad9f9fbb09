//! The start page: the hotel, its rooms, and how a stay goes.

use super::{
    demo_strip::demo_strip,
    hotel_information::{StayPhase, hotel_information},
    illustrations::hero,
    room_type::{RoomKind, room_kinds},
    search_form::search,
    stay_query::StayQuery,
};
use crate::{escape::escaped, pages::prelude::*};
use leptos_meta::Meta;

/// How a stay goes: icon, and messages of its title and sentence.
const STAY: [(&str, &str, &str); 3] = [
    ("phone", "landing-check-in", "landing-check-in-text"),
    ("talk", "landing-ask", "landing-ask-text"),
    ("leave", "landing-leave", "landing-leave-text"),
];

/// Terms of every booking.
const PROMISES: [&str; 3] = ["landing-free", "landing-cancel", "landing-pay-later"];

pub async fn landing_page(request: PageRequest) -> PageResult {
    let today = hotel_time::today();
    let user = request.ctx.authenticator.signed_in().await;
    let rooms = request.ctx.public_inventory.rooms().await;
    let hotel = hotel();
    let wanted = today.map(StayQuery::suggestion).unwrap_or_default();
    let kinds = rooms.map(|rooms| room_kinds(&rooms)).unwrap_or_default();
    let about = t!("landing-about", hotel = hotel.name.clone());
    let content = view! {
        <Meta name="description" content=escaped(&about) />
        {demo_strip(&request.ctx.authenticator.demo_accounts())}
        <div class="landing">
            <section class="hero">
                {hero()}
                <div class="hero-card">
                    <h1>{hotel.name.clone()}</h1>
                    <p class="lead">{named("hotel", &hotel.tagline)}</p>
                    {search("/rooms", &wanted, "", &FormDraft::default())}
                    {booking_promises()}
                </div>
            </section>
            {rooms_section(&kinds)}
            {stay_section()}
            {hotel_information(StayPhase::Visiting)}
        </div>
    };
    Ok(PageLayout::new(t!("landing-title"))
        .public(user.as_ref())
        .guest(content))
}

/// What booking costs and binds to, beside the button that leads to it.
fn booking_promises() -> AnyView {
    let items = PROMISES.map(|words| view! { <li><Icon state="completed" /> {text(words)}</li> });
    view! { <ul class="booking-promises" aria-label=t!("landing-promises")>{items.into_iter().collect_view()}</ul> }
        .into_any()
}

/// Room types with pictures and prices; without them while the booking system does not answer.
fn rooms_section(kinds: &[RoomKind]) -> AnyView {
    if kinds.is_empty() {
        return view! {
            <section class="band" aria-labelledby="rooms">
                <h2 id="rooms">{t!("landing-our-rooms")}</h2>
                <p>{t!("landing-silent")}</p>
            </section>
        }
        .into_any();
    }
    let cards = kinds.iter().map(|kind| {
        let href = page_url::with_query("/rooms", [("room_type", kind.name.as_str())]);
        kind.item("room-kind", href, t!("landing-choose"))
    });
    view! {
        <section class="band" aria-labelledby="rooms">
            <h2 id="rooms">{t!("landing-our-rooms")}</h2>
            <ul class="room-kinds">{cards.collect_view()}</ul>
            <p class="small">{t!("landing-prices")}</p>
        </section>
    }
    .into_any()
}

fn stay_section() -> AnyView {
    let items = STAY.map(|(icon, title, words)| {
        view! {
            <li>
                <Icon state=icon />
                <h3>{text(title)}</h3>
                <p>{text(words)}</p>
            </li>
        }
    });
    view! {
        <section class="band" aria-labelledby="stay">
            <h2 id="stay">{t!("landing-stay")}</h2>
            <ul class="promises">{items.into_iter().collect_view()}</ul>
        </section>
    }
    .into_any()
}
