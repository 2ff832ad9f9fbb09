//! Named leases, for work that only one process may do at a time.

use std::time::Duration;

use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{backend::Backend, row_conversion::micros, small_writes::write_rows, store::Store};

impl Store {
    /// Acquires the named lease for a limited time, or extends it if this worker holds it; false
    /// while another worker holds it. Postgres uses its own clock, so that instances need not
    /// agree; SQLite uses `at`.
    ///
    /// # Errors
    /// When the store fails; a retry does no harm.
    pub async fn acquire_named_lease(
        &self,
        name: &str,
        worker: &str,
        lasts: Duration,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let lasts = i64::try_from(lasts.as_micros()).unwrap_or(i64::MAX / 4);
        let taken = match &self.backend {
            Backend::Sqlite(_) => {
                let sql = "insert into named_lease (name, holder, until) values ($1, $2, $4 + $3)
                           on conflict (name) do update set holder = excluded.holder, until = excluded.until
                           where named_lease.holder = excluded.holder or named_lease.until <= $4";
                write_rows!(self, sql, name, worker, lasts, micros(at))?
            }
            Backend::Postgres(_) => {
                let sql = "insert into named_lease (name, holder, until) values ($1, $2, now_us() + $3)
                           on conflict (name) do update set holder = excluded.holder, until = excluded.until
                           where named_lease.holder = excluded.holder or named_lease.until <= now_us()";
                write_rows!(self, sql, name, worker, lasts)?
            }
        };
        Ok(taken == 1)
    }

    /// Releases the named lease, if that worker holds it.
    ///
    /// # Errors
    /// When the store fails; then the lease expires by itself.
    pub async fn release_named_lease(&self, name: &str, worker: &str) -> Result<(), StoreError> {
        write_rows!(
            self,
            "delete from named_lease where name = $1 and holder = $2",
            name,
            worker
        )
        .map(drop)
    }
}
