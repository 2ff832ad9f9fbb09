//! Answers that callers received.

use std::collections::BTreeMap;

use serde_json::Value;

/// Final answer to a request.
#[derive(Clone, Debug)]
pub struct CallerAnswer {
    pub tool: &'static str,
    pub token: String,
    pub execution: Option<String>,
    /// Error code; none for success.
    pub code: Option<String>,
    /// Whole result.
    pub body: Value,
}

/// Subject that only one caller worked on, by its number or its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// Booking, by its number.
    Booking,
    /// Case, by its number.
    Case,
    /// Comment on a case, by its text.
    Comment,
    /// Room, by its number.
    Room,
}

/// Expected state in Salesforce at the end, by the last successful answer.
pub type Expectations = BTreeMap<(Subject, String), Value>;
