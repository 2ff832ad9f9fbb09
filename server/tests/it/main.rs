//! Everything that is proved from outside, one module per concern.

mod arrows;
mod browser;
mod commands;
mod fakes;
mod hotel;
mod mcp;
mod operations;
mod pages;
mod sign_in;
mod tools;
