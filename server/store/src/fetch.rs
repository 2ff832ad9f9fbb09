//! Statements that read rows from either database.

/// A statement with the ids as a JSON list: `$columns … where $id in (the list)`.
macro_rules! for_ids {
    ($store:expr, $before:literal, $after:literal) => {
        match &$store.backend {
            Backend::Sqlite(_) => {
                concat!(
                    $before,
                    " in (select j.value from json_each($1) j) ",
                    $after
                )
            }
            Backend::Postgres(_) => concat!(
                $before,
                " in (select json_array_elements_text($1::json)) ",
                $after
            ),
        }
    };
}
pub(crate) use for_ids;

/// Fetches all rows of a type both databases can decode. Retries once if an idle connection was
/// broken: reading again does no harm.
macro_rules! fetch {
    ($store:expr, $type:ty, $sql:expr $(, $bind:expr)* $(,)?) => {{
        let sql: &'static str = $sql;
        match &$store.backend {
            $crate::backend::Backend::Sqlite(s) => match s.reader().acquire().await {
                Ok(mut reader) => {
                    let rows = sqlx::query_as::<_, $type>(sql)$(.bind($bind))*.fetch_all(&mut *reader);
                    let rows = rows.await;
                    reader.finish(rows)
                }
                Err(error) => Err(error),
            }
            .map_err(|e| $crate::error::read_error(&e)),
            $crate::backend::Backend::Postgres(p) => {
                let read = $crate::postgres::Purpose::Read;
                let first = $crate::postgres::exchange!(p, read, |connection| {
                    sqlx::query_as::<_, $type>(sql)$(.bind($bind))*.fetch_all(connection)
                });
                match first {
                    Err(dewy_saga::StoreError::Failed(_)) => {
                        $crate::postgres::exchange!(p, read, |connection| {
                            sqlx::query_as::<_, $type>(sql)$(.bind($bind))*.fetch_all(connection)
                        })
                    }
                    other => other,
                }
            }
        }
    }};
}
pub(crate) use fetch;
