//! Batched folio reads for display: queries that arrive while enough reads are in progress are
//! combined into one.
//!
//! ```text
//! a query ─► a free slot? ── yes ─► read at once, with all waiting queries
//!                  └─ no ─► wait ─► the next read takes all waiting queries
//! ```
//! A read never answers a query that came after the read began, so nobody gets a folio older than
//! their query. The caller who gets a slot reads for the others; if it is dropped midway, the
//! others notice and ask again.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use dewy_domain::{
    ports::{Crm, StayQuery},
    stay::Stay,
    upstream_request::Outcome,
};
use tokio::sync::{Semaphore, oneshot};

/// Concurrent reads before queries are combined: few enough to form batches, and more than one so
/// that a single slow response does not block everyone.
const CONCURRENT_READS: usize = 2;
/// Queries per request; the query text is part of the URL, which must stay below 16 kB.
const MAX_BATCH: usize = 25;

type StaysOutcome = Outcome<Vec<Stay>>;

#[derive(Debug)]
pub(crate) struct FolioReads {
    crm: Arc<dyn Crm>,
    permits: Semaphore,
    waiting: Mutex<Vec<(StayQuery, oneshot::Sender<StaysOutcome>)>>,
}

impl FolioReads {
    pub(crate) fn new(crm: Arc<dyn Crm>) -> Self {
        Self {
            crm,
            permits: Semaphore::new(CONCURRENT_READS),
            waiting: Mutex::default(),
        }
    }

    pub(crate) async fn stays(&self, query: &StayQuery) -> StaysOutcome {
        if !query.names_somebody() {
            return Outcome::Done(Vec::new());
        }
        loop {
            let (told, mut answer) = oneshot::channel();
            self.lock().push((query.clone(), told));
            let place = tokio::select! {
                biased;
                read = &mut answer => match read {
                    Ok(stays) => return stays,
                    // The caller that read for us was dropped
                    Err(_) => continue,
                },
                place = self.permits.acquire() => place,
            };
            let Ok(place) = place else {
                return self.alone(query).await;
            };
            // With many waiting before us, one read may not include us
            while answer.is_empty() && self.read().await {}
            drop(place);
            if let Ok(stays) = answer.await {
                return stays;
            }
        }
    }

    /// Performs one read for the waiting queries; false if there are none because another caller
    /// reads for them.
    async fn read(&self) -> bool {
        let (queries, who) = self.next();
        if queries.is_empty() {
            return false;
        }
        match self.crm.stays_each(&queries).await {
            Outcome::Done(each) => {
                for (askers, stays) in who.into_iter().zip(each) {
                    askers
                        .into_iter()
                        .for_each(|asker| drop(asker.send(Outcome::Done(stays.clone()))));
                }
            }
            // One unreadable folio must not hide the others
            Outcome::Refused(_) if queries.len() > 1 => {
                let alone = queries.iter().zip(who).map(|(query, askers)| async move {
                    let stays = self.alone(query).await;
                    askers
                        .into_iter()
                        .for_each(|asker| drop(asker.send(stays.clone())));
                });
                futures::future::join_all(alone).await;
            }
            other => who
                .into_iter()
                .flatten()
                .for_each(|asker| drop(asker.send(other.clone().map(|_| Vec::new())))),
        }
        true
    }

    async fn alone(&self, query: &StayQuery) -> StaysOutcome {
        let each = self.crm.stays_each(std::slice::from_ref(query)).await;
        each.map(|mut each| each.pop().unwrap_or_default())
    }

    /// The next queries, each once, with their callers; dropped callers are left out.
    fn next(&self) -> (Vec<StayQuery>, Vec<Vec<oneshot::Sender<StaysOutcome>>>) {
        let mut waiting = self.lock();
        waiting.retain(|(_, asker)| !asker.is_closed());
        let (mut queries, mut who) = (Vec::<StayQuery>::new(), Vec::<Vec<_>>::new());
        let mut places = HashMap::<StayQuery, usize>::new();
        let mut later = Vec::new();
        for (query, asker) in waiting.drain(..) {
            match places.get(&query) {
                Some(place) => {
                    if let Some(askers) = who.get_mut(*place) {
                        askers.push(asker);
                    }
                }
                None if queries.len() < MAX_BATCH => {
                    places.insert(query.clone(), queries.len());
                    queries.push(query);
                    who.push(vec![asker]);
                }
                None => later.push((query, asker)),
            }
        }
        *waiting = later;
        (queries, who)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(StayQuery, oneshot::Sender<StaysOutcome>)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
