//! The hotel's tools, one file each, and the dispatcher through which every interface calls them.
//!
//! ```text
//! form ─┐
//! chat ─┤                         ┌─ a read: get_folio, search_bookings, …
//! MCP  ─┼─► Hotel::dispatch ──────┤
//! REST ─┤   caller? tool? input?  └─ a saga: process_guest_checkout ─► engine ─► Salesforce, Stripe
//! clock─┘
//! ```

mod account_monitor;
mod agreed_price;
mod audit_log;
mod audited_dispatcher;
mod board;
mod booking_limit;
mod check_in;
mod check_out;
mod checkout_breaker;
mod checkout_pause;
mod compensate_checkout;
mod compensation_record;
mod confirmation_prompt;
mod create_booking;
mod create_contact;
mod dispatch;
mod email_receipt;
mod ended_stay;
mod engine_conversions;
mod execution_feed;
mod execution_view;
mod find_stay;
mod folio_reads;
mod get_execution;
mod get_folio;
mod guest_language;
mod hotel_dependencies;
mod hotel_environment;
mod hotel_service;
mod input_fingerprint;
mod input_validation;
mod key_value_store;
mod list_answer;
mod list_compensations;
mod manage_bookings;
mod manage_cases;
mod open_case;
mod operator_decision;
mod orphan_payments;
mod outbox;
mod payment_monitor;
mod payment_owner;
mod payment_reconciliation;
mod payment_source;
mod payment_text_settings;
mod post_charge;
mod presentation;
mod public_inventory;
mod receipt_outbox_worker;
mod reconciled_write;
mod record_names;
mod refund_and_revert;
mod requested_nights;
mod review_account;
mod review_payment;
mod rival_bookings;
mod saga_registry;
mod salesforce_call_budget;
mod saved_cards;
mod search_bookings;
mod search_cases;
mod search_executions;
mod search_guests;
mod search_rooms;
mod send_email;
mod send_text;
mod set_room_status;
mod settings;
mod signal_execution;
mod started_by;
mod stay_overview;
mod step_note;
mod stored_phones;
mod submit_maintenance;
mod submit_request;
mod text_end_worker;
mod text_outbox_worker;
mod tool_answer;
mod undo_check_in;

pub use audit_log::{AuditLog, CallEntry, CallRecord};
pub use audited_dispatcher::AuditedDispatcher;
pub use board::BoardService;
pub use booking_limit::BookingLimit;
pub use check_in::CHECK_IN;
pub use check_out::CHECK_OUT;
pub use compensate_checkout::COMPENSATE;
pub use guest_language::guest_language_key;
pub use hotel_dependencies::HotelDependencies;
pub use hotel_service::Hotel;
pub use input_validation::invalid_fields;
pub use key_value_store::KeyValueStore;
pub use operator_decision::RESOLVE_EXECUTION;
pub use orphan_payments::{Adoption, adopt};
pub use outbox::OUTBOX_KINDS;
pub use payment_monitor::PaymentCheckError;
pub use payment_text_settings::PaymentTextSettings;
pub use post_charge::POST_CHARGE;
pub use public_inventory::PublicInventoryService;
pub use review_account::REVIEW_ACCOUNT;
pub use review_payment::REVIEW_PAYMENT;
pub use send_email::SEND_EMAIL;
pub use send_text::SEND_TEXT;
pub use settings::Settings;
pub use undo_check_in::UNDO_CHECK_IN;
