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
    pub mod begin;
    pub mod calls;
    pub mod claims;
    pub mod conversations;
    pub mod crash;
    pub mod damaged;
    pub mod database_link;
    pub mod disk_faults;
    pub mod faults;
    pub mod lists;
    pub mod random_operations;
    pub mod seeded;
    pub mod sessions;
    pub mod signals;
    pub mod signals_at_once;
    pub mod stay_notes;
    pub mod take;
    pub mod texts;
    pub mod two_releases;
    pub mod verify;
}
