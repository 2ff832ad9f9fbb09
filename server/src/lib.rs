//! The server behind the binary `dewy`: configuration, wiring, routes, sessions, MCP.
//!
//! ```text
//! main ─► cli ─► commands ─► config ─► server ─┬─► store, systems (or the sandbox), hotel
//!                                              └─► web ─► pages, MCP, events, health   (all tools through the call boundary)
//! ```

pub mod accept_connections;
pub mod attention;
pub mod audit;
mod audited_mail;
pub mod auth;
pub mod browser_cookie;
pub mod call_boundary;
pub mod cli;
pub mod client_address;
pub mod commands;
pub mod config;
pub mod connect_systems;
mod csv;
mod currency_comparison;
mod drained_body;
pub mod installation_key;
mod json_rpc_error;
mod key_file;
pub mod key_value_store;
pub mod mcp;
pub mod metrics;
pub mod network;
mod no_model;
pub mod open_store;
pub mod orphan_check_schedule;
mod periodic_tasks;
mod photos;
pub mod rate_limit;
pub mod rate_limit_mark;
pub mod request_span;
pub mod sandbox;
pub mod saved_views;
pub mod server;
pub mod status_callback;
pub mod stay_notes;
mod stripe_account_memory;
pub mod system_status;
pub mod telemetry;
pub mod text_delivery;
pub mod tool_response;
pub mod traced_ports;
pub mod wall_screen_access;
mod warm_up;
pub mod web;
pub mod webhook_registration;
pub mod wiring;
