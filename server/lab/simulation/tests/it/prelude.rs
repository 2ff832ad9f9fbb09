//! What most scenarios use.

pub use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

pub use dewy_domain::{
    caller::{Caller, Interface, Persona, Role},
    error_code::ErrorCode,
    money::Cents,
    ports::{Board, Clock, Dispatcher, ExecutionFeed, HttpRequest, Transport},
    tool::ToolCall,
    tool_answer::{FinalAnswer, ToolAnswer},
};
pub use dewy_orchestrators::{BoardService, KeyValueStore};
pub use dewy_saga::{
    Direction, Event, Journal, Signal, SignalAction, State, crash_points::CrashPoint,
    journal::ExecutionRecord,
};
pub use dewy_sandbox::{
    ExternalPayment, Fault, FaultKind, KeySettings, Latency, Sandbox, System,
    salesforce::OrgSettings,
};
pub use serde_json::{Value, json};

pub use crate::{
    invariants::violations,
    on_virtual_time,
    scenario_steps::*,
    simulated_hotel::{BETH, Crash, Setup, SimulatedHotel},
};
