//! What benchmarks that start the program share. Each uses its part.
#![allow(dead_code, reason = "each benchmark uses its part")]

pub mod browser;
pub mod house;
pub mod round;
pub mod wire;
