//! The contract suite of the store, run against every implementation.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests stop at the first surprise"
)]

mod contract {
    #[macro_use]
    pub mod stores_under_test;
    pub mod api_tokens;
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
    pub mod emergencies;
    pub mod injected_faults;
    pub mod installation_and_mode;
    pub mod key_value_store;
    pub mod lists;
    pub mod named_leases;
    pub mod open_store;
    mod prelude;
    pub mod purge;
    pub mod random_operations;
    pub mod rate_limits;
    pub mod serving_lock;
    pub mod sessions;
    pub mod sign_in_codes;
    pub mod signals;
    pub mod staff_accounts;
    pub mod stay_notes;
    pub mod take;
    pub mod text_round_trip;
    pub mod text_status;
    pub mod two_releases;
    pub mod verify;
}
