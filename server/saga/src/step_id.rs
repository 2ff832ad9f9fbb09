//! Typed names of steps.

use std::marker::PhantomData;

use serde_json::Value;

/// Name of a step, with the types of what it journals: its output, and that of its compensation.
#[derive(Debug)]
pub struct StepId<O = Value, U = Value> {
    /// Stable name: part of journals and keys.
    pub name: &'static str,
    journaled: PhantomData<fn() -> (O, U)>,
}

impl<O, U> StepId<O, U> {
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            journaled: PhantomData,
        }
    }
}

impl<O, U> Clone for StepId<O, U> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O, U> Copy for StepId<O, U> {}
