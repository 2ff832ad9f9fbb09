//! Concierge pages: one panel, on its own page and beside every other page; a form that posts, with
//! or without scripts.
//!
//! ```text
//! message ─► forms.rs: say ─► Concierge port ─► 303 ─► page.rs ─► panel.rs: log, proposals, actions
//!                                                talk.rs (an island) sends the same forms and swaps the same panel
//! ```

mod form_handlers;
mod items;
mod menu;
mod page;
mod panel;
mod pay;
mod proposal;

pub(crate) use form_handlers::{Switch, unheard_danger};
pub use page::{FORM, GuestConciergePage, StaffConciergePage};
pub use pay::PayPage;
