//! An execution as staff see it: its whole record.

use dewy_domain::view::{Difference, EventView, ExecutionView};
use leptos::prelude::*;
use serde_json::Value;

use super::connection::{Connection, connection_line};
use crate::{
    components::{MoneyLine, Pill, Steps},
    words,
};

/// Header, money, steps both ways, differences, the journal.
pub fn staff_view(now: RwSignal<ExecutionView>, connection: RwSignal<Connection>) -> AnyView {
    view! {
        <header class="record">
            <h1>{move || now.with(|view| view.title.clone())}</h1>
            <div class="standing" role="status" aria-live="polite">
                {move || now.with(standing)}
            </div>
            {connection_line(now, connection)}
            {move || now.with(facts)}
        </header>
        {move || now.with(money)}
        <div class="ways-two">
            <section aria-labelledby="forward">
                <h2 id="forward">"Forward"</h2>
                {move || now.with(|view| view! { <Steps way="forward" steps=view.forward.clone() /> })}
            </section>
            <section aria-labelledby="back">
                <h2 id="back">"Back"</h2>
                {move || now.with(back)}
            </section>
        </div>
        {move || now.with(differences)}
        {move || now.with(answer)}
        <section aria-labelledby="journal">
            <h2 id="journal">"Journal"</h2>
            <ol class="journal">
                <For each=move || now.with(|view| view.timeline.clone()) key=|row| row.seq children=row />
            </ol>
        </section>
    }
    .into_any()
}

fn standing(view: &ExecutionView) -> AnyView {
    let reason = view.reason.as_ref().map(|reason| view! { <p class="reason">{words::reason(reason).to_owned()} " (" <code>{reason.clone()}</code> ")"</p> });
    let next = view
        .next_try_at
        .filter(|_| !view.at_rest)
        .map(|at| view! { <p class="next">"Next try at " {words::clock_time(at)}</p> });
    view! {
        <Pill state=view.state.clone() word=words::state(&view.state) />
        <p class="summary">{view.summary.clone()}</p>
        {reason}
        {next}
    }
    .into_any()
}

fn facts(view: &ExecutionView) -> AnyView {
    let facts = [
        ("Guest", view.guest_email.clone()),
        ("Booking", view.booking_number.clone()),
        ("Room", view.room_number.clone()),
        ("Asked by", view.asked_by.clone()),
        ("Accepted", Some(words::moment(view.created_at))),
        ("Last change", Some(words::moment(view.updated_at))),
        ("Id", Some(view.execution_id.clone())),
    ];
    let facts = facts.into_iter().filter_map(|(name, value)| value.map(|value| (name, value)));
    view! { <dl class="facts">{facts.map(|(name, value)| view! { <div><dt>{name}</dt> <dd>{value}</dd></div> }).collect_view()}</dl> }.into_any()
}

fn money(view: &ExecutionView) -> AnyView {
    match view.money {
        Some(money) => view! { <MoneyLine money=money /> }.into_any(),
        None => view! { <p class="empty">"No money has moved."</p> }.into_any(),
    }
}

fn back(view: &ExecutionView) -> AnyView {
    if view.back.is_empty() {
        return view! { <p class="empty">"Nothing is undone."</p> }.into_any();
    }
    view! { <Steps way="back" steps=view.back.clone() /> }.into_any()
}

fn differences(view: &ExecutionView) -> AnyView {
    if view.differences.is_empty() {
        return ().into_any();
    }
    let row = |one: Difference| {
        view! {
            <tr>
                <th scope="row">{capital(&one.object)} " " <code>{one.field}</code></th>
                <td>{one.ours}</td>
                <td>{one.found}</td>
            </tr>
        }
    };
    view! {
        <section class="differences" aria-labelledby="differences">
            <h2 id="differences">"Left as found"</h2>
            <p>"Somebody else had changed these after us, so they were not put back."</p>
            <div class="scroll" tabindex="0" role="region" aria-label="Differences">
                <table class="list">
                    <thead>
                        <tr>
                            <th scope="col">"Field"</th>
                            <th scope="col">"Ours"</th>
                            <th scope="col">"Found"</th>
                        </tr>
                    </thead>
                    <tbody>{view.differences.iter().cloned().map(row).collect_view()}</tbody>
                </table>
            </div>
        </section>
    }
    .into_any()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn answer(view: &ExecutionView) -> AnyView {
    match &view.answer {
        Some(answer) => view! {
            <details class="raw">
                <summary>"The answer"</summary>
                <pre tabindex="0">{pretty(answer)}</pre>
            </details>
        }
        .into_any(),
        None => ().into_any(),
    }
}

fn row(row: EventView) -> impl IntoView {
    view! {
        <li>
            <details>
                <summary>
                    <span class="seq">{row.seq}</span>
                    <time datetime=row.at.to_string()>{words::clock_time(row.at)}</time>
                    <span class="what">{row.title}</span>
                </summary>
                <pre tabindex="0">{pretty(&row.detail)}</pre>
            </details>
        </li>
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_else(|_| value.to_string())
}
