//! Shared test support: the invariant checker, and processes of the hotel and the sandbox.

mod caller_answer;
mod hotel_process;
pub mod injected_payments;
pub mod invariants;
mod json_client;
mod outside_records;
pub mod pending_text;
mod store_content;
pub mod tool_names;

pub use crate::{
    caller_answer::{CallerAnswer, Expectations, Subject},
    hotel_process::{ServerProcess, command, set_clock, token},
    invariants::{Evidence, violations},
    json_client::JsonClient,
    outside_records::{OutsideRecords, Payment, list, payments, text},
    store_content::StoreContent,
};
