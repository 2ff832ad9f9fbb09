//! What the tests of a whole hotel share: the checker of its invariants, and its processes.

mod caller_answer;
pub mod check;
mod hotel_process;
pub mod injected_payments;
mod json_client;
mod ledger;
pub mod pending_text;
mod store_content;
pub mod tool_names;

pub use crate::{
    caller_answer::{CallerAnswer, Expectations, Subject},
    check::{Scene, violations},
    hotel_process::{Instance, command, set_clock, token},
    json_client::JsonClient,
    ledger::{Ledger, Payment, list, payments, text},
    store_content::StoreContent,
};
