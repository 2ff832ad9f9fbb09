//! Salesforce simulator, tested only through its HTTP interface.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod collections;
mod composite;
mod describe;
mod errors;
mod org_client;
mod rows;
mod saved_org;
mod seed;
mod settings;
mod soql;
mod soql_escapes;
mod token;
