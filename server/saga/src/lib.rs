//! Durable sagas: a definition is a list of steps, each with its compensation; a journal holds every intent before its
//! request is sent and every outcome after it; one state machine replays it; a runner drives it, and recovery is the same
//! runner after a crash. Nothing here knows a hotel.

pub mod chain;
pub mod event;
pub mod id;
pub mod journal;
pub mod state;

pub use event::{Decision, End, Event, Fault, Found, Outcome, Request, Row, Way};
pub use id::ExecutionId;
pub use journal::{Journal, Lease, StoreError};
pub use state::State;
