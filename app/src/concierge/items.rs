//! Items of a conversation in order.

use dewy_domain::{
    caller::Persona,
    concierge::{CallState, Item, Thread},
};
use jiff::Timestamp;
use leptos::prelude::*;
use serde_json::Value;

use super::proposal::card;
use crate::{components::Icon, hotel_time::HotelClock};

/// All items, each with a key, so that screen readers announce only new ones.
pub(super) fn items(persona: Persona, thread: &Thread) -> Vec<AnyView> {
    if thread.items.is_empty() {
        let words = match persona {
            Persona::Guest => {
                "Ask about anything during your stay: your bill, towels, another night, checking out."
            }
            Persona::Staff => "Describe the task in your own words.",
        };
        return vec![view! { <p class="empty" data-key="empty">{words}</p> }.into_any()];
    }
    let each = thread.items.iter().enumerate();
    each.map(|(n, item)| one(persona, thread, n.to_string(), item))
        .collect()
}

fn one(persona: Persona, thread: &Thread, key: String, item: &Item) -> AnyView {
    let you = if thread.foreign { "Guest" } else { "You" };
    match item {
        Item::Said { at, text } => bubble(key, "person", you, *at, text.clone()),
        Item::Answered { at, text, stopped } => {
            let text = match (stopped, text.is_empty()) {
                (true, true) => "Stopped.".to_owned(),
                (true, false) => format!("{} … (stopped)", plain(text)),
                (false, _) => plain(text),
            };
            bubble(key, "model", "Concierge", *at, text)
        }
        Item::Staff { at, by, text } => {
            let by = if by.is_empty() { "Front desk" } else { by };
            bubble(key, "staff", by, *at, text.clone())
        }
        Item::Trouble { text, .. } => {
            view! { <p class="talk-trouble" data-key=key>{text.clone()}</p> }.into_any()
        }
        Item::Note { text, .. } => {
            view! { <p class="talk-note" data-key=key>{text.clone()}</p> }.into_any()
        }
        Item::Proposal(view) => card(persona, &thread.id, key, view),
        Item::Call {
            title,
            state,
            arguments,
            answer,
            execution_id,
            ..
        } => call(
            persona,
            key,
            title,
            *state,
            arguments,
            answer,
            execution_id.as_ref(),
        ),
    }
}

fn bubble(key: String, by: &'static str, name: &str, at: Timestamp, text: String) -> AnyView {
    view! {
        <div class="said" data-key=key data-by=by>
            <p class="by">{name.to_owned()} " " <time datetime=at.to_string()>{HotelClock::here().hour(at)}</time></p>
            <p class="words">{text}</p>
        </div>
    }
    .into_any()
}

/// Line that expands to the request and the response.
fn call(
    persona: Persona,
    key: String,
    title: &str,
    state: Option<CallState>,
    arguments: &Value,
    answer: &Value,
    execution: Option<&String>,
) -> AnyView {
    let (sign, word) = match state {
        None => ("running", "looking it up"),
        Some(CallState::Done) => ("done", "done"),
        Some(CallState::Running) => ("running", "under way"),
        Some(CallState::Refused) => ("refused", "not possible"),
        Some(CallState::Failed) => ("needs_attention", "failed"),
    };
    let link = execution.map(|id| {
        let href = match persona {
            Persona::Guest => format!("/guest/execution/{id}"),
            Persona::Staff => format!("/staff/executions/{id}"),
        };
        view! { <p><a href=href>"See the result"</a></p> }
    });
    let back = (!answer.is_null())
        .then(|| view! { <p class="label">"Result"</p> <pre tabindex="0">{pretty(answer)}</pre> });
    view! {
        <details class="call" id=format!("call-{key}") data-key=key data-state=sign>
            <summary><Icon state=sign /> <span>{title.to_owned()}</span> <span class="aside">{word}</span></summary>
            <p class="label">"What was asked"</p>
            <pre tabindex="0">{pretty(arguments)}</pre>
            {back}
            {link}
        </details>
    }
    .into_any()
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Removes the asterisks that models put around important words.
fn plain(text: &str) -> String {
    text.replace("**", "")
}
