//! Everything that is proved from outside, one module per concern.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "in a test a panic is the verdict, in its helpers too"
)]

mod any_json;
mod arrows;
mod audit;
mod browser;
mod commands;
mod concierge;
mod email;
mod fakes;
mod guest_account;
mod hotel;
mod key_value_store;
mod kill;
mod markup;
mod mcp;
mod mcp_confirm;
mod mcp_progress;
mod mcp_schemas;
mod module_circles;
mod numbers;
mod operations;
mod pages;
mod panics;
mod pay;
mod registration;
mod rest;
mod sessions;
mod shared_folio;
mod sign_in;
mod spans;
mod sweeps;
mod system_status;
mod table;
mod tokens;
mod tools;
mod unstorable;
mod wall;
mod webhooks;
