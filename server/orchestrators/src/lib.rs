//! The hotel's tools, one file each, and the dispatcher through which every interface calls them.
//!
//! ```text
//! form ─┐
//! chat ─┤                         ┌─ a read: get_folio, search_bookings, …
//! MCP  ─┼─► Hotel::dispatch ──────┤
//! REST ─┤   caller? tool? input?  └─ a saga: process_guest_checkout ─► engine ─► Salesforce, Stripe
//! clock─┘
//! ```

mod boundary;
mod hotel;
mod money_watch;
mod outbox_workers;
mod reads;
mod saga_parts;
mod sagas;
mod views;

pub use boundary::{
    audit_log::{AuditLog, CallEntry, CallRecord},
    audited_dispatcher::AuditedDispatcher,
};
pub use hotel::{hotel_service::Hotel, input_validation::invalid_fields};
pub use money_watch::{
    orphan_payments::{Adoption, adopt},
    payment_monitor::PaymentCheckError,
};
pub use outbox_workers::guest_language::guest_language_key;
pub use reads::public_inventory::PublicInventoryService;
pub use saga_parts::{
    booking_limit::BookingLimit, hotel_dependencies::HotelDependencies,
    key_value_store::KeyValueStore, outbox::OUTBOX_KINDS,
    payment_text_settings::PaymentTextSettings, settings::Settings,
};
pub use sagas::{
    check_out::CHECK_OUT, release_hold::RELEASE_HOLD, renew_hold::RENEW_HOLD,
    review_payment::REVIEW_PAYMENT, send_email::SEND_EMAIL, send_text::SEND_TEXT,
};
pub use views::board::BoardService;
