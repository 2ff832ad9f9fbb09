//! Version of the lists of executions, for pages that follow them.

use std::hash::{DefaultHasher, Hash, Hasher};

use dewy_saga::journal::ExecutionFilter;
use jiff::SignedDuration;

use crate::hotel::hotel_service::Hotel;

/// Number of newest executions that signal a change of a list. Older ones only change while they
/// are open, and open ones are counted.
const WATCHED_EXECUTIONS: usize = 50;

/// How long a count stays valid.
const COUNT_LIFETIME: SignedDuration = SignedDuration::from_millis(900);

impl Hotel {
    /// A number that changes when any of the newest executions, or the count of any open state,
    /// does. Computed once for all subscribers.
    pub(crate) async fn list_version(&self) -> Option<i64> {
        let mut news = self.list_version_cache.lock().await;
        let now = self.clock.now();
        if let Some((_, number)) = news.filter(|(at, _)| now.duration_since(*at) < COUNT_LIFETIME) {
            return Some(number);
        }
        let journal = self.engine.journal();
        let counts = journal.open_counts().await.ok()?;
        let newest = journal
            .list(&ExecutionFilter {
                limit: WATCHED_EXECUTIONS,
                ..ExecutionFilter::default()
            })
            .await
            .ok()?;
        let mut hash = DefaultHasher::new();
        counts
            .iter()
            .for_each(|(state, count)| (state.name(), count).hash(&mut hash));
        newest
            .iter()
            .for_each(|r| (r.id.to_string(), r.updated_at.as_microsecond()).hash(&mut hash));
        // JavaScript numbers are exact up to 2^53.
        let number = i64::try_from(hash.finish() >> 12).ok()?;
        *news = Some((now, number));
        Some(number)
    }
}
