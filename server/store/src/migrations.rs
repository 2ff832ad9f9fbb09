//! The migrations of each database, compiled into the program.
//!
//! A list instead of `sqlx::migrate!`: sqlx's macros build a second sqlx, with a second SQLite, for
//! the compiler's own use.

use std::sync::LazyLock;

use sqlx::{
    SqlSafeStr as _,
    migrate::{Migration, MigrationType, Migrator},
};

/// Files with this prefix run outside a transaction, which Postgres requires for building indexes
/// concurrently.
const NO_TRANSACTION: &str = "-- no-transaction";

/// Names and contents of files, in order.
macro_rules! files {
    ($database:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../migrations/", $database, "/", $name, ".sql")))),*]
    };
}

const SQLITE_FILES: &[(&str, &str)] = files!("sqlite":
    "0001_schema",
);

const POSTGRES_FILES: &[(&str, &str)] = files!("postgres":
    "0001_schema",
);

/// SQLite's migrations.
pub static SQLITE: LazyLock<Migrator> = LazyLock::new(|| migrator(SQLITE_FILES));

/// Postgres' migrations.
pub static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| migrator(POSTGRES_FILES));

fn migrator(files: &'static [(&str, &str)]) -> Migrator {
    let migrations = files.iter().filter_map(|(name, text)| {
        let (number, about) = name.split_once('_')?;
        let about = about.replace('_', " ").into();
        let alone = text.starts_with(NO_TRANSACTION);
        Some(Migration::new(
            number.parse().ok()?,
            about,
            MigrationType::Simple,
            text.into_sql_str(),
            alone,
        ))
    });
    let mut migrator = Migrator::with_migrations(migrations.collect());
    // `step` judges migrations of newer releases, and we do our own locking: sqlx's lock blocks
    // inside a statement, and a concurrent index build would wait for that statement.
    migrator.set_ignore_missing(true).set_locking(false);
    migrator
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_is_listed_and_numbered_in_order() {
        for (database, files, migrator) in [
            ("sqlite", SQLITE_FILES, &SQLITE),
            ("postgres", POSTGRES_FILES, &POSTGRES),
        ] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("../../migrations")
                .join(database);
            let mut found: Vec<String> = std::fs::read_dir(folder)
                .unwrap()
                .map(|entry| {
                    entry
                        .unwrap()
                        .path()
                        .file_stem()
                        .unwrap()
                        .to_string_lossy()
                        .into_owned()
                })
                .collect();
            found.sort();
            let listed: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
            assert_eq!(found, listed);
            let numbers: Vec<i64> = migrator.iter().map(|migration| migration.version).collect();
            assert_eq!(numbers, (1..).take(found.len()).collect::<Vec<_>>());
        }
    }

    /// A database in use must not stall for an index, so those after the first migration are built
    /// concurrently.
    #[test]
    fn indexes_on_postgres_are_built_concurrently() {
        for (name, text) in POSTGRES_FILES
            .iter()
            .filter(|(name, _)| name[..4].parse::<i64>().unwrap() > 1)
        {
            let text = text.to_lowercase();
            let made_here = |line: &&str| {
                let table = line
                    .split(" on ")
                    .nth(1)
                    .and_then(|rest| rest.split_whitespace().next())
                    .unwrap_or_default();
                text.contains(&format!("create table {table} "))
            };
            let indexes = text
                .lines()
                .filter(|l| l.starts_with("create index") || l.starts_with("create unique index"));
            for index in indexes.filter(|line| !made_here(line)) {
                assert!(index.contains(" concurrently "), "{name}: {index}");
                assert!(
                    text.starts_with(NO_TRANSACTION),
                    "{name} must begin with {NO_TRANSACTION}"
                );
                assert_eq!(
                    text.matches(';').count(),
                    1,
                    "{name}: a concurrent index stands alone in its file"
                );
            }
        }
    }
}
