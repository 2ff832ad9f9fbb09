//! Small writes outside the journal: one statement each, the same for both databases.

/// Runs a statement and returns the number of affected rows.
macro_rules! write_rows {
    ($store:expr, $sql:expr $(, $bind:expr)* $(,)?) => {
        match &$store.backend {
            $crate::backend::Backend::Sqlite(s) => {
                $crate::sqlite::writing!(s, |connection| sqlx::query($sql)$(.bind($bind))*.execute(connection))
                    .map(|done| done.rows_affected())
            }
            $crate::backend::Backend::Postgres(p) => {
                $crate::postgres::exchange!(p, $crate::postgres::Purpose::Write, |connection| {
                    sqlx::query($sql)$(.bind($bind))*.execute(connection)
                })
                .map(|done| done.rows_affected())
            }
        }
    };
}

/// Runs a writing statement that returns rows.
macro_rules! write_returning {
    ($store:expr, $type:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        match &$store.backend {
            $crate::backend::Backend::Sqlite(s) => {
                $crate::sqlite::writing!(s, |connection| {
                    sqlx::query_as::<_, $type>($sql)$(.bind($bind))*.fetch_all(connection)
                })
            }
            $crate::backend::Backend::Postgres(p) => {
                $crate::postgres::exchange!(p, $crate::postgres::Purpose::Write, |connection| {
                    sqlx::query_as::<_, $type>($sql)$(.bind($bind))*.fetch_all(connection)
                })
            }
        }
    };
}

pub(crate) use {write_returning, write_rows};
