//! The hotel's work: one file per tool, and the dispatcher through which every interface calls them.
//!
//! ```text
//! form ─┐
//! chat ─┤                         ┌─ a read: get_folio, get_execution
//! MCP  ─┼─► Hotel::dispatch ──────┤
//! REST ─┤   caller? tool? input?  └─ a saga: process_guest_checkout ─► engine ─► Salesforce, Stripe
//! clock─┘
//! ```

mod bridge;
mod check_out;
mod dispatch;
mod get_execution;
mod get_folio;
mod hotel;
mod input;
mod settings;
mod stays;
mod view;
mod watch;

pub use check_out::{CHECK_OUT, CheckOut};
pub use hotel::{Hotel, Parts};
pub use settings::Settings;
