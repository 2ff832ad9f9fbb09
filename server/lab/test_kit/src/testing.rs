//! Support for tests and measurements.

mod bulk_executions;
mod damage;
mod faulty_link;
mod later_migration;
mod postgres_server;

pub use bulk_executions::seed_executions;
pub use damage::truncate_first_event;
pub use faulty_link::FaultyLink;
pub use later_migration::apply_later_migration;
pub use postgres_server::{PostgresServer, TestingError};
