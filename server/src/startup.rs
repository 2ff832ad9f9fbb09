//! What a start builds and keeps running: store, sandbox, wiring, listener, periodic tasks.

pub mod accept_connections;
pub(crate) mod background_jobs;
pub mod metrics;
pub mod open_store;
pub mod orphan_check_schedule;
pub mod overrides;
pub(crate) mod periodic_tasks;
pub mod sandbox;
pub mod server;
pub mod wiring;
