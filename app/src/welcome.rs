//! The start page.

use dewy_domain::caller::Persona;
use leptos::prelude::*;

use crate::{
    layout::{Sheet, hotel},
    page::{Visit, page},
};

/// Welcome page with links for guests and staff.
#[component]
pub fn Welcome() -> impl IntoView {
    page(|visit: Visit| async move {
        let who = visit.ctx.authenticator.who().await;
        let hotel = hotel();
        let photo = hotel
            .photo
            .clone()
            .map(|src| view! { <img class="photo" src=src alt="" /> });
        let content = view! {
            <div class="welcome">
                {photo}
                <h1>"Welcome to " {hotel.name.clone()}</h1>
                <p class="lead">"Check in, see what is on your bill, and check out: from wherever you are, at the hour that suits you."</p>
                <p>
                    <a class="button" href="/guest">"See my stay"</a>
                </p>
                <p class="aside">"Work here? " <a href="/staff">"Staff sign-in"</a></p>
            </div>
        };
        let sheet = Sheet::new("Welcome");
        Ok(match &who {
            Some(who) if who.caller.persona == Persona::Guest => sheet.who(who).guest(content),
            _ => sheet.guest(content),
        })
    })
}
