//! Simulators of the outside systems, at least as strict as the real ones.
//!
//! As a library, [`Sandbox`] is a [`Transport`](dewy_domain::ports::Transport) without sockets on a
//! given clock; as a server ([`serve`]) it has one port, and persistent state that outlives its
//! callers.

mod call_entry;
mod fault;
mod http_server;
mod json_response;
mod latency;
pub mod llm;
pub mod salesforce;
mod sandbox;
mod sandbox_file;
pub mod seed;
pub mod stored_row;
pub mod stripe;
mod system;
pub mod test_clock;
pub mod twilio;
mod webhook;

pub use call_entry::CallEntry;
pub use fault::{Fault, FaultKind};
pub use http_server::{router, serve};
pub use latency::Latency;
pub use sandbox::Sandbox;
pub use sandbox_file::DiskError;
pub use stripe::{ACCOUNT, AccountSettings, ExternalPayment, KeySettings};
pub use system::System;
pub use webhook::{PendingEvent, WebhookTransport};
