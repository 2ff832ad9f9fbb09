//! The connectors against recorded wire examples, and against the sandbox in memory on a virtual
//! clock.

#![allow(clippy::unwrap_used, reason = "these are tests, helpers included")]

mod awkward_org_data;
mod canned_transport;
mod client_policy;
mod example_check_out;
mod golden_front_desk_writes;
mod golden_writes;
mod hidden_fields;
mod http_transport;
mod model_requests;
mod org_check;
mod other_stripe_account;
mod other_vocabulary;
mod phone_numbers;
mod prelude;
mod recorded_soql;
mod refused_access;
mod repeated_secrets;
mod replies;
mod salesforce_responses;
mod sandbox_board_reads;
mod sandbox_charges;
mod sandbox_check_in;
mod sandbox_crm;
mod sandbox_hotel;
mod sandbox_payments;
mod sandbox_stripe_webhooks;
mod sandbox_texts;
mod soql_round_trip;
mod stay_overview;
mod stripe_responses;
mod twilio_responses;
mod vendor_types;
mod wire_responses;
