//! What most tests use.

pub use std::{sync::Arc, time::Duration};

pub use dewy_saga::{
    End, Event, ExecutionId, Journal, Signal, SignalAction, State, StoreError,
    journal::{
        AppendResult, BeginResult, ClaimChange, DueFilter, ExecutionFilter, ExecutionRecord,
        LeaseChange, NewExecution,
    },
};
pub use dewy_store::Store;
pub use jiff::Timestamp;
pub use serde_json::json;

pub use super::stores_under_test::*;
