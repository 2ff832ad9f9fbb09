//! The databases behind a [`Store`](crate::Store).

use crate::{postgres::Postgres, sqlite::Sqlite};

#[derive(Clone, Debug)]
pub(crate) enum Backend {
    Sqlite(Sqlite),
    Postgres(Postgres),
}
