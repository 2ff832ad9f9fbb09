//! The server behind the binary `dewy`: configuration, wiring, routes, sessions, MCP.
//!
//! ```text
//! main ─► cli ─► commands ─► config ─► server ─┬─► store, systems (or the sandbox), hotel
//!                                              └─► web ─► pages, MCP, events, health   (all tools through the call boundary)
//! ```

pub mod auth;
pub mod commands;
pub mod config;
pub mod mcp;
pub mod ports;
pub mod startup;
pub mod systems;
pub mod tool_calls;
pub mod web;
