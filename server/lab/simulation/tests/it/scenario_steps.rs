//! Steps and readings that scenarios share.

use std::time::Duration;

use dewy_domain::{
    caller::{Caller, Interface, Role},
    error_code::ErrorCode,
    tool_answer::ToolAnswer,
};
use dewy_saga::journal::ExecutionRecord;
use dewy_sandbox::{Fault, FaultKind, System};
use serde_json::Value;

use super::{
    invariants::violations,
    simulated_hotel::{Setup, SimulatedHotel},
};

/// Longer than the longest wait of a saga.
pub const DAY: Duration = Duration::from_secs(26 * 3600);

/// Hotel with these faults.
pub fn with(faults: Vec<Fault>) -> SimulatedHotel {
    SimulatedHotel::new(Setup {
        faults,
        ..Setup::default()
    })
}

/// Fault of Salesforce's composites.
pub fn composite(kind: FaultKind) -> Fault {
    salesforce("composite", kind)
}

/// Fault of one of Salesforce's operations.
pub fn salesforce(operation: &str, kind: FaultKind) -> Fault {
    Fault::new(System::Salesforce, operation, kind)
}

/// Fault of one of Stripe's operations.
pub fn stripe(operation: &str, kind: FaultKind) -> Fault {
    Fault::new(System::Stripe, operation, kind)
}

pub async fn call_as_front_desk(
    hotel: &SimulatedHotel,
    tool: &str,
    token: &str,
    input: Value,
) -> ToolAnswer {
    let desk = Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Mcp);
    hotel.call(&desk, tool, Some(token), input).await
}

pub fn code(answer: &ToolAnswer) -> Option<ErrorCode> {
    answer.error()
}

pub fn assert_sound(hotel: &SimulatedHotel) {
    assert_eq!(violations(hotel), Vec::<String>::new());
}

pub fn of(hotel: &SimulatedHotel, saga: &str) -> Vec<ExecutionRecord> {
    let mut found = hotel.requested_executions();
    found.retain(|record| record.saga == saga);
    found
}

/// First check-out.
pub fn check_out_of(hotel: &SimulatedHotel) -> ExecutionRecord {
    of(hotel, "process_guest_checkout").remove(0)
}

pub fn label(record: &ExecutionRecord, name: &str) -> Option<String> {
    let found = record.labels.iter().find(|(n, _)| n == name);
    found.map(|(_, value)| value.clone())
}

/// What a payment took, and what was given back.
pub fn money(hotel: &SimulatedHotel, payment: &str) -> (i64, i64) {
    let (taken, given_back, _) = hotel.ledger()[payment].clone();
    (taken, given_back)
}

/// Bodies of the texts that were sent.
pub fn texts(hotel: &SimulatedHotel) -> Vec<String> {
    let state = hotel.sandbox.state();
    let messages = state["twilio"]["messages"].as_array().cloned();
    let bodies = messages.unwrap_or_default().into_iter();
    bodies
        .filter_map(|message| message["body"].as_str().map(str::to_owned))
        .collect()
}
