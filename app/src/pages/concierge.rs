//! Concierge pages: one panel, on its own page and beside every other page; a form that posts, with
//! or without scripts.
//!
//! ```text
//! message ─► form_handlers.rs ─► Concierge port ─► 303 ─► concierge_page.rs ─► conversation_panel.rs: log, proposals, actions
//!                                  islands/concierge_panel.rs sends the same forms and swaps the same panel
//! ```

mod concierge_page;
mod conversation_items;
mod conversation_menu;
mod conversation_panel;
pub mod form_handlers;
mod pay_page;
mod proposal;

pub use concierge_page::{FORM, concierge_page};
pub(crate) use form_handlers::unsent_emergency;
pub use pay_page::pay_page;
