//! The start page: the hotel, its rooms, and how a stay goes.

use dewy_domain::caller::Persona;
use leptos::prelude::*;
use leptos_meta::Meta;

use super::{
    art::{hero, room_picture},
    room_kind::{RoomKind, room_kinds},
    search::search,
};
use crate::{
    address,
    components::Icon,
    escape::escaped,
    form_draft::FormDraft,
    guest::StayQuery,
    hotel_time,
    layout::{PageLayout, hotel},
    page::{PageRequest, page},
};

/// How a stay goes: icon, title, sentence.
const STAY: [(&str, &str, &str); 3] = [
    (
        "phone",
        "Check in before you arrive",
        "On your phone, on the day. Your key is ready when you are.",
    ),
    (
        "talk",
        "Ask for anything, at any hour",
        "Towels, a late check-out, a table for two: our concierge answers, and our people come.",
    ),
    (
        "leave",
        "Leave without the line",
        "See your bill, pay, and go. Your receipt is with you before your taxi is.",
    ),
];

/// Start page.
#[component]
pub fn LandingPage() -> impl IntoView {
    let today = hotel_time::today();
    page(move |visit: PageRequest| async move {
        let who = visit.ctx.authenticator.who().await;
        let rooms = visit.ctx.public_inventory.rooms().await;
        let hotel = hotel();
        let wanted = today.map(StayQuery::suggestion).unwrap_or_default();
        let kinds = rooms.map(|rooms| room_kinds(&rooms)).unwrap_or_default();
        let about = format!("{}: rooms, prices, and booking.", hotel.name);
        let content = view! {
            <Meta name="description" content=escaped(&about) />
            <div class="landing">
                <section class="hero">
                    {hero()}
                    <div class="hero-card">
                        <h1>{hotel.name.clone()}</h1>
                        <p class="lead">{hotel.tagline.clone()}</p>
                        {search("/rooms", &wanted, "", &FormDraft::default())}
                    </div>
                </section>
                {rooms_section(&kinds)}
                {stay_section()}
                <p class="staff-door"><a href="/staff">"Staff sign-in"</a></p>
            </div>
        };
        let sheet = PageLayout::new("Rooms and booking").public();
        Ok(match &who {
            Some(who) if who.caller.persona == Persona::Guest => sheet.who(who).guest(content),
            _ => sheet.guest(content),
        })
    })
}

/// Room types with pictures and prices; without them while the booking system does not answer.
fn rooms_section(kinds: &[RoomKind]) -> AnyView {
    if kinds.is_empty() {
        return view! {
            <section class="band" aria-labelledby="rooms">
                <h2 id="rooms">"Our rooms"</h2>
                <p>"We can’t show our rooms and prices right now. Please try again in a few minutes, or call us: our front desk knows them all."</p>
            </section>
        }
        .into_any();
    }
    let cards = kinds.iter().map(|kind| {
        let href = address::with_query("/rooms", [("room_type", kind.name.as_str())]);
        view! {
            <li class="room-kind">
                {room_picture(&kind.name, true)}
                <div class="room-words">
                    <h3>{kind.name.clone()}</h3>
                    <p class="room-line">{kind.line()}</p>
                    {kind.feature_list()}
                    <div class="room-foot">
                        {kind.price()}
                        <a class="button quiet" href=href>"Choose dates" <span class="unseen">{format!(" for a {} room", kind.name)}</span></a>
                    </div>
                </div>
            </li>
        }
    });
    view! {
        <section class="band" aria-labelledby="rooms">
            <h2 id="rooms">"Our rooms"</h2>
            <ul class="room-kinds">{cards.collect_view()}</ul>
            <p class="small">"Prices are for one night, before tax. Nothing is charged when you book: you pay when you check out."</p>
        </section>
    }
    .into_any()
}

fn stay_section() -> AnyView {
    let items = STAY.map(|(icon, title, text)| {
        view! {
            <li>
                <Icon state=icon />
                <h3>{title}</h3>
                <p>{text}</p>
            </li>
        }
    });
    view! {
        <section class="band" aria-labelledby="stay">
            <h2 id="stay">"A stay without the waiting"</h2>
            <ul class="promises">{items.into_iter().collect_view()}</ul>
        </section>
    }
    .into_any()
}
