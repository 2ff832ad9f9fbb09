//! An execution as its guest sees it.

use dewy_domain::view::ExecutionView;
use leptos::prelude::*;

use super::{
    connection::{Connection, connection_line},
    outcome::outcome,
};
use crate::{
    components::{MoneyLine, Pill, Steps},
    words,
};

/// Where it stands, what became of it, the steps and the money.
pub fn guest_view(now: RwSignal<ExecutionView>, connection: RwSignal<Connection>) -> AnyView {
    view! {
        <h1>{move || now.with(heading)}</h1>
        <div class="standing" role="status" aria-live="polite">
            {move || now.with(standing)}
        </div>
        {connection_line(now, connection)}
        {move || now.with(act)}
        {move || now.with(outcome)}
        <section aria-labelledby="steps" class="progress">
            <h2 id="steps">"Step by step"</h2>
            {move || now.with(|view| view! { <Steps way="forward" steps=view.forward.clone() /> })}
            {move || now.with(back)}
        </section>
        {move || now.with(money)}
        <p class="reference">"Reference " <code>{move || now.with(|view| view.execution_id.clone())}</code></p>
    }
    .into_any()
}

fn heading(view: &ExecutionView) -> String {
    let what = if view.tool == "process_guest_checkout" { "Your check-out" } else { view.title.as_str() };
    view.room_number.as_ref().map_or_else(|| what.to_owned(), |room| format!("{what}, room {room}"))
}

fn standing(view: &ExecutionView) -> AnyView {
    view! {
        <Pill state=view.state.clone() word=words::state_for_guest(&view.state) />
        <p class="summary">{view.summary.clone()}</p>
    }
    .into_any()
}

fn act(view: &ExecutionView) -> AnyView {
    match (&view.next_action_url, view.at_rest) {
        (Some(url), false) => view! {
            <p class="actions">
                <a class="button" href=url.clone()>
                    "Go on at your bank"
                </a>
            </p>
        }
        .into_any(),
        _ => ().into_any(),
    }
}

fn back(view: &ExecutionView) -> AnyView {
    if view.back.is_empty() {
        return ().into_any();
    }
    view! {
        <h3>"Putting it right"</h3>
        <Steps way="back" steps=view.back.clone() />
    }
    .into_any()
}

fn money(view: &ExecutionView) -> AnyView {
    match view.money {
        Some(money) => view! { <MoneyLine money=money /> }.into_any(),
        None => ().into_any(),
    }
}
