//! Whether this release can use a database's schema.
//!
//! ```text
//! the database lacks one of our migrations ─► `dewy migrate`
//! it has one of ours by another name       ─► refused: it was made before the first release
//! it has all of ours                       ─► used
//! … and one more migration                 ─► used: it only adds, and this release does not need it
//! … but its name starts with `contract`    ─► refused: it removes what this release needs
//! … and several more                       ─► refused
//! ```

use sqlx::{Connection, migrate::Migrator};

use crate::{
    backend::Backend,
    error::{OpenError, SchemaError},
    migrations::{POSTGRES, SQLITE},
    store::Store,
};

/// Name prefix of a migration that removes something the previous release uses.
const CONTRACT: &str = "contract";

impl Store {
    /// Name of the migration by which the schema is newer than this release, if it is.
    ///
    /// # Errors
    /// [`OpenError::Schema`] when the schema lacks something this release needs.
    pub async fn newer_migration(&self) -> Result<Option<String>, OpenError> {
        let applied = self.applied().await?;
        Ok(compare_migrations(&applied, self.ours(), true)?)
    }

    /// The same check before migrating: missing migrations are about to be added.
    pub(crate) async fn may_migrate(&self) -> Result<(), OpenError> {
        let applied = self.applied().await?;
        compare_migrations(&applied, self.ours(), false)?;
        Ok(())
    }

    fn ours(&self) -> &'static Migrator {
        match &self.backend {
            Backend::Sqlite(_) => &SQLITE,
            Backend::Postgres(_) => &POSTGRES,
        }
    }

    /// Number and name of every applied migration.
    async fn applied(&self) -> Result<Vec<(i64, String)>, OpenError> {
        const SQLITE_TABLES_EXIST: &str =
            "select count(*) from sqlite_master where type = 'table' and name = '_sqlx_migrations'";
        const POSTGRES_TABLES_EXIST: &str = "select count(to_regclass('_sqlx_migrations'))";
        const APPLIED: &str =
            "select version, description from _sqlx_migrations where success order by version";
        let applied = match &self.backend {
            Backend::Sqlite(s) => {
                let mut reader = s.reader().acquire().await?;
                let (there,): (i64,) = sqlx::query_as(SQLITE_TABLES_EXIST)
                    .fetch_one(&mut *reader)
                    .await?;
                if there == 0 {
                    Vec::new()
                } else {
                    sqlx::query_as(APPLIED).fetch_all(&mut *reader).await?
                }
            }
            Backend::Postgres(p) => {
                let mut connection = p.connection_pool().connect().await?;
                let (there,): (i64,) = sqlx::query_as(POSTGRES_TABLES_EXIST)
                    .fetch_one(&mut connection)
                    .await?;
                let applied = if there == 0 {
                    Vec::new()
                } else {
                    sqlx::query_as(APPLIED).fetch_all(&mut connection).await?
                };
                connection.close().await?;
                applied
            }
        };
        Ok(applied)
    }
}

/// Compares a schema with this release's migrations; `whole` requires that none is missing.
fn compare_migrations(
    applied: &[(i64, String)],
    ours: &Migrator,
    whole: bool,
) -> Result<Option<String>, SchemaError> {
    let latest = ours
        .iter()
        .map(|migration| migration.version)
        .max()
        .unwrap_or(0);
    let newer: Vec<&String> = applied
        .iter()
        .filter(|(version, _)| *version > latest)
        .map(|(_, name)| name)
        .collect();
    let lacks = ours
        .iter()
        .filter(|m| !applied.iter().any(|(version, _)| *version == m.version))
        .count();
    if let Some((version, name)) = applied.iter().find(|(version, name)| {
        ours.iter()
            .any(|m| m.version == *version && m.description != name.as_str())
    }) {
        return Err(SchemaError::Unreleased(*version, name.clone()));
    }
    match newer.as_slice() {
        [_, _, ..] => Err(SchemaError::Newer(newer.len())),
        [step] if step.starts_with(CONTRACT) => Err(SchemaError::Contracted((*step).clone())),
        _ if whole && lacks > 0 => Err(SchemaError::Older(lacks)),
        newer => Ok(newer.first().map(|step| (*step).clone())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_newer_schema_version_is_accepted() {
        let ours = SQLITE
            .iter()
            .map(|m| (m.version, m.description.to_string()))
            .collect::<Vec<_>>();
        let latest = ours.len() as i64;
        let with = |more: &[&str]| {
            let more = (latest + 1..)
                .zip(more)
                .map(|(version, name)| (version, (*name).to_owned()));
            compare_migrations(
                &ours.iter().cloned().chain(more).collect::<Vec<_>>(),
                &SQLITE,
                true,
            )
        };
        assert_eq!(with(&[]), Ok(None));
        assert_eq!(with(&["expand rooms"]), Ok(Some("expand rooms".to_owned())));
        assert_eq!(
            with(&["contract rooms"]),
            Err(SchemaError::Contracted("contract rooms".to_owned()))
        );
        assert_eq!(
            with(&["expand rooms", "expand beds"]),
            Err(SchemaError::Newer(2))
        );
        assert_eq!(
            compare_migrations(&ours[1..], &SQLITE, true),
            Err(SchemaError::Older(1))
        );
        assert_eq!(compare_migrations(&ours[1..], &SQLITE, false), Ok(None));
    }
}
