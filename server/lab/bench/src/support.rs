//! Modules shared by the benchmarks.

pub mod http_connection;
pub mod latencies;
pub mod load;
pub mod process_stat;
pub mod round_database;
pub mod test_server;
