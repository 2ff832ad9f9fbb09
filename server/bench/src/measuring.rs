//! What the benchmarks share.

pub mod browser;
pub mod house;
pub mod place;
pub mod rest;
pub mod round;
pub mod wire;
