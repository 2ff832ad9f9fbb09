//! The hotel's work: one file per tool, and the dispatcher through which every interface calls them.
//!
//! ```text
//! form ─┐
//! chat ─┤                         ┌─ a read: get_folio, get_execution
//! MCP  ─┼─► Hotel::dispatch ──────┤
//! REST ─┤   caller? tool? input?  └─ a saga: process_guest_checkout ─► engine ─► Salesforce, Stripe
//! clock─┘
//! ```

mod ask;
mod bridge;
mod charge;
mod check_in;
mod check_out;
mod compensate;
mod dispatch;
mod get_execution;
mod get_folio;
mod guarded;
mod hotel;
mod input;
mod list_compensations;
mod notebook;
mod outbox;
mod report;
mod resolve;
mod search_executions;
mod send_text;
mod settings;
mod stays;
mod sweep;
mod told;
mod undo;
mod view;
mod watch;

pub use charge::{POST_CHARGE, PostCharge};
pub use check_in::{CHECK_IN, CheckIn};
pub use check_out::{CHECK_OUT, CheckOut};
pub use compensate::{COMPENSATE, Compensate};
pub use hotel::{Hotel, Parts};
pub use notebook::Notebook;
pub use resolve::{RESOLVE, Resolve};
pub use send_text::{SEND_TEXT, SendText};
pub use settings::Settings;
