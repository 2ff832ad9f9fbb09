//! Durable sagas. A definition is a list of steps, each with its compensation. A journal holds
//! every intent before its request is sent and every outcome after it. One state machine replays
//! the journal; a runner drives it, and recovery is the same runner after a crash. The crate
//! contains nothing specific to hotels.

pub mod activity;
pub mod context;
pub mod crash_points;
pub mod damaged_execution;
pub mod definition;
pub mod engine;
pub mod environment;
pub mod event;
pub mod execution_id;
pub mod handle_signal;
pub mod hash_chain;
pub mod journal;
pub mod next_move;
pub mod prerequisites;
pub mod progress;
pub mod rechecks;
pub mod replay;
mod runner;
pub mod saga;
pub mod signal;
pub mod state_machine;
pub mod step_id;

pub use activity::{Activity, JournaledActivity, OutcomeCheck, Plan};
pub use context::Context;
pub use definition::{Definition, Step, StepKind, UnknownOutcomePolicy};
pub use engine::{Engine, EngineSettings, StartRequest, StartResult};
pub use environment::Environment;
pub use event::{
    Decision, Direction, End, Event, Fault, FoundEffect, NOT_APPLIED, Outcome, REFUSED_ON_REPEAT,
    RESOLVED_BY_HAND, Request, Row, SAME_SECOND,
};
pub use execution_id::ExecutionId;
pub use journal::{Journal, Lease, StoreError};
pub use prerequisites::{Prerequisites, PrerequisitesResult};
pub use progress::{Phase, Progress};
pub use rechecks::{RecheckResult, Rechecks};
pub use saga::Saga;
pub use signal::{Signal, SignalAction};
pub use state_machine::State;
pub use step_id::StepId;
