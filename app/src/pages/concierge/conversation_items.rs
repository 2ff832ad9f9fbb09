//! Items of a conversation in order.

use dewy_domain::concierge::{CallState, ConversationItem, ConversationView};
use jiff::Timestamp;

use super::proposal::proposal_card;
use crate::{
    language::{Language, language},
    pages::prelude::*,
};

/// All items, each with a key, so that screen readers announce only new ones.
pub(super) fn items(persona: Persona, thread: &ConversationView) -> Vec<AnyView> {
    if thread.items.is_empty() {
        let words = match persona {
            Persona::Guest => {
                t!("talk-welcome")
            }
            Persona::Staff => "Describe the task in your own words.",
        };
        return vec![view! { <p class="empty" data-key="empty">{words}</p> }.into_any()];
    }
    let each = thread.items.iter().enumerate();
    each.map(|(n, item)| one(persona, thread, n.to_string(), item))
        .collect()
}

fn one(
    persona: Persona,
    thread: &ConversationView,
    key: String,
    item: &ConversationItem,
) -> AnyView {
    let you = if thread.owned_by_other {
        "Guest"
    } else {
        t!("talk-you")
    };
    match item {
        ConversationItem::Said { at, text } => {
            let language = Language::of_text(text).filter(|one| *one != language());
            // Staff are told which language it is; whoever wrote it knows
            let note = language.filter(|_| thread.owned_by_other);
            message_bubble(key, "person", you, *at, text.clone(), (language, note))
        }
        ConversationItem::Answered {
            at,
            text,
            stopped,
            said,
        } => {
            let text = match (stopped, text.is_empty()) {
                (true, true) => t!("talk-stopped").to_owned(),
                (true, false) => format!("{} … {}", plain(text), t!("talk-stopped-here")),
                // A model's own words are in the guest's language
                (false, _) => said.iter().fold(plain(text), |text, sentence| {
                    text.replacen(&plain(&sentence.to_string()), &told(sentence), 1)
                }),
            };
            message_bubble(key, "model", t!("concierge"), *at, text, (None, None))
        }
        ConversationItem::Staff { at, by, text } => {
            let by = if by.is_empty() {
                t!("department-concierge")
            } else {
                by
            };
            message_bubble(key, "staff", by, *at, text.clone(), (None, None))
        }
        ConversationItem::Trouble { text, .. } => {
            view! { <p class="talk-trouble" data-key=key>{told(text)}</p> }.into_any()
        }
        ConversationItem::Note { text, .. } => {
            view! { <p class="talk-note" data-key=key>{told(text)}</p> }.into_any()
        }
        ConversationItem::Proposal(view) => proposal_card(persona, &thread.id, key, view),
        ConversationItem::Call {
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

/// Message, its language if the page is in another one, and the one to mention.
fn message_bubble(
    key: String,
    by: &'static str,
    name: &str,
    at: Timestamp,
    text: String,
    (language, mentioned): (Option<Language>, Option<Language>),
) -> AnyView {
    let note = mentioned.map(|language| {
        let words = t!(
            "talk-written-in",
            language = language.text("language-in-english")
        );
        view! { <p class="aside">{words}</p> }
    });
    view! {
        <div class="said" data-key=key data-by=by>
            <p class="by">{name.to_owned()} " " <time datetime=at.to_string()>{hour(&HotelClock::here(), at)}</time></p>
            <p class="words" lang=language.map(Language::tag)>{text}</p>
            {note}
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
        None => ("running", t!("talk-call-looking")),
        Some(CallState::Done) => ("done", t!("talk-call-done")),
        Some(CallState::Running) => ("running", t!("talk-call-running")),
        Some(CallState::Refused) => ("refused", t!("talk-call-refused")),
        Some(CallState::Failed) => ("needs_attention", t!("talk-call-failed")),
    };
    let link = execution.map(|id| {
        let href = match persona {
            Persona::Guest => format!("/guest/execution/{id}"),
            Persona::Staff => format!("/staff/executions/{id}"),
        };
        view! { <p><a href=href>{t!("see-result")}</a></p> }
    });
    let back = (!answer.is_null())
        .then(|| view! { <p class="label">{t!("talk-result")}</p> <pre tabindex="0">{pretty(answer)}</pre> });
    view! {
        <details class="call" id=format!("call-{key}") data-key=key data-state=sign>
            <summary><Icon state=sign /> <span>{named("tool", title)}</span> <span class="aside">{word}</span></summary>
            <p class="label">{t!("talk-asked")}</p>
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
