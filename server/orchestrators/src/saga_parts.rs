//! What the sagas are built from: settings, requests that are looked up before they are sent again, and the words of results.

pub(crate) mod agreed_price;
pub(crate) mod booking_limit;
pub(crate) mod checkout_breaker;
pub(crate) mod compensation_record;
pub(crate) mod engine_conversions;
pub(crate) mod find_stay;
pub(crate) mod hotel_dependencies;
pub(crate) mod key_value_store;
pub(crate) mod live_holds;
pub(crate) mod not_ready;
pub(crate) mod open_case;
pub(crate) mod outbox;
pub(crate) mod payment_owner;
pub(crate) mod payment_source;
pub(crate) mod payment_text_settings;
pub(crate) mod presentation;
pub(crate) mod reconciled_write;
pub(crate) mod refund_and_revert;
pub(crate) mod requested_nights;
pub(crate) mod rival_bookings;
pub(crate) mod room_lookup;
pub(crate) mod settings;
pub(crate) mod signal_execution;
pub(crate) mod started_by;
pub(crate) mod step_note;
pub(crate) mod tool_answer;
