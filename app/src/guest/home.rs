//! The stay at a glance, with what is next as one big button.

use dewy_domain::{caller::Persona, ports::SignedIn};
use leptos::prelude::*;

use super::folio::{Asked, Folio, StayChoice, ask, days};
use crate::{
    clock::{self, HotelClock},
    layout::Sheet,
    page::{Visit, page},
    words,
};

/// Where a guest comes to.
#[component]
pub fn HomePage() -> impl IntoView {
    page(|visit: Visit| async move {
        let who = visit.gate.admit(Persona::Guest, &visit.here).await?;
        let content = match ask(&visit.gate, &who, visit.asked("booking"), &visit.here).await? {
            Asked::One(folio) => in_house(&who, *folio),
            Asked::Several(stays) => several(&who, stays),
            Asked::None => arriving(&who),
        };
        Ok(Sheet::new("Your stay").who(&who).guest(content))
    })
}

fn greeting(who: &SignedIn) -> String {
    if who.first_name.is_empty() { "Welcome".to_owned() } else { format!("Welcome, {}", who.first_name) }
}

fn in_house(who: &SignedIn, folio: Folio) -> AnyView {
    let query = format!("?booking={}", folio.booking_number);
    let (bill, check_out) = (format!("/guest/folio{query}"), format!("/guest/check-out{query}"));
    let today = clock::now().map(|now| HotelClock::here().day(now).to_string());
    let leaving = today.is_some_and(|today| folio.check_out_date <= today);
    let balance = words::money(folio.balance, folio.currency);
    let next = if leaving {
        view! {
            <p>"Today is the day you leave. Your bill stands at " <strong>{balance}</strong> "."</p>
            <p class="actions stacked">
                <a class="button wide" href=check_out>"Check out"</a>
                <a href=bill>"See your bill first"</a>
            </p>
        }
        .into_any()
    } else {
        view! {
            <p>"Your bill stands at " <strong>{balance}</strong> ". There is nothing you need to do."</p>
            <p class="actions stacked">
                <a class="button wide" href=bill>"See your bill"</a>
                <a href=check_out>"Check out early"</a>
            </p>
        }
        .into_any()
    };
    view! {
        <h1>{greeting(who)}</h1>
        <section class="card stay" aria-labelledby="stay">
            <h2 id="stay">"Room " {folio.room_number}</h2>
            <p class="dates">{days(&folio.check_in_date, &folio.check_out_date)}</p>
            {next}
            <p class="aside">"Booking " {folio.booking_number} " · " {folio.booking_status}</p>
        </section>
    }
    .into_any()
}

fn several(who: &SignedIn, stays: Vec<StayChoice>) -> AnyView {
    let items = stays.into_iter().map(|stay| stay.link("/guest")).collect_view();
    view! {
        <h1>{greeting(who)}</h1>
        <p class="lead">"You have more than one stay with us right now. Which one is it about?"</p>
        <ul class="choices">{items}</ul>
    }
    .into_any()
}

fn arriving(who: &SignedIn) -> AnyView {
    view! {
        <h1>{greeting(who)}</h1>
        <section class="card stay" aria-labelledby="stay">
            <h2 id="stay">"Are you arriving today?"</h2>
            <p>"You are not checked in anywhere right now. If your stay begins, check in here and go straight to your room."</p>
            <p class="actions stacked">
                <a class="button wide" href="/guest/check-in">"Check in"</a>
            </p>
        </section>
        <p class="aside">"Just checked out? Then everything is settled; your receipt is on the page of your check-out."</p>
    }
    .into_any()
}
