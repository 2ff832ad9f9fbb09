//! Small writes beside the journal: one statement each, the same words for both databases.

/// Runs a statement and answers how many rows it touched.
macro_rules! write {
    ($store:expr, $sql:expr $(, $bind:expr)* $(,)?) => {
        match &$store.backend {
            $crate::store::Backend::Sqlite(s) => {
                sqlx::query($sql)$(.bind($bind))*.execute(s.writer()).await.map(|done| done.rows_affected())
            }
            $crate::store::Backend::Postgres(p) => {
                sqlx::query($sql)$(.bind($bind))*.execute(p.pool()).await.map(|done| done.rows_affected())
            }
        }
        .map_err(|e| $crate::error::write_error(&e))
    };
}

/// Runs a writing statement that answers rows.
macro_rules! write_returning {
    ($store:expr, $type:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        match &$store.backend {
            $crate::store::Backend::Sqlite(s) => sqlx::query_as::<_, $type>($sql)$(.bind($bind))*.fetch_all(s.writer()).await,
            $crate::store::Backend::Postgres(p) => sqlx::query_as::<_, $type>($sql)$(.bind($bind))*.fetch_all(p.pool()).await,
        }
        .map_err(|e| $crate::error::write_error(&e))
    };
}

pub(crate) use {write, write_returning};
