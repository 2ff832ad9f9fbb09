//! Folios for a crowd that only looks: what comes while enough readings are under way is read
//! together, in one query.
//!
//! ```text
//! a question ─► a place is free? ── yes ─► read at once, with whatever else waits
//!                    └─ no ─► wait ─► the next reading takes all who wait
//! ```
//! A reading never answers a question that was put after it began, so nobody sees a folio older
//! than their question. Whoever gets a place reads for the others; when they go away half-way, the
//! others see it and ask again.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use dewy_domain::{
    call::Reply,
    ports::{Crm, StayQuery},
    stay::Stay,
};
use tokio::sync::{Semaphore, oneshot};

/// Readings under way at once before others are read together: few enough that a crowd gathers,
/// more than one so that a single slow answer does not hold up everybody.
const PLACES: usize = 2;
/// Questions in one query; its text goes into an address, which has to stay below 16 kB.
const AT_ONCE: usize = 25;

type Answer = Reply<Vec<Stay>>;

/// The reader of one hotel.
#[derive(Debug)]
pub(crate) struct FolioReads {
    crm: Arc<dyn Crm>,
    places: Semaphore,
    waiting: Mutex<Vec<(StayQuery, oneshot::Sender<Answer>)>>,
}

impl FolioReads {
    pub(crate) fn new(crm: Arc<dyn Crm>) -> Self {
        Self {
            crm,
            places: Semaphore::new(PLACES),
            waiting: Mutex::default(),
        }
    }

    /// The stays that fit.
    pub(crate) async fn stays(&self, query: &StayQuery) -> Answer {
        if query.guest_email.is_empty() {
            return Reply::Done(Vec::new());
        }
        loop {
            let (told, mut answer) = oneshot::channel();
            self.lock().push((query.clone(), told));
            let place = tokio::select! {
                biased;
                read = &mut answer => match read {
                    Ok(stays) => return stays,
                    // Whoever read for us went away
                    Err(_) => continue,
                },
                place = self.places.acquire() => place,
            };
            let Ok(place) = place else {
                return self.crm.stays(query).await;
            };
            // With many waiting before us one reading may not reach us
            while answer.is_empty() && self.read().await {}
            drop(place);
            if let Ok(stays) = answer.await {
                return stays;
            }
        }
    }

    /// One reading for those who wait; false when nobody does, for somebody else reads for them.
    async fn read(&self) -> bool {
        let (queries, who) = self.next();
        if queries.is_empty() {
            return false;
        }
        match self.crm.stays_each(&queries).await {
            Reply::Done(each) => {
                for (askers, stays) in who.into_iter().zip(each) {
                    askers
                        .into_iter()
                        .for_each(|asker| drop(asker.send(Reply::Done(stays.clone()))));
                }
            }
            // One folio that cannot be read must not keep the others from being shown
            Reply::Refused(_) if queries.len() > 1 => {
                let alone = queries.iter().zip(who).map(|(query, askers)| async move {
                    let stays = self.crm.stays(query).await;
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

    /// The next questions, each once, and who asked them; those who went away are left out.
    fn next(&self) -> (Vec<StayQuery>, Vec<Vec<oneshot::Sender<Answer>>>) {
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
                None if queries.len() < AT_ONCE => {
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

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(StayQuery, oneshot::Sender<Answer>)>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
