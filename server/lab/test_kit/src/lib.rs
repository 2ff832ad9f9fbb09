//! Shared test support: the invariant checker, processes of the hotel and the sandbox, a journal in
//! memory, and databases for tests.

mod browser;
mod caller_answer;
mod hotel_process;
pub mod injected_payments;
pub mod invariants;
mod json_client;
pub mod memory;
mod outside_records;
pub mod pending_text;
mod store_content;
#[cfg(unix)]
pub mod testing;
pub mod tool_names;

pub use crate::{
    browser::Browser,
    caller_answer::{CallerAnswer, Expectations, Subject},
    hotel_process::{ServerProcess, command, set_clock, token},
    invariants::{Evidence, violations},
    json_client::JsonClient,
    memory::MemoryJournal,
    outside_records::{OutsideRecords, Payment, list, payments, text},
    store_content::StoreContent,
};
