//! The server behind the binary `dewy`: configuration, wiring, routes, sessions, MCP.
//!
//! ```text
//! main ─► cli ─► commands ─► config ─► server ─┬─► store, systems (or the sandbox), hotel
//!                                              └─► web ─► pages, MCP, events, health   (all tools through guard)
//! ```

pub mod assembly;
pub mod attention;
pub mod audit;
pub mod auth;
pub mod backstage;
pub mod cli;
pub mod commands;
pub mod config;
mod csv;
mod currencies;
pub mod gauges;
pub mod guard;
pub mod hooks;
mod kept_key;
pub mod listen;
pub mod mcp;
mod no_model;
pub mod notes;
pub mod open_store;
mod own_account;
pub mod sandbox;
pub mod seen;
pub mod server;
pub mod stay_notes;
pub mod sweeper;
pub mod systems;
pub mod telemetry;
pub mod web;
