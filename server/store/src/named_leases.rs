//! What only one of several processes may do at a time: a lease with a name.

use std::time::Duration;

use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{
    codec::micros,
    store::{Backend, Store},
    write::write,
};

/// The lease of whoever sweeps.
pub const SWEEP_LEASE: &str = "sweep";

/// The lease that keeps the next sweep from beginning before its time, by the store's clock.
pub const SWEEP_PAUSE: &str = "sweep_pause";

impl Store {
    /// Takes the lease of that name for so long, or makes one's own last so long from now; false
    /// while somebody else has it. Postgres goes by its own clock, so that instances need not
    /// agree; SQLite by `at`.
    ///
    /// # Errors
    /// When the store failed; trying again does no harm.
    pub async fn try_hold(
        &self,
        name: &str,
        worker: &str,
        lasts: Duration,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let lasts = i64::try_from(lasts.as_micros()).unwrap_or(i64::MAX / 4);
        let taken = match &self.backend {
            Backend::Sqlite(_) => {
                let sql = "insert into hold (name, holder, until) values ($1, $2, $4 + $3)
                           on conflict (name) do update set holder = excluded.holder, until = excluded.until
                           where hold.holder = excluded.holder or hold.until <= $4";
                write!(self, sql, name, worker, lasts, micros(at))?
            }
            Backend::Postgres(_) => {
                let sql = "insert into hold (name, holder, until) values ($1, $2, now_us() + $3)
                           on conflict (name) do update set holder = excluded.holder, until = excluded.until
                           where hold.holder = excluded.holder or hold.until <= now_us()";
                write!(self, sql, name, worker, lasts)?
            }
        };
        Ok(taken == 1)
    }

    /// Gives the lease of that name back, if it is that worker's.
    ///
    /// # Errors
    /// When the store failed; the lease lapses by itself then.
    pub async fn let_go(&self, name: &str, worker: &str) -> Result<(), StoreError> {
        write!(
            self,
            "delete from hold where name = $1 and holder = $2",
            name, worker
        )
        .map(drop)
    }
}
