//! The migrations of each database, compiled into the program.
//!
//! A list and not `sqlx::migrate!`: sqlx's macros build a second sqlx, with a second SQLite, for the compiler's own use.

use std::sync::LazyLock;

use sqlx::{
    SqlSafeStr as _,
    migrate::{Migration, MigrationType, Migrator},
};

/// Name and text of files, in order.
macro_rules! files {
    ($database:literal: $($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../migrations/", $database, "/", $name, ".sql")))),*]
    };
}

const SQLITE_FILES: &[(&str, &str)] = files!("sqlite":
    "0001_journal",
    "0002_accounts",
    "0003_signals",
    "0004_holds",
    "0005_calls_and_tokens",
    "0006_stay_notes",
    "0007_lists",
    "0008_conversations",
    "0009_lapses",
);

const POSTGRES_FILES: &[(&str, &str)] = files!("postgres":
    "0001_journal",
    "0002_accounts",
    "0003_functions",
    "0004_signals",
    "0005_holds",
    "0006_calls_and_tokens",
    "0007_stay_notes",
    "0008_lists",
    "0009_conversations",
    "0010_lapses",
);

/// Those of SQLite.
pub static SQLITE: LazyLock<Migrator> = LazyLock::new(|| migrator(SQLITE_FILES));

/// Those of Postgres.
pub static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| migrator(POSTGRES_FILES));

fn migrator(files: &'static [(&str, &str)]) -> Migrator {
    let migrations = files.iter().filter_map(|(name, text)| {
        let (number, about) = name.split_once('_')?;
        let about = about.replace('_', " ").into();
        Some(Migration::new(number.parse().ok()?, about, MigrationType::Simple, text.into_sql_str(), false))
    });
    Migrator::with_migrations(migrations.collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_is_listed_and_numbered_in_order() {
        for (database, files, migrator) in [("sqlite", SQLITE_FILES, &SQLITE), ("postgres", POSTGRES_FILES, &POSTGRES)]
        {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations").join(database);
            let mut found: Vec<String> = std::fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
                .collect();
            found.sort();
            let listed: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
            assert_eq!(found, listed);
            let numbers: Vec<i64> = migrator.iter().map(|migration| migration.version).collect();
            assert_eq!(numbers, (1..).take(found.len()).collect::<Vec<_>>());
        }
    }
}
