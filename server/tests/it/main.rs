//! Black-box tests of the server, one module per topic.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test a panic is the verdict, in its helpers too"
)]

mod any_json_input;
mod audit;
mod booking_numbers;
mod browser;
mod commands;
mod concierge;
mod crate_dependencies;
mod email;
mod fake_dispatcher;
mod guest_account;
mod guest_sign_up;
mod key_value_store;
mod kill_run;
mod mcp;
mod mcp_confirm;
mod mcp_progress;
mod mcp_schemas;
mod module_circles;
mod named_files;
mod operator_endpoints;
mod orphan_check_schedule;
mod pages;
mod panics;
mod pay_pages;
mod request_spans;
mod rest;
mod sessions;
mod shared_folio;
mod sign_in;
mod system_status;
mod test_hotel;
mod tokens;
mod tool_parity;
mod tools;
mod unstorable_text;
mod untrusted_text;
mod wall_screen;
mod webhooks;
