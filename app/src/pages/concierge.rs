//! Concierge pages: one panel, on its own page and beside every other page; a form that posts, with
//! or without scripts.
//!
//! ```text
//! message ─► forms.rs: say ─► Concierge port ─► 303 ─► page.rs ─► panel.rs: log, proposals, actions
//!                                                talk.rs (an island) sends the same forms and swaps the same panel
//! ```

mod concierge_page;
mod form_handlers;
mod items;
mod menu;
mod panel;
mod pay_page;
mod proposal;

pub use concierge_page::{FORM, GuestConciergePage, StaffConciergePage};
pub(crate) use form_handlers::{Switch, unsent_emergency};
pub use pay_page::PayPage;
