//! Rate limits shared by all instances, and kept across restarts.

use std::time::Duration;

use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{
    row_conversion::{micros, to_timestamp},
    small_writes::{write_returning, write_rows},
    store::Store,
};

/// Hits of a bucket in its current window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BucketHits {
    /// Number of hits, the last one included.
    pub hits: u64,
    /// End of the window.
    pub until: Timestamp,
}

impl Store {
    /// Counts a hit on a bucket and returns the hits in the current window. A window starts with
    /// the first hit after the previous window has ended.
    pub async fn count_rate_limit_hit(
        &self,
        bucket: &str,
        window: Duration,
        at: Timestamp,
    ) -> Result<BucketHits, StoreError> {
        let sql = "insert into rate_limit (bucket, window_start, hits, expires_at) values ($1, $2, 1, $3)
                   on conflict (bucket) do update set
                       hits = case when rate_limit.expires_at <= $2 then 1 else rate_limit.hits + 1 end,
                       window_start = case when rate_limit.expires_at <= $2 then $2 else rate_limit.window_start end,
                       expires_at = case when rate_limit.expires_at <= $2 then $3 else rate_limit.expires_at end
                   returning hits, expires_at";
        let (at, window) = (
            micros(at),
            i64::try_from(window.as_micros()).unwrap_or(i64::MAX / 4),
        );
        let counted = write_returning!(self, (i64, i64), sql, bucket, at, at + window)?.pop();
        let (hits, until) = counted.unwrap_or((0, at));
        Ok(BucketHits {
            hits: hits.unsigned_abs(),
            until: to_timestamp(until)?,
        })
    }

    /// Takes back one hit, such as that of an attempt that turned out right.
    pub async fn take_back_rate_limit_hit(&self, bucket: &str) -> Result<(), StoreError> {
        let sql = "update rate_limit set hits = hits - 1 where bucket = $1 and hits > 0";
        write_rows!(self, sql, bucket).map(drop)
    }
}
