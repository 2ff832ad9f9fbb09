//! What most scenarios use.

pub use std::time::Duration;

pub use dewy_domain::{
    caller::{Caller, Interface, Persona, Role},
    error_code::ErrorCode,
    money::Cents,
    ports::Clock,
    tool_answer::ToolAnswer,
};
pub use dewy_saga::{
    Direction, Journal, State, crash_points::CrashPoint, journal::ExecutionRecord,
};
pub use dewy_sandbox::{Fault, FaultKind, Latency, System, salesforce::OrgSettings};
pub use serde_json::{Value, json};

pub use crate::{
    invariants::violations,
    on_virtual_time,
    scenario_steps::*,
    simulated_hotel::{BETH, Crash, Setup, SimulatedHotel},
};
