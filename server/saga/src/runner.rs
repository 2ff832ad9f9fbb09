//! Drives one execution under one lease: plan, commit the intent, send, commit the outcome, plan again.
//!
//! ```text
//!   next_move ─► prepare ─► append [outcome n, intent n+1] ─► send ─┐
//!       ▲                                                           │
//!       └──────────────────────── outcome n+1 ◄─────────────────────┘
//! ```

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use serde_json::Value;
use tokio::sync::watch;

use crate::{
    event::{End, Event, Fault, Outcome, Request, Way},
    journal::{Append, Appended, ClaimChange, Journal, Lease, LeaseChange, Record, StoreError},
    plan::{Budget, Move, next_move},
    planted::{self, Bug},
    probe::{Point, Probe},
    progress::{Phase, Progress},
    saga::{Context, Look, NOT_APPLIED, Plan, REFUSED_ON_REPEAT, Read, Resolved, Saga},
    state::Illegal,
    world::World,
};

/// Beyond this pause a worker gives the execution back instead of holding it while it sleeps.
const LONGEST_NAP: Duration = Duration::from_secs(6);

/// A lease outlasts the deadline of the call it covers by this much: time to commit the outcome.
const LEASE_MARGIN: Duration = Duration::from_secs(5);

/// How often a busy store is asked again before the worker lets go; whoever takes over goes on.
const STORE_TRIES: u32 = 6;

/// Why a run stopped.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// Somebody else has the execution now.
    #[error("the lease was taken over")]
    Fenced,
    /// The store did not take it; whoever takes over goes on from the journal.
    #[error(transparent)]
    Store(StoreError),
    /// A probe ended this worker (only in tests).
    #[error("ended by a probe")]
    Ended,
    /// The journal holds what may not happen, or no definition is known for it.
    #[error("the execution cannot be run: {0}")]
    Broken(String),
}

impl From<Illegal> for Stopped {
    fn from(illegal: Illegal) -> Self {
        Self::Broken(illegal.to_string())
    }
}

/// What a run needs of its engine.
pub(crate) struct Runner {
    pub journal: Arc<dyn Journal>,
    pub world: Arc<dyn World>,
    pub probe: Arc<dyn Probe>,
    pub budget: Budget,
    pub lease: Duration,
    pub saga: Arc<dyn Saga>,
    pub hold: Lease,
    pub input: Value,
    pub progress: Progress,
    pub mark: i64,
    pub due: bool,
    /// True while an orderly shutdown wants executions handed over between steps.
    pub stopping: Arc<dyn Fn() -> bool + Send + Sync>,
    /// Outcomes not committed yet.
    pub news: Vec<Event>,
    /// True once a row beside the journal turned out to be another execution's.
    pub taken: bool,
    /// Told the seq of each committed row.
    pub live: watch::Sender<i64>,
}

/// What goes with an append beside its events.
#[derive(Default)]
struct With {
    lease: Option<LeaseChange>,
    wake_at: Option<Timestamp>,
    claims: Option<ClaimChange>,
    answer: Option<Value>,
    free_token: bool,
    labels: Vec<(String, String)>,
}

impl Runner {
    /// Goes on until the execution rests, has to wait for long, or is taken away.
    pub async fn run(mut self) -> Result<Progress, Stopped> {
        loop {
            let now = self.world.now();
            // News that is not committed yet counts already: it decides what is committed with it.
            let ahead = self.ahead(now)?;
            let step = next_move(self.saga.definition(), &ahead, &self.budget, now, std::mem::take(&mut self.due));
            if (self.stopping)() && !matches!(step, Move::End(..) | Move::Rest) {
                return self.hand_over().await;
            }
            match step {
                Move::Read => {
                    if self.read().await? {
                        return Ok(self.progress);
                    }
                }
                Move::Act(step, way) => self.act(step.name, way).await?,
                Move::SendAgain(step, way) => self.send_again(step.name, way).await?,
                Move::Resolve(step, way) => self.resolve(step.name, way).await?,
                Move::Decide(decision) => {
                    self.news.push(Event::Decided { decision });
                    self.commit(With::default()).await?;
                }
                Move::Sleep(until) => {
                    if self.pause(until).await? {
                        return Ok(self.progress);
                    }
                }
                Move::End(end, reason) => {
                    self.end(end, reason).await?;
                    return Ok(self.progress);
                }
                Move::Look(look) => {
                    if self.look(look).await? {
                        return Ok(self.progress);
                    }
                }
                Move::Rest => {
                    self.let_go().await?;
                    return Ok(self.progress);
                }
            }
        }
    }

    fn ahead(&self, now: Timestamp) -> Result<Progress, Stopped> {
        let mut ahead = self.progress.clone();
        for event in &self.news {
            ahead.foresee(event, now)?;
        }
        Ok(ahead)
    }

    /// Reads the prerequisites; true when the execution came to rest by it.
    async fn read(&mut self) -> Result<bool, Stopped> {
        let began = self.progress.began_at.unwrap_or_else(|| self.world.now());
        let mut tries = 0;
        loop {
            // The mark is older than the read, so that whoever acts in between makes it stale. A new execution brought its own.
            if self.mark < 0 {
                self.mark = self.store(|journal| async move { journal.claim_mark().await }).await?;
                self.renew(self.lease).await?;
            }
            let read = self.saga.read(self.context(&self.progress)).await;
            match read {
                Read::Ready { facts, claims, labels } => {
                    self.news.push(Event::Read { facts });
                    return self.begin(claims, labels).await;
                }
                Read::Finished { answer, labels } => {
                    self.news.push(Event::Read { facts: Value::Null });
                    self.news.push(Event::Ended { end: End::Completed, reason: None });
                    let with = With { answer: Some(answer), labels, ..self.resting() };
                    self.commit(with).await?;
                    return Ok(true);
                }
                Read::Refused { answer } => return self.refuse(answer).await,
                Read::TryLater { fault } => {
                    tries += 1;
                    let now = self.world.now();
                    let spent = Duration::try_from(now.duration_since(began)).unwrap_or_default();
                    if tries >= self.budget.forward_tries || spent >= self.budget.forward_window {
                        let answer = self.saga.answer_unavailable(&fault);
                        return self.refuse(answer).await;
                    }
                    self.world.sleep(self.budget.first_pause * tries).await;
                    self.mark = -1;
                }
            }
        }
    }

    async fn refuse(&mut self, answer: Value) -> Result<bool, Stopped> {
        self.news.push(Event::Ended { end: End::Refused, reason: None });
        let with = With { answer: Some(answer), free_token: true, ..self.resting() };
        self.commit(with).await?;
        Ok(true)
    }

    /// Commits the facts together with the first intents and the claims; a stale read is read again.
    async fn begin(&mut self, resources: Vec<String>, labels: Vec<(String, String)>) -> Result<bool, Stopped> {
        let now = self.world.now();
        let mut request = None;
        let mut lease = LeaseChange::For(self.lease);
        // Steps that follow from the facts alone join the same commit, up to the first one that sends something.
        loop {
            let ahead = self.ahead(now)?;
            let Move::Act(step, way) = next_move(self.saga.definition(), &ahead, &self.budget, now, false) else { break };
            let plan = self.saga.activity(step.name, way).and_then(|a| a.build(self.context(&ahead)));
            match plan {
                Some(Plan::Skip(why)) => self.news.push(Event::Skipped { step: step.name.to_owned(), way, why }),
                Some(Plan::Send(wanted)) => {
                    lease = LeaseChange::For(Duration::from_millis(wanted.deadline_ms) + LEASE_MARGIN);
                    self.news.push(intended(step.name, way, &ahead, false, &wanted));
                    request = Some((step.name, way, wanted));
                    break;
                }
                _ => break,
            }
        }
        if self.at(Point::BeforeIntent, request.as_ref().map_or("read", |(s, _, _)| s), Way::Forward) {
            return Err(Stopped::Ended);
        }
        let claims = ClaimChange::Take { resources, mark: self.mark };
        let with = With { lease: Some(lease), claims: Some(claims), labels, ..With::default() };
        match self.try_commit(with).await? {
            Appended::Ok => {}
            Appended::Held { by } => {
                self.news.clear();
                let answer = self.saga.answer_held(by);
                return self.refuse(answer).await;
            }
            Appended::Stale { mark } => {
                tracing::debug!(execution = %self.progress.id, "read again: a claim changed hands meanwhile");
                self.news.clear();
                self.mark = mark;
                self.renew(self.lease).await?;
                return Ok(false);
            }
        }
        match request {
            Some((step, way, request)) => self.send(step, way, &request).await.map(|()| false),
            None => Ok(false),
        }
    }

    async fn act(&mut self, step: &'static str, way: Way) -> Result<(), Stopped> {
        let now = self.world.now();
        let ahead = self.ahead(now)?;
        let saga = Arc::clone(&self.saga);
        let quick = saga.activity(step, way).and_then(|a| a.build(self.context(&ahead)));
        let plan = match quick {
            Some(plan) => plan,
            None => {
                // Something has to be read first: what is known is committed before.
                self.commit_news().await?;
                self.renew(self.lease).await?;
                match saga.activity(step, way) {
                    Some(activity) => activity.prepare(self.context(&self.progress)).await,
                    None => Plan::Skip(Value::Null),
                }
            }
        };
        match plan {
            Plan::Send(request) => {
                let ahead = self.ahead(self.world.now())?;
                self.news.push(intended(step, way, &ahead, false, &request));
                if planted::on(Bug::SendBeforeIntent)
                    && let Some(activity) = saga.activity(step, way)
                {
                    let outcome = activity.send(self.context(&ahead), &request).await;
                    self.commit_intent(step, way, &request).await?;
                    self.settle(step, way, false, outcome);
                    return Ok(());
                }
                self.commit_intent(step, way, &request).await?;
                self.send(step, way, &request).await?;
            }
            Plan::Guard(request) => {
                let ahead = self.ahead(self.world.now())?;
                self.news.push(intended(step, way, &ahead, true, &request));
                self.commit_intent(step, way, &request).await?;
                self.send_guard(step, way, &request).await?;
            }
            Plan::Skip(why) => self.news.push(Event::Skipped { step: step.to_owned(), way, why }),
            Plan::Refuse(fault) => self.settle(step, way, true, Outcome::Refused { fault }),
            Plan::TryLater(fault) => self.settle(step, way, true, Outcome::TryLater { fault }),
        }
        Ok(())
    }

    async fn commit_intent(&mut self, step: &'static str, way: Way, request: &Request) -> Result<(), Stopped> {
        if self.at(Point::BeforeIntent, step, way) {
            return Err(Stopped::Ended);
        }
        let lease = LeaseChange::For(Duration::from_millis(request.deadline_ms) + LEASE_MARGIN);
        self.commit(With { lease: Some(lease), ..With::default() }).await
    }

    /// Sends the journaled bytes once more after they were definitely not applied. That they are under way again is journaled
    /// first: a worker that ends now must not be remembered by the older answer.
    async fn send_again(&mut self, step: &'static str, way: Way) -> Result<(), Stopped> {
        let ahead = self.ahead(self.world.now())?;
        let Some(request) = ahead.side(step, way).and_then(|s| s.request.clone()) else {
            return Err(Stopped::Broken(format!("{step} has no request to send again")));
        };
        self.news.push(intended(step, way, &ahead, false, &request));
        self.commit_intent(step, way, &request).await?;
        self.send(step, way, &request).await
    }

    async fn send(&mut self, step: &'static str, way: Way, request: &Request) -> Result<(), Stopped> {
        if self.at(Point::AfterIntent, step, way) {
            return Err(Stopped::Ended);
        }
        let saga = Arc::clone(&self.saga);
        let Some(activity) = saga.activity(step, way) else {
            return Err(Stopped::Broken(format!("{step} has no activity")));
        };
        let outcome = activity.send(self.context(&self.progress), request).await;
        if self.at(Point::AfterSend, step, way) {
            return Err(Stopped::Ended);
        }
        self.settle(step, way, false, outcome);
        Ok(())
    }

    async fn resolve(&mut self, step: &'static str, way: Way) -> Result<(), Stopped> {
        self.commit_news().await?;
        let Some(side) = self.progress.side(step, way).cloned() else {
            return Err(Stopped::Broken(format!("{step} has nothing to resolve")));
        };
        let Some(request) = side.request.clone() else {
            // An effect that was found without a request of ours: nothing to look up.
            self.settle(step, way, true, Outcome::TryLater { fault: Fault::new(NOT_APPLIED, "nothing was sent") });
            return Ok(());
        };
        if planted::on(Bug::BlindRetry) && way == Way::Forward {
            let fault = Fault::new(NOT_APPLIED, "nobody looked");
            self.settle(step, way, true, Outcome::TryLater { fault });
            return Ok(());
        }
        self.renew(self.lease.max(Duration::from_millis(request.deadline_ms) + LEASE_MARGIN)).await?;
        let saga = Arc::clone(&self.saga);
        let Some(activity) = saga.activity(step, way) else {
            return Err(Stopped::Broken(format!("{step} has no activity")));
        };
        // A guard whose outcome is open was perhaps sent: the same bytes again tell.
        if let Some(guard) = side.guard.filter(|g| g.outcome.is_none()) {
            return self.send_guard(step, way, &guard.request).await;
        }
        match activity.resolve(self.context(&self.progress), &request).await {
            Resolved::Outcome(outcome) => self.settle(step, way, true, outcome),
            Resolved::SendAgain => {
                self.send(step, way, &request).await?;
                // What was answered to this sending need not speak of the one before it.
                if let Some(Event::Settled { outcome, .. }) = self.news.last_mut() {
                    match outcome {
                        Outcome::TryLater { fault } => *outcome = Outcome::Unknown { fault: fault.clone() },
                        Outcome::Refused { fault } if !activity.speaks_of_all(fault) => {
                            let details = serde_json::json!({ "refusal": fault });
                            let repeated = Fault::new(REFUSED_ON_REPEAT, format!("a repetition was refused: {}", fault.code));
                            *outcome = Outcome::Unknown { fault: repeated.with(details) };
                        }
                        _ => {}
                    }
                }
            }
            Resolved::Guard(guard) => {
                let spent = self.progress.side(step, way).is_some_and(|s| {
                    way == Way::Forward && s.phase != Phase::Waiting && crate::plan::exhausted(s, &self.budget, self.world.now())
                });
                if spent {
                    // It will not be sent again, so the straggler is the compensation's to deal with.
                    let fault = Fault::new(NOT_APPLIED, "not applied so far, and the time for it is up");
                    self.settle(step, way, true, Outcome::Unknown { fault });
                    return Ok(());
                }
                let ahead = self.ahead(self.world.now())?;
                self.news.push(intended(step, way, &ahead, true, &guard));
                self.commit_intent(step, way, &guard).await?;
                self.send_guard(step, way, &guard).await?;
            }
        }
        Ok(())
    }

    async fn send_guard(&mut self, step: &'static str, way: Way, request: &Request) -> Result<(), Stopped> {
        if self.at(Point::AfterIntent, step, way) {
            return Err(Stopped::Ended);
        }
        let saga = Arc::clone(&self.saga);
        let Some(activity) = saga.activity(step, way) else {
            return Err(Stopped::Broken(format!("{step} has no activity")));
        };
        let outcome = activity.send_guard(self.context(&self.progress), request).await;
        if self.at(Point::AfterSend, step, way) {
            return Err(Stopped::Ended);
        }
        // What a guard's success means is the activity's to say, asked again at once. Its failure is waited out first; when it
        // guards a request that was sent, that one's outcome stays unknown.
        let failed = match &outcome {
            Outcome::Done { .. } => None,
            Outcome::Refused { fault } | Outcome::TryLater { fault } | Outcome::Unknown { fault } => Some(fault.clone()),
            Outcome::Waiting { .. } => Some(Fault::new("waiting", "a guard cannot wait for anybody")),
        };
        let open = self.progress.side(step, way).is_some_and(|s| matches!(s.phase, Phase::Unknown | Phase::Intended));
        let waiting = self.progress.side(step, way).is_some_and(|s| s.phase == Phase::Waiting);
        self.news.push(Event::Settled { step: step.to_owned(), way, guard: true, looked: false, outcome });
        match failed {
            None => self.due = true,
            Some(_) if waiting => {}
            Some(fault) if open => self.settle(step, way, true, Outcome::Unknown { fault }),
            Some(fault) => self.settle(step, way, true, Outcome::TryLater { fault }),
        }
        Ok(())
    }

    fn settle(&mut self, step: &str, way: Way, looked: bool, outcome: Outcome) {
        self.news.push(Event::Settled { step: step.to_owned(), way, guard: false, looked, outcome });
    }

    /// Waits; true when the execution was given back for it.
    async fn pause(&mut self, until: Timestamp) -> Result<bool, Stopped> {
        let pause = Duration::try_from(until.duration_since(self.world.now())).unwrap_or_default();
        let resting = self.ahead(self.world.now())?.state.is_some_and(crate::state::State::at_rest);
        if pause <= LONGEST_NAP && !resting {
            let lease = LeaseChange::For(pause + self.lease);
            if self.news.is_empty() {
                self.renew(pause + self.lease).await?;
            } else {
                self.commit(With { lease: Some(lease), ..With::default() }).await?;
            }
            self.world.sleep(pause).await;
            return Ok(false);
        }
        let with = With { lease: Some(LeaseChange::Release), wake_at: Some(until), ..With::default() };
        if self.news.is_empty() {
            self.park(Some(until)).await?;
        } else {
            self.commit(with).await?;
        }
        Ok(true)
    }

    async fn end(&mut self, end: End, reason: Option<String>) -> Result<(), Stopped> {
        let ahead = self.ahead(self.world.now())?;
        let (end, reason) = match (end, self.saga.afterthought(self.context(&ahead))) {
            (End::Completed, Some(reason)) => (End::NeedsAttention, Some(reason)),
            (End::Compensated, _) if self.taken => (End::NeedsAttention, Some("FOREIGN_PAYMENT".to_owned())),
            (end, _) => (end, reason),
        };
        let answer = self.saga.answer(self.context(&ahead), end, reason.as_deref());
        self.news.push(Event::Ended { end, reason: reason.clone() });
        let mut with = With { answer: Some(answer), free_token: end == End::Refused && !ahead.had_effect(), ..self.resting() };
        if end == End::NeedsAttention {
            with.claims = None;
        }
        if self.saga.wants_looks(self.context(&ahead)) {
            with.wake_at = self.saga.definition().looks.first().map(|after| self.world.now() + *after);
        }
        self.commit(with).await
    }

    /// One more look at the outside; true when the execution stays at rest.
    async fn look(&mut self, look: u32) -> Result<bool, Stopped> {
        let found = self.saga.look(self.context(&self.progress)).await;
        match found {
            Look::Quiet => {
                self.news.push(Event::Watched { look });
                let ended = self.progress.ended.as_ref().map_or_else(|| self.world.now(), |(_, _, at)| *at);
                let next = usize::try_from(look).ok().and_then(|n| self.saga.definition().looks.get(n)).map(|after| ended + *after);
                let with = With { lease: Some(LeaseChange::Release), wake_at: next, ..With::default() };
                self.commit(with).await?;
                Ok(true)
            }
            Look::Found { decision, found } => {
                self.news.push(Event::Reopened { decision, found });
                self.commit(With { lease: Some(LeaseChange::For(self.lease)), ..With::default() }).await?;
                Ok(false)
            }
            Look::TryLater => {
                self.park(Some(self.world.now() + self.budget.longest_back)).await?;
                Ok(true)
            }
        }
    }

    fn resting(&self) -> With {
        With { lease: Some(LeaseChange::Release), claims: Some(ClaimChange::Release), ..With::default() }
    }

    async fn hand_over(mut self) -> Result<Progress, Stopped> {
        self.commit_news().await?;
        self.store(|journal| {
            let (hold, now) = (self.hold.clone(), self.world.now());
            async move { journal.hand_over(&hold, now).await }
        })
        .await?;
        Ok(self.progress)
    }

    /// Gives the lease back without news.
    async fn let_go(&mut self) -> Result<(), Stopped> {
        self.commit_news().await?;
        self.park(None).await
    }

    /// Gives the lease back, to be taken at `wake_at` (never, for `None`).
    async fn park(&mut self, wake_at: Option<Timestamp>) -> Result<(), Stopped> {
        self.commit(With { lease: Some(LeaseChange::Release), wake_at, ..With::default() }).await
    }

    async fn commit_news(&mut self) -> Result<(), Stopped> {
        if self.news.is_empty() { Ok(()) } else { self.commit(With::default()).await }
    }

    async fn commit(&mut self, with: With) -> Result<(), Stopped> {
        match self.try_commit(with).await? {
            Appended::Ok => Ok(()),
            other => Err(Stopped::Broken(format!("an append without claims was answered {other:?}"))),
        }
    }

    async fn try_commit(&mut self, with: With) -> Result<Appended, Stopped> {
        let settles = self.news.iter().find_map(|e| match e {
            Event::Settled { step, way, .. } => Some((step.clone(), *way)),
            _ => None,
        });
        if let Some((step, way)) = &settles
            && self.at(Point::BeforeOutcome, step, *way)
        {
            return Err(Stopped::Ended);
        }
        let at = self.world.now();
        let mut progress = self.progress.clone();
        let (mut rows, mut audit) = (Vec::new(), Vec::new());
        for event in &self.news {
            let (row, trail) = progress.push(event.clone(), at, &self.hold.worker, self.hold.fence)?;
            rows.push(row);
            audit.extend(trail);
        }
        let mut labels = with.labels;
        labels.extend(self.saga.labels(self.context(&progress)));
        let mut append = Append {
            state: progress.state.unwrap_or(crate::state::State::Queued),
            rows,
            audit,
            wake_at: with.wake_at,
            lease: with.lease.unwrap_or(LeaseChange::Keep),
            claims: with.claims.unwrap_or(ClaimChange::None),
            answer: with.answer,
            free_token: with.free_token,
            labels,
            beside: if self.taken { Vec::new() } else { self.saga.beside(self.context(&progress)) },
            at,
        };
        let appended = match self.append(&append).await {
            // A row beside the journal belongs to another execution. The money must not wait for that to be understood: this
            // execution goes on without the row, and ends with a person.
            Err(Stopped::Store(StoreError::Taken { kind, key, owner })) => {
                tracing::error!(execution = %self.progress.id, kind, key, owner, "another execution has this row");
                self.taken = true;
                append.beside.clear();
                self.append(&append).await?
            }
            other => other?,
        };
        if appended == Appended::Ok {
            self.progress = progress;
            self.news.clear();
            self.live.send_replace(self.progress.seq);
            if let Some((step, way)) = &settles
                && self.at(Point::AfterOutcome, step, *way)
            {
                return Err(Stopped::Ended);
            }
        }
        Ok(appended)
    }

    async fn append(&self, append: &Append) -> Result<Appended, Stopped> {
        self.store(|journal| {
            let (hold, append) = (self.hold.clone(), append.clone());
            async move { journal.append(&hold, append).await }
        })
        .await
    }

    async fn renew(&self, lease: Duration) -> Result<(), Stopped> {
        let hold = self.hold.clone();
        let at = self.world.now();
        self.store(|journal| {
            let hold = hold.clone();
            async move { journal.renew(&hold, lease, at).await }
        })
        .await
    }

    /// Asks the store, and again while it is busy or its answer was lost (both are safe to repeat).
    async fn store<T, F>(&self, ask: impl Fn(Arc<dyn Journal>) -> F) -> Result<T, Stopped>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        let mut tries = 0;
        loop {
            match ask(Arc::clone(&self.journal)).await {
                Ok(value) => return Ok(value),
                Err(StoreError::Fenced) => return Err(Stopped::Fenced),
                Err(e @ (StoreError::Busy(_) | StoreError::Lost(_) | StoreError::Failed(_))) if tries < STORE_TRIES => {
                    tries += 1;
                    tracing::warn!(execution = %self.hold.id, error = %e, tries, "the store is asked again");
                    self.world.sleep(Duration::from_millis(20 << tries)).await;
                }
                Err(e) => return Err(Stopped::Store(e)),
            }
        }
    }

    fn at(&self, point: Point, step: &str, way: Way) -> bool {
        self.probe.ends(point, step, way)
    }

    fn context<'a>(&'a self, progress: &'a Progress) -> Context<'a> {
        Context { id: progress.id, input: &self.input, progress, now: self.world.now() }
    }
}

fn intended(step: &str, way: Way, progress: &Progress, guard: bool, request: &Request) -> Event {
    let attempt = progress.side(step, way).map_or(0, |s| s.intents) + u32::from(!guard);
    Event::Intended { step: step.to_owned(), way, attempt, guard, request: request.clone() }
}

/// A runner for what `take` or `begin` gave.
#[expect(clippy::too_many_arguments, reason = "one place puts a run together")]
pub(crate) fn runner(
    journal: Arc<dyn Journal>,
    world: Arc<dyn World>,
    probe: Arc<dyn Probe>,
    budget: Budget,
    lease: Duration,
    saga: Arc<dyn Saga>,
    hold: Lease,
    record: &Record,
    mark: Option<i64>,
    stopping: Arc<dyn Fn() -> bool + Send + Sync>,
    live: watch::Sender<i64>,
) -> Result<Runner, Stopped> {
    let progress = Progress::replay(record.id, &record.rows, &record.audit)?;
    let due = mark.is_none();
    Ok(Runner {
        journal,
        world,
        probe,
        budget,
        lease,
        saga,
        hold,
        input: record.input.clone(),
        progress,
        mark: mark.unwrap_or(-1),
        due,
        stopping,
        news: Vec::new(),
        taken: false,
        live,
    })
}
