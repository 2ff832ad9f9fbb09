//! Rate limits shared by all instances.

use std::time::Duration;

use dewy_saga::StoreError;
use jiff::Timestamp;

use crate::{row_conversion::micros, small_writes::write_returning, store::Store};

impl Store {
    /// Counts a hit on a bucket (`sign-in:203.0.113.7`) and returns the number of hits in the
    /// current window. A window starts with the first hit after the previous window has ended.
    pub async fn count_rate_limit_hit(
        &self,
        bucket: &str,
        window: Duration,
        at: Timestamp,
    ) -> Result<u64, StoreError> {
        let sql = "insert into rate_limit (bucket, window_start, hits, expires_at) values ($1, $2, 1, $3)
                   on conflict (bucket) do update set
                       hits = case when rate_limit.expires_at <= $2 then 1 else rate_limit.hits + 1 end,
                       window_start = case when rate_limit.expires_at <= $2 then $2 else rate_limit.window_start end,
                       expires_at = case when rate_limit.expires_at <= $2 then $3 else rate_limit.expires_at end
                   returning hits";
        let (at, window) = (
            micros(at),
            i64::try_from(window.as_micros()).unwrap_or(i64::MAX / 4),
        );
        let hits = write_returning!(self, (i64,), sql, bucket, at, at + window)?;
        Ok(hits.first().map_or(0, |(n,)| n.unsigned_abs()))
    }
}
