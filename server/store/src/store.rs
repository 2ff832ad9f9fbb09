//! The store handle, for either database.

use std::sync::Arc;

use dewy_domain::ports::Clock;

use crate::backend::Backend;

/// The durable store, on SQLite or Postgres. Cloning is cheap; all clones share connections.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) backend: Backend,
    pub(crate) clock: Arc<dyn Clock>,
}
