//! Everything that is proved from outside, one module per concern.

mod arrows;
mod fakes;
mod mcp;
