//! Islands: the only parts that also run in the browser. A page works without them.

#[cfg(feature = "hydrate")]
mod after_prerender;
mod concierge_panel;
mod copy_buttons;
#[cfg(feature = "hydrate")]
mod document_request;
#[cfg(feature = "hydrate")]
mod dom;
mod drag_and_drop;
mod keyboard_shortcuts;
mod live_page;
#[cfg(feature = "hydrate")]
mod live_stream;
#[cfg(feature = "hydrate")]
mod stream_slot;

pub use self::{
    concierge_panel::ConciergePanel, copy_buttons::CopyButtons, drag_and_drop::DragAndDrop,
    keyboard_shortcuts::KeyboardShortcuts, live_page::LivePage,
};
#[cfg(feature = "ssr")]
pub(crate) use live_page::{PLACEHOLDER, SENTENCES, SEPARATOR};
