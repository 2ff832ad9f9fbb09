//! Domain types: ids, money, statuses, tool contracts, error codes, and the ports other crates
//! implement.
//!
//! The crate does no I/O and depends on no database, browser or network, so it also compiles to
//! wasm.

pub mod answer_body;
pub mod api_usage;
pub mod approval;
pub mod auto_number;
pub mod blank_text;
pub mod booking_number;
pub mod caller;
pub mod canonical_input;
pub mod card_id;
pub mod case;
pub mod change_probe;
pub mod checkout_pause;
pub mod concierge;
pub mod decimal_digits;
pub mod deployment_mode;
pub mod double_booking;
pub mod email_address;
pub mod emergency;
pub mod entered_amount;
pub mod error_code;
pub mod error_details;
pub mod execution_view;
pub mod full_width;
pub mod guest;
pub mod guest_identity;
pub mod hotel_calendar;
pub mod hotel_profile;
pub mod installation_id;
pub mod inventory;
pub mod locale;
pub mod missing_room_field;
pub mod money;
pub mod nights;
pub mod one_line;
pub mod orphan_check_view;
pub mod output_schema;
pub mod paid_folio;
pub mod payment;
pub mod payment_card_number;
pub mod payment_intent_id;
pub mod person_name;
pub mod ports;
pub mod reservation;
pub mod room_number;
pub mod search_key;
pub mod shown_values;
pub mod statement_suffix;
pub mod stay;
pub mod stay_overview;
pub mod stay_price;
pub mod storable_text;
pub mod stripe_id;
pub mod text_refusal;
pub mod text_status;
mod text_type;
pub mod tool;
pub mod tool_answer;
pub mod tool_catalog;
pub mod tool_input;
pub mod tool_output;
pub mod upstream_request;
pub mod vocabulary;
pub mod whole_number;
