//! The highest mode in which this store has been used.

use dewy_domain::deployment_mode::DeploymentMode;
use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{
    backend::Backend,
    error::broken,
    fetch::fetch,
    row_conversion::{micros, to_timestamp},
    small_writes::write_rows,
    store::Store,
};

impl Store {
    /// The highest mode in which this store has been used, and since when; none for a store that
    /// was never served, or has no tables.
    ///
    /// # Errors
    /// When the store fails, or holds a mode unknown to this release.
    pub async fn highest_mode(&self) -> Result<Option<(DeploymentMode, Timestamp)>, StoreError> {
        if !self.has_settings().await? {
            return Ok(None);
        }
        let rows = fetch!(
            self,
            (String, i64),
            "select value, updated_at from setting where name = 'mode'"
        )?;
        rows.into_iter()
            .next()
            .map(|(name, at)| {
                Ok((
                    name.parse()
                        .map_err(|_| broken(format!("the mode {name:?}")))?,
                    to_timestamp(at)?,
                ))
            })
            .transpose()
    }

    /// Records the mode, unless the store has been used in a higher one; returns the highest.
    ///
    /// # Errors
    /// When the store fails, or holds a mode unknown to this release.
    pub async fn raise_mode(&self, mode: DeploymentMode) -> Result<DeploymentMode, StoreError> {
        // A mode of a later release ranks above all of ours
        let sql = "insert into setting (name, value, updated_at) values ('mode', $1, $2)
                   on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at
                   where case setting.value when 'demo' then 0 when 'trial' then 1 else 2 end
                       < case excluded.value when 'demo' then 0 when 'trial' then 1 else 2 end";
        write_rows!(self, sql, mode.name(), micros(self.clock.now()))?;
        Ok(self.highest_mode().await?.map_or(mode, |(mode, _)| mode))
    }

    async fn has_settings(&self) -> Result<bool, StoreError> {
        let sql = match &self.backend {
            Backend::Sqlite(_) => {
                "select count(*) from sqlite_master where type = 'table' and name = 'setting'"
            }
            Backend::Postgres(_) => {
                "select count(*) from pg_class where oid = to_regclass('setting')"
            }
        };
        Ok(fetch!(self, (i64,), sql)?.pop().is_some_and(|(n,)| n > 0))
    }
}
