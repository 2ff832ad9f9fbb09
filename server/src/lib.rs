//! The server behind the binary `dewy`: configuration, wiring, routes, sessions, MCP.

pub mod auth;
pub mod config;
pub mod guard;
pub mod mcp;
pub mod world;
