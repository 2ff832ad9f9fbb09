//! Connection to the server's events, and reloading of the page.

use std::{cell::RefCell, time::Duration};

use leptos::prelude::*;
use web_sys::{Document, Element};

use super::{Connection, Line, attention_alert, live_times, replace_regions};
use crate::islands::{
    after_prerender::once_shown,
    document_request::DocumentRequest,
    dom::{copy_attributes, find},
    live_stream::{LiveStream, StreamEvent},
};

/// Minimum interval between reloads, because busy hotels change often.
const PAUSE: Duration = Duration::from_millis(700);

thread_local! {
    static FOLLOW: RefCell<Subscription> = RefCell::new(Subscription::default());
}

#[derive(Default)]
struct Subscription {
    line: Option<RwSignal<Line>>,
    stream: Option<LiveStream>,
    /// Reload in progress.
    reading: Option<DocumentRequest>,
    /// Reload again afterward; `Some(true)` to include the slow parts.
    again: Option<bool>,
    /// Page that waits to be shown.
    held: Option<Document>,
}

/// Follows the stream named by the page's `main`, for the lifetime of the page.
pub fn begin(line: RwSignal<Line>) {
    // In an effect: the first render must match the server's
    Effect::new(move || {
        once_shown(move || {
            FOLLOW.with_borrow_mut(|follow| follow.line = Some(line));
            replace_regions::remember(&document());
            live_times::begin(line);
            attention_alert::begin();
            listen();
        });
    });
}

/// Shows the changes that were held back.
pub fn show() {
    let held = FOLLOW.with_borrow_mut(|follow| follow.held.take());
    if let Some(page) = held {
        replace(&page, true);
    }
}

fn update_line(change: impl FnOnce(&mut Line)) {
    if let Some(line) = FOLLOW.with_borrow(|follow| follow.line) {
        line.update(change);
    }
}

fn main_element() -> Option<Element> {
    find("main[data-seq]")
}

/// Connects to the stream that the page names, unless already connected.
fn listen() {
    let url = main_element().and_then(|main| main.get_attribute("data-events"));
    let same =
        FOLLOW.with_borrow(|follow| follow.stream.as_ref().map(LiveStream::url) == url.as_deref());
    if same {
        return;
    }
    drop(FOLLOW.with_borrow_mut(|follow| follow.stream.take()));
    match url {
        None => update_line(|line| line.connection = Connection::Idle),
        Some(url) => {
            let stream = connect(url);
            FOLLOW.with_borrow_mut(|follow| follow.stream = Some(stream));
        }
    }
}

fn connect(url: String) -> LiveStream {
    LiveStream::follow(url, true, |event| match event {
        StreamEvent::Message(event) => {
            mark_live();
            let seen = main_element().and_then(|main| main.get_attribute("data-seq"));
            let number = Some(event.last_event_id())
                .filter(|id| !id.is_empty())
                .or_else(|| event.data().as_string());
            if seen != number {
                reload_regions(false);
            }
        }
        StreamEvent::MayHaveChanged => {
            mark_live();
            reload_regions(false);
        }
        // A stream ends after its last change, which is being read; if it was lost, the next attempt
        // to connect says so
        StreamEvent::Lost(false) if FOLLOW.with_borrow(|follow| follow.reading.is_some()) => {}
        StreamEvent::Lost(for_good) => update_line(|line| {
            line.connection = if for_good {
                Connection::Closed
            } else {
                Connection::Lost
            }
        }),
    })
}

/// Shows that the page follows its changes.
fn mark_live() {
    if let Some(root) = document().document_element() {
        // The page's watchdog checks it
        let _ = root.set_attribute("data-live", "");
    }
    update_line(|line| line.connection = Connection::Open);
}

/// Reloads the page, now or after the current reload; `whole` includes slow parts.
fn reload_regions(whole: bool) {
    let busy = FOLLOW.with_borrow_mut(|follow| {
        let busy = follow.reading.is_some();
        if busy {
            follow.again = Some(whole || follow.again == Some(true));
        }
        busy
    });
    if !busy && let Some(reading) = read(whole) {
        FOLLOW.with_borrow_mut(|follow| follow.reading = Some(reading));
    }
}

fn read(whole: bool) -> Option<DocumentRequest> {
    let here = window().location();
    // A page without regions fetches a small one instead
    let other = main_element().and_then(|main| main.get_attribute("data-page"));
    let (path, query) = match other {
        Some(path) => (path, String::new()),
        None => (here.pathname().ok()?, here.search().ok()?),
    };
    let url = match (whole, query.is_empty()) {
        (true, _) => format!("{path}{query}"),
        (false, true) => format!("{path}?live=1"),
        (false, false) => format!("{path}{query}&live=1"),
    };
    DocumentRequest::send(&url, None, move |fetched| {
        match (fetched.status, fetched.page) {
            // A sign-in page came instead, or the subject is gone: show that
            (200, _) if !fetched.url.contains(&path) => drop(window().location().reload()),
            (200, Some(page)) => replace(&page, false),
            (404, _) => drop(window().location().reload()),
            // The server is busy or down: the next event or reconnect tries again
            _ => {}
        }
        set_timeout(finish_read, PAUSE);
    })
}

/// Pause after a reload.
fn finish_read() {
    let again = FOLLOW.with_borrow_mut(|follow| {
        follow.reading = None;
        follow.again.take()
    });
    if let Some(whole) = again {
        reload_regions(whole);
    }
}

/// Applies the page's regions; `shown` when the person asked for it.
fn replace(page: &Document, shown: bool) {
    let found = replace_regions::replace(page, shown);
    FOLLOW.with_borrow_mut(|follow| follow.held = (found.held > 0).then(|| page.clone()));
    let new_main = page.query_selector("main[data-seq]").ok().flatten();
    if let (Some(old), Some(new)) = (main_element(), new_main) {
        // The number belongs to the fetched page's stream; this page's stream stays
        let own: &[&str] = if old.has_attribute("data-page") {
            &[]
        } else {
            &["data-events"]
        };
        let shared = [
            "data-seq",
            "data-now",
            "data-read",
            "data-as-of",
            "data-silent",
        ];
        copy_attributes(&old, &new, shared.into_iter().chain(own.iter().copied()));
    }
    update_line(|line| line.held = found.held);
    live_times::update_all();
    attention_alert::compare();
    if found.late {
        reload_regions(true);
    }
    listen();
}
