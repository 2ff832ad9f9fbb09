//! Installation under test: its processes and the state of its callers.

use std::sync::Arc;

use crate::{caller_state::CallerState, test_server::TestServer};

#[derive(Clone, Debug)]
pub struct Installation {
    /// Its processes and its store.
    pub server: Arc<TestServer>,
    /// State shared by its callers.
    pub desk: Arc<CallerState>,
    /// First letter of its guests' names.
    pub letter: char,
}
