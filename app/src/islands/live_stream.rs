//! Event stream that leaves room for the other tabs of the browser.
//!
//! A tab that is shown takes one of a few places for streams, and gives it back when it is hidden.
//! A tab without a place is told of changes by the tabs that have one, and looks by itself now and
//! then. One place may be kept by a hidden tab, so that alarms sound.

use std::{cell::RefCell, rc::Rc};

use leptos::prelude::{document, set_interval_with_handle, set_timeout};
use wasm_bindgen::{JsCast, closure::Closure};
use web_sys::{BroadcastChannel, Event, EventSource, MessageEvent};

use super::stream_slot::{self, StreamSlot};

/// Interval at which a shown tab without a stream looks for changes.
const LOOK: std::time::Duration = std::time::Duration::from_secs(6);
/// Channel on which tabs tell each other of changes.
const CHANNEL: &str = "dewy-changes";

/// What happens on a stream.
pub enum StreamEvent {
    Message(MessageEvent),
    /// Something may have changed; there is no stream to say what.
    MayHaveChanged,
    /// The connection broke; `true` if the browser doesn't reconnect.
    Lost(bool),
}

/// Live stream; closed when this is dropped.
pub struct LiveStream(Rc<Shared>);

struct Shared {
    url: String,
    /// Whether the stream reports what sounds an alarm, so that a hidden tab may keep it.
    sounds_alarms: bool,
    handle: Box<dyn Fn(StreamEvent)>,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    source: Option<OpenSource>,
    /// Whether this tab waits for the place that hidden tabs may keep.
    waits: bool,
    closed: bool,
    channel: Option<BroadcastChannel>,
    stop_looking: Option<leptos::prelude::IntervalHandle>,
}

/// Open connection, with its handlers, which must live as long as it does.
struct OpenSource {
    source: EventSource,
    slot: StreamSlot,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _lost: Closure<dyn FnMut(Event)>,
}

impl Drop for OpenSource {
    fn drop(&mut self) {
        self.source.close();
    }
}

impl LiveStream {
    pub fn follow(
        url: String,
        sounds_alarms: bool,
        handle: impl Fn(StreamEvent) + 'static,
    ) -> Self {
        let shared = Rc::new(Shared {
            url,
            sounds_alarms,
            handle: Box::new(handle),
            state: RefCell::default(),
        });
        shared.listen_to_tabs();
        shared.follow_visibility();
        let weak = Rc::downgrade(&shared);
        let looking = set_interval_with_handle(
            move || {
                if let Some(shared) = weak.upgrade() {
                    shared.look();
                }
            },
            LOOK,
        );
        shared.state.borrow_mut().stop_looking = looking.ok();
        shared.seek();
        Self(shared)
    }

    /// Address of the stream.
    pub fn url(&self) -> &str {
        &self.0.url
    }
}

impl Drop for LiveStream {
    fn drop(&mut self) {
        let mut state = self.0.state.borrow_mut();
        state.closed = true;
        state.source = None;
        if let Some(channel) = state.channel.take() {
            channel.close();
        }
        if let Some(looking) = state.stop_looking.take() {
            looking.clear();
        }
    }
}

impl Shared {
    /// Whether a connection is wanted and missing.
    fn lacks_source(&self) -> bool {
        let state = self.state.borrow();
        !state.closed && state.source.is_none()
    }

    /// Tries to get a place, unless there is a connection.
    fn seek(self: &Rc<Self>) {
        if !self.lacks_source() {
            return;
        }
        let waits = std::mem::replace(&mut self.state.borrow_mut().waits, true);
        if self.sounds_alarms && !waits {
            let this = Rc::clone(self);
            stream_slot::wait_for_alarms(move |slot| {
                this.state.borrow_mut().waits = false;
                this.open(slot);
            });
        }
        if !document().hidden() {
            let this = Rc::clone(self);
            // The place for alarms is asked for first, and is granted in a moment if it is free
            set_timeout(
                move || {
                    if this.lacks_source() {
                        let again = Rc::clone(&this);
                        stream_slot::take(move |slot| {
                            if let Some(slot) = slot.filter(|_| !document().hidden()) {
                                again.open(slot);
                            }
                        });
                    }
                },
                std::time::Duration::ZERO,
            );
        }
    }

    fn open(self: &Rc<Self>, slot: StreamSlot) {
        if !self.lacks_source() {
            return;
        }
        let Ok(source) = EventSource::new(&self.url) else {
            return (self.handle)(StreamEvent::Lost(true));
        };
        let this = Rc::downgrade(self);
        let message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(this) = this.upgrade() {
                this.tell_tabs();
                (this.handle)(StreamEvent::Message(event));
            }
        });
        let (this, losing) = (Rc::downgrade(self), source.clone());
        let lost = Closure::<dyn FnMut(Event)>::new(move |_: Event| {
            if let Some(this) = this.upgrade() {
                (this.handle)(StreamEvent::Lost(
                    losing.ready_state() == EventSource::CLOSED,
                ));
            }
        });
        source.set_onmessage(Some(message.as_ref().unchecked_ref()));
        source.set_onerror(Some(lost.as_ref().unchecked_ref()));
        self.state.borrow_mut().source = Some(OpenSource {
            source,
            slot,
            _message: message,
            _lost: lost,
        });
    }

    /// Without a stream, a shown tab looks by itself, and tries again to get a place.
    fn look(self: &Rc<Self>) {
        if self.lacks_source() && !document().hidden() {
            (self.handle)(StreamEvent::MayHaveChanged);
            self.seek();
        }
    }

    fn tell_tabs(&self) {
        if let Some(channel) = &self.state.borrow().channel {
            let _ = channel.post_message(&self.url.as_str().into());
        }
    }

    fn listen_to_tabs(self: &Rc<Self>) {
        let Ok(channel) = BroadcastChannel::new(CHANNEL) else {
            return;
        };
        let this = Rc::downgrade(self);
        let told = Closure::<dyn FnMut(MessageEvent)>::new(move |_: MessageEvent| {
            if let Some(this) = this.upgrade()
                && this.lacks_source()
                && !document().hidden()
            {
                (this.handle)(StreamEvent::MayHaveChanged);
            }
        });
        channel.set_onmessage(Some(told.as_ref().unchecked_ref()));
        // The channel is closed with the stream; the page keeps the handler
        told.forget();
        self.state.borrow_mut().channel = Some(channel);
    }

    fn follow_visibility(self: &Rc<Self>) {
        let this = Rc::downgrade(self);
        let changed = Closure::<dyn FnMut()>::new(move || {
            let Some(this) = this.upgrade() else { return };
            if !document().hidden() {
                return this.look();
            }
            let mut state = this.state.borrow_mut();
            if state
                .source
                .as_ref()
                .is_some_and(|open| !open.slot.for_alarms)
            {
                state.source = None;
                drop(state);
                this.seek();
            }
        });
        let _ = document()
            .add_event_listener_with_callback("visibilitychange", changed.as_ref().unchecked_ref());
        changed.forget();
    }
}
