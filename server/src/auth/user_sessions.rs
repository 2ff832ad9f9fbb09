//! Sessions of a user.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use dewy_domain::ports::SessionView;
use dewy_saga::StoreError;
use dewy_store::{Store, StoredSession};
use jiff::{SignedDuration, Timestamp};
use tower_sessions::session::Id;

/// Session key that holds the browser's name.
pub const BROWSER: &str = "browser";
/// Maximum lag of the last-used time, so that not every page writes.
const LAST_USED_LAG: SignedDuration = SignedDuration::from_mins(1);
/// Size above which the map is searched for stale entries.
const MAX_SESSIONS: usize = 10_000;

/// Sessions, as their users see them.
#[derive(Clone, Debug)]
pub struct UserSessions {
    store: Store,
    /// Time this process last recorded a use.
    noted: Times,
    /// Time this process last renewed the lifetime.
    renewed: Times,
}

/// Times by session id.
type Times = Arc<Mutex<BTreeMap<i128, Timestamp>>>;

impl UserSessions {
    pub fn new(store: Store) -> Self {
        Self {
            store,
            noted: Arc::default(),
            renewed: Arc::default(),
        }
    }

    /// Records that a session is used, at most once a minute.
    pub async fn note(&self, id: &Id, now: Timestamp) {
        if !is_due(&self.noted, id, now) {
            return;
        }
        if let Err(error) = self.store.touch_session(id, now).await {
            tracing::warn!(%error, "a session's last use could not be recorded");
        }
    }

    /// Whether it is time to renew the session's lifetime: at most once a minute.
    pub fn is_renewal_due(&self, id: &Id, now: Timestamp) -> bool {
        is_due(&self.renewed, id, now)
    }

    /// All sessions of a user, the current one first.
    pub async fn of(
        &self,
        subject: &str,
        asking: Option<Id>,
    ) -> Result<Vec<SessionView>, StoreError> {
        let this = asking.as_ref().map(Store::session_name);
        let mut user_sessions: Vec<SessionView> = self
            .store
            .sessions_of(subject)
            .await?
            .into_iter()
            .map(|stored| view(stored, this.as_deref()))
            .collect();
        user_sessions.sort_by_key(|place| !place.this);
        Ok(user_sessions)
    }
}

fn is_due(times: &Times, id: &Id, now: Timestamp) -> bool {
    let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
    let recent = |last: &Timestamp| now.duration_since(*last) < LAST_USED_LAG;
    if times.get(&id.0).is_some_and(recent) {
        return false;
    }
    if times.len() > MAX_SESSIONS {
        times.retain(|_, last| recent(last));
    }
    times.insert(id.0, now);
    true
}

fn view(stored: StoredSession, this: Option<&str>) -> SessionView {
    SessionView {
        this: this == Some(stored.name.as_str()),
        browser: stored.data[BROWSER]
            .as_str()
            .unwrap_or("An unknown browser")
            .to_owned(),
        since: stored.since,
        last_used: stored.last_used,
        name: stored.name,
    }
}

#[cfg(test)]
mod tests {
    use tower_sessions::{
        SessionStore,
        cookie::time::{Duration, OffsetDateTime},
        session::Record,
    };

    use super::*;
    use dewy_connectors::RealClock;

    #[tokio::test]
    async fn the_last_use_is_written_once_a_minute() {
        let store = Store::open("sqlite::memory:", Arc::new(RealClock))
            .await
            .unwrap();
        store.migrate().await.unwrap();
        let expiry_date = OffsetDateTime::now_utc() + Duration::hours(1);
        let mut record = Record {
            id: Id(7),
            data: Default::default(),
            expiry_date,
        };
        record
            .data
            .insert(dewy_store::SUBJECT_KEY.to_owned(), "guest:beth".into());
        store.create(&mut record).await.unwrap();
        let user_sessions = UserSessions::new(store);
        let began = Timestamp::from_microsecond(Timestamp::now().as_microsecond()).unwrap();
        for (after, written) in [(0, 0), (30, 0), (59, 0), (61, 61), (90, 61), (130, 130)] {
            user_sessions
                .note(&record.id, began + SignedDuration::from_secs(after))
                .await;
            let place = user_sessions
                .of("guest:beth", Some(record.id))
                .await
                .unwrap()
                .remove(0);
            assert_eq!(
                place.last_used,
                began + SignedDuration::from_secs(written),
                "after {after} s"
            );
            assert!(place.this);
        }
        // The lifetime has a clock of its own: what only notes a use takes no renewal from it
        for (after, due) in [(130, true), (131, false), (189, false), (190, true)] {
            let now = began + SignedDuration::from_secs(after);
            assert_eq!(
                user_sessions.is_renewal_due(&record.id, now),
                due,
                "after {after} s"
            );
        }
    }
}
