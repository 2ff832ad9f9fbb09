//! The store handle, for either database.

use std::sync::Arc;

use dewy_domain::ports::Clock;

use crate::{postgres::Postgres, sqlite::Sqlite};

/// The durable store, on SQLite or Postgres. Cloning is cheap; all clones share connections.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) backend: Backend,
    pub(crate) clock: Arc<dyn Clock>,
}

#[derive(Clone, Debug)]
pub(crate) enum Backend {
    Sqlite(Sqlite),
    Postgres(Postgres),
}
