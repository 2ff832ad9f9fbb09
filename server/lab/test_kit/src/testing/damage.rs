//! Damages a database while a server uses it.

use sqlx::Connection;

use super::postgres_server::{TestingError, failed};

/// Cuts two bytes off the first event of an execution.
///
/// # Errors
/// When the database refuses.
pub async fn truncate_first_event(url: &str, execution: &str) -> Result<(), TestingError> {
    const SQL: &str = "update journal set event = substr(event, 1, length(event) - 2)
        where execution = $1 and seq = 1";
    macro_rules! run {
        ($connection:expr) => {{
            let mut connection = $connection.await.map_err(failed)?;
            sqlx::query(SQL)
                .bind(execution.to_owned())
                .execute(&mut connection)
                .await
                .map_err(failed)?;
            connection.close().await.map_err(failed)
        }};
    }
    if url.starts_with("sqlite") {
        run!(sqlx::SqliteConnection::connect(url))
    } else {
        run!(sqlx::PgConnection::connect(url))
    }
}
