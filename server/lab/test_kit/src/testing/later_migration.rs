//! A migration of a later release, for tests.

use sqlx::{AssertSqlSafe, Connection};

/// Changes the schema like a later release's migration, and records it in the list of migrations.
///
/// # Panics
/// When the database returns an error.
#[allow(clippy::expect_used, reason = "in a test a panic is the verdict")]
pub async fn apply_later_migration(url: &str, name: &str, sql: &str) {
    const NOTE: &str =
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
        select max(version) + 1, $1, true, max(checksum), 1 from _sqlx_migrations";
    macro_rules! run {
        ($connection:expr, $note:expr) => {{
            let mut connection = $connection.await.expect("it connects");
            sqlx::query(AssertSqlSafe(sql.to_owned()))
                .execute(&mut connection)
                .await
                .expect("the step");
            sqlx::query($note)
                .bind(name.to_owned())
                .execute(&mut connection)
                .await
                .expect("its note");
            connection.close().await.expect("it closes");
        }};
    }
    if url.starts_with("sqlite") {
        run!(sqlx::SqliteConnection::connect(url), NOTE);
    } else {
        // The type has no maximum there.
        const NOTE: &str =
            "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
            select max(version) + 1, $1, true, ''::bytea, 1 from _sqlx_migrations";
        run!(sqlx::PgConnection::connect(url), NOTE);
    }
}
