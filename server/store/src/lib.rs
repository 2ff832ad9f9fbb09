//! Durable storage for the engine ([`dewy_saga::Journal`]) and the interfaces (tokens, sign-in
//! codes, sessions, rate limits, staff, the audit log of calls, settings), on SQLite and Postgres. One
//! contract suite tests both, and the journal in memory of simulated runs (`lab/test_kit`).

mod access_revocation;
mod audit_calls;
mod audit_checkpoint;
mod backend;
mod columns;
mod conversations;
mod error;
mod fetch;
mod highest_mode;
mod installation_id;
mod journal;
mod journal_reads;
pub mod journal_rules;
mod key_value_store;
mod list_executions;
mod lossy_text;
mod migrations;
mod named_leases;
mod open_store;
mod orphan_check_leases;
mod postgres;
mod private_file;
mod purge;
mod rate_limits;
mod row_conversion;
mod schema_compatibility;
mod sessions;
mod sign_in_codes;
mod small_writes;
mod sqlite;
mod staff;
mod stay_notes;
mod store;
mod stripe_account;
mod text_status;
mod tokens;
mod transaction_steps;
mod verify_all;
mod verify_report;
mod work_signal;

pub use audit_calls::{
    CallAudit, CallBatch, CallChain, CallFilter, CallWriter, FoundCall, LoggedPerson,
};
pub use conversations::{HandleResult, OwedCase, Question, StartTurnResult};
pub use dewy_saga::StoreError;
pub use error::{OpenError, SchemaError};
pub use open_store::database_file;
pub use orphan_check_leases::{ORPHAN_CHECK_LEASE, ORPHAN_CHECK_PAUSE};
pub use private_file::{create_private_file, make_private, private};
pub use rate_limits::BucketHits;
pub use sessions::{SUBJECT_KEY, StoredSession};
pub use sign_in_codes::{CodeCheck, NewCode};
pub use staff::StaffAccount;
pub use store::Store;
pub use text_status::{TextOutcome, TextReport};
pub use tokens::{ApiToken, NewToken};
pub use verify_report::{ChainFault, ChainKind, VerifyReport};
pub use work_signal::WorkSignal;
