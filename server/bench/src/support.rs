//! Modules shared by the benchmarks.

pub mod browser;
pub mod fixture;
pub mod http_connection;
pub mod rest_client;
pub mod round;
pub mod test_server;
