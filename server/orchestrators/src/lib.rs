//! The hotel's work: one file per tool, and the dispatcher through which every interface calls them.
//!
//! ```text
//! form ─┐
//! chat ─┤                         ┌─ a read: get_folio, search_bookings, …
//! MCP  ─┼─► Hotel::dispatch ──────┤
//! REST ─┤   caller? tool? input?  └─ a saga: process_guest_checkout ─► engine ─► Salesforce, Stripe
//! clock─┘
//! ```

mod ask;
mod board;
mod booking_limit;
mod books;
mod brake;
mod bridge;
mod call_book;
mod charge;
mod check_in;
mod check_out;
mod compensate;
mod create_booking;
mod create_contact;
mod dispatch;
mod fingerprint;
mod folio_reads;
mod get_execution;
mod get_folio;
mod guarded;
mod hotel;
mod input;
mod list_compensations;
mod listing;
mod manage_bookings;
mod manage_cases;
mod money_watch;
mod nights;
mod notebook;
mod open_case;
mod outbox;
mod ownership;
mod quote;
mod recorded;
mod report;
mod resolve;
mod review_payment;
mod saved_cards;
mod search_bookings;
mod search_cases;
mod search_executions;
mod search_guests;
mod search_rooms;
mod send_text;
mod set_room_status;
mod settings;
mod stays;
mod submit_maintenance;
mod submit_request;
mod sweep;
mod task;
mod told;
mod undo;
mod view;
mod watch;

pub use board::BoardOf;
pub use booking_limit::BookingLimit;
pub use call_book::{CallBook, CallEntry, CallRecord};
pub use charge::{POST_CHARGE, PostCharge};
pub use check_in::{CHECK_IN, CheckIn};
pub use check_out::{CHECK_OUT, CheckOut};
pub use compensate::{COMPENSATE, Compensate};
pub use hotel::{Hotel, Parts};
pub use money_watch::LookError;
pub use notebook::Notebook;
pub use recorded::Recorded;
pub use resolve::{RESOLVE, Resolve};
pub use review_payment::{REVIEW_PAYMENT, ReviewPayment};
pub use send_text::{SEND_TEXT, SendText};
pub use settings::Settings;
pub use sweep::{Adoption, adopt};
