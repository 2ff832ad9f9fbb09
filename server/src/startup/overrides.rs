//! Replaced parts of a server.

use std::sync::Arc;

use dewy_domain::ports::Dispatcher;
use dewy_saga::Saga;

/// What a server other than the released one replaces, made from the hotel's own: the next
/// release's sagas, or tools that fail.
#[derive(Clone, Copy, Debug)]
pub struct Overrides {
    pub sagas: fn(Vec<Saga>) -> Vec<Saga>,
    /// The tools, behind the audit log and the call boundary.
    pub tools: fn(Arc<dyn Dispatcher>) -> Arc<dyn Dispatcher>,
}

impl Default for Overrides {
    fn default() -> Self {
        Self {
            sagas: |sagas| sagas,
            tools: |tools| tools,
        }
    }
}
