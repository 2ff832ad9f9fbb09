//! The contract suite of the store, run against every implementation.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    missing_docs,
    reason = "tests stop at the first surprise"
)]

mod contract {
    #[macro_use]
    pub mod stores_under_test;
    pub mod accounts;
    pub mod append;
    pub mod audit_calls;
    pub mod begin;
    pub mod bulk_executions;
    pub mod claims;
    pub mod concurrent_signals;
    pub mod conversations;
    pub mod crash;
    pub mod damaged_rows;
    pub mod database_link;
    pub mod disk_faults;
    pub mod injected_faults;
    pub mod lists;
    pub mod random_operations;
    pub mod sessions;
    pub mod signals;
    pub mod stay_notes;
    pub mod take;
    pub mod text_round_trip;
    pub mod two_releases;
    pub mod verify;
}
