//! Concierge pages: one panel, on its own page and beside every other page; a form that posts, with
//! or without scripts.
//!
//! ```text
//! message ─► forms.rs: say ─► Concierge port ─► 303 ─► page.rs ─► panel.rs: log, proposals, actions
//!                                                talk.rs (an island) sends the same forms and swaps the same panel
//! ```

mod concierge_page;
mod conversation_menu;
mod form_handlers;
mod pay_page;
mod proposal;
mod thread_items;
mod thread_panel;

pub use concierge_page::{FORM, GuestConciergePage, StaffConciergePage};
pub(crate) use form_handlers::{Switch, unsent_emergency};
pub use pay_page::PayPage;
