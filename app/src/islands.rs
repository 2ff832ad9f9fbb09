//! Islands: the only parts that also run in the browser. A page works without them.

mod drag;
mod keys;
mod live;
mod talk;

pub use self::{drag::Drag, keys::Keys, live::Live, talk::Talk};
#[cfg(feature = "ssr")]
pub(crate) use live::{BETWEEN, GAP, SENTENCES};
