//! Modules shared by the benchmarks.

pub mod browser;
pub mod fixture;
pub mod rest;
pub mod round;
pub mod test_server;
pub mod wire;
