//! Black-box tests of the server, one module per topic.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test a panic is the verdict, in its helpers too"
)]

mod abrupt_failures;
mod account_events;
mod any_json_input;
mod audit;
mod booking_numbers;
mod browser;
mod commands;
mod concierge;
mod crate_dependencies;
mod email;
mod fake_dispatcher;
mod file_references;
mod guest_sign_up;
mod mcp;
mod mcp_confirm;
mod mcp_progress;
mod mcp_schemas;
mod module_cycles;
mod odd_forms;
mod operator_endpoints;
mod orphan_check_schedule;
mod pages;
mod panics;
mod pay_pages;
mod payment_card_numbers;
mod prelude;
mod program_requests;
mod refused_access;
mod request_spans;
mod rest;
mod rmcp_client;
mod salesforce_guest_account;
mod sessions;
mod shared_email;
mod shared_folio;
mod sign_in;
mod sign_in_limits;
mod stay_notes_and_saved_views;
mod system_status;
mod test_hotel;
mod text_reports;
mod tokens;
mod tool_parity;
mod tools_over_mcp;
mod unstorable_text;
mod untrusted_text;
mod wall_screen;
mod webhooks;
mod what_people_type;
mod word_lists;
