//! Salesforce simulator, tested only through its HTTP interface.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod collections;
mod composite;
mod described;
mod disk;
mod errors;
mod escapes;
mod org;
mod rows;
mod seed;
mod settings;
mod soql;
mod token;
