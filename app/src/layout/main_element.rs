//! The `main` element of a page, and what keeps it up to date.

use std::sync::LazyLock;

use dewy_domain::{
    caller::Persona,
    ports::{AttentionView, combine_change_numbers},
};
use leptos::prelude::*;

use super::EventStream;
use crate::{
    attention_summary, dates, hotel_time,
    http_request::with_request,
    islands::{LivePage, PLACEHOLDER, SENTENCES, SEPARATOR},
    language::{Language, Value, language, t},
};

/// Content of a page, with its event stream if it follows one.
pub(super) fn main_element<V: IntoView + 'static>(
    follows: Option<EventStream>,
    attention: &AttentionView,
    persona: Persona,
    content: V,
) -> AnyView {
    let silent = attention_summary::outage_notice(attention, persona);
    let notice = silent.clone().filter(|_| persona == Persona::Guest);
    let notice = notice.map(|words| view! { <p class="notice" role="status">{words}</p> });
    let Some(follows) = follows else {
        return view! { <main id="main">{notice} {content}</main> }.into_any();
    };
    // Number streams include the attention count; execution streams don't
    let numbers = [
        attention_summary::EVENTS,
        "/staff/events",
        "/staff/board/events",
        "/guest/events",
    ];
    let mixed = follows
        .events
        .as_deref()
        .is_some_and(|events| numbers.contains(&events));
    let seq = if mixed {
        combine_change_numbers(follows.seq, attention.version())
    } else {
        follows.seq
    };
    let bare = follows.events.as_deref() == Some(attention_summary::EVENTS);
    let now = hotel_time::now();
    let read = follows.as_of.or(now);
    let as_of = read.map(dates::clock_time_for_reader);
    let here = with_request(|parts| parts.uri.path_and_query().map(ToString::to_string)).flatten();
    // Without scripts the page shows its age and a reload link; a page at rest doesn't age
    let by_hand = follows
        .events
        .as_ref()
        .filter(|_| !bare)
        .and(as_of.clone())
        .map(|as_of| {
            view! {
                <noscript>
                    <p class="by-hand">{t!("as-of", time = as_of)} " " <a href=here>{t!("refresh")}</a></p>
                </noscript>
            }
        });
    view! {
        <main
            id="main"
            data-events=follows.events
            data-seq=seq.to_string()
            data-page=bare.then_some(attention_summary::PAGE)
            data-silent=silent
            data-words=live_page_labels(language(), persona)
            data-now=now.map(|now| now.as_second().to_string())
            data-read=read.map(|read| read.as_second().to_string())
            data-as-of=as_of
        >
            <LivePage />
            {by_hand}
            <div data-region="silent">{notice}</div>
            {content}
        </main>
    }
    .into_any()
}

/// Sentences of the island that keeps the page up to date; they are the same on every page. Guests
/// need no word for a page that is up to date.
fn live_page_labels(reader: Language, persona: Persona) -> &'static str {
    static WORDS: LazyLock<Vec<(Language, String)>> = LazyLock::new(|| {
        let in_language = |language: Language| {
            let sentence = |(id, value): (&str, &str)| match value {
                "" => language.text(id).to_owned(),
                name => language.format(id, &[(name, Value::from(PLACEHOLDER.to_string()))]),
            };
            let words = SENTENCES.map(sentence).join(&SEPARATOR.to_string());
            (language, words)
        };
        Language::all().map(in_language).collect()
    });
    let known = WORDS.iter().find(|(language, _)| *language == reader);
    let words = known.map_or("", |(_, words)| words);
    match (persona, words.find(SEPARATOR)) {
        (Persona::Guest, Some(first)) => words.get(first..).unwrap_or_default(),
        _ => words,
    }
}
