//! The connectors against recorded wire examples, and against the sandbox in memory on a virtual
//! clock.

#![allow(clippy::unwrap_used, reason = "these are tests, helpers included")]

mod account;
mod canned;
mod client_policy;
mod crm_answers;
mod golden;
mod golden_desk;
mod hotel;
mod http;
mod orders;
mod org_check;
mod own_words;
mod payment_answers;
mod real_records;
mod sandbox_charges;
mod sandbox_check_in;
mod sandbox_crm;
mod sandbox_lists;
mod sandbox_payments;
mod sandbox_texts;
mod soql_round_trip;
mod text_answers;
mod webhooks;
mod wire;
