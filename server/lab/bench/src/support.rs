//! Modules shared by the benchmarks.

pub mod browser;
pub mod http_connection;
pub mod latencies;
pub mod rest_client;
pub mod round_database;
pub mod test_server;
