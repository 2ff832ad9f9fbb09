//! The start page.

use leptos::prelude::*;

use crate::{
    layout,
    page::{Visit, page},
};

/// A short welcome, and the two doors.
#[component]
pub fn Welcome() -> impl IntoView {
    page(|visit: Visit| async move {
        let who = visit.gate.doorman.who().await;
        let content = view! {
            <div class="welcome">
                <h1>"Welcome to Dewy Resort"</h1>
                <p class="lead">"See what is on your bill, pay, and check out: from your room, at the hour that suits you."</p>
                <p>
                    <a class="button" href="/guest/folio">"See my stay"</a>
                </p>
                <p class="aside">"You work here? " <a href="/staff/executions">"Staff sign-in"</a></p>
            </div>
        };
        Ok(layout::guest("Welcome", who.as_ref(), content))
    })
}
