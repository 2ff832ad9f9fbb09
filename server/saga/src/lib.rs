//! Durable sagas. A definition is a list of steps, each with its compensation. A journal holds
//! every intent before its request is sent and every outcome after it. One state machine replays
//! the journal; a runner drives it, and recovery is the same runner after a crash. The crate
//! contains nothing specific to hotels.

pub mod chain;
pub mod crash_points;
pub mod definition;
pub mod engine;
pub mod event;
pub mod handle_signal;
pub mod id;
pub mod injected_bugs;
pub mod journal;
pub mod plan;
pub mod progress;
mod runner;
pub mod saga;
pub mod signal;
pub mod state;
pub mod world;

pub use definition::{Definition, Kind, Patience, Step};
pub use engine::{Accepted, Engine, Settings, StartRequest};
pub use event::{Decision, Direction, End, Event, Fault, Found, Outcome, Request, Row};
pub use id::ExecutionId;
pub use journal::{Journal, Lease, StoreError};
pub use progress::{Phase, Progress};
pub use saga::{Activity, Context, Plan, Read, Recheck, Resolved, Saga};
pub use signal::{Ask, Signal};
pub use state::State;
pub use world::World;
