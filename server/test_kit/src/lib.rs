//! What the tests of a whole hotel share: the checker of its invariants, and its processes.

mod answer;
mod at_rest;
pub mod check;
mod instance;
mod ledger;
pub mod pending_text;
pub mod planted;
pub mod tools;
mod wire;

pub use crate::{
    answer::{Answer, Expectations, Subject},
    at_rest::AtRest,
    check::{Scene, violations},
    instance::{Instance, command, set_clock, token},
    ledger::{Ledger, Payment, list, payments, text},
    wire::Wire,
};
