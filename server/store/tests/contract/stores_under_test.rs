//! Stores to test, and executions to store.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use dewy_domain::ports::{Clock, Entropy};
use dewy_saga::{
    Decision, End, Event, ExecutionId, Fault, Journal, Lease, Row, Signal, SignalAction, State,
    hash_chain,
    journal::{
        Append, AppendResult, BeginResult, ClaimChange, DueFilter, ExecutionFilter,
        ExecutionRecord, LeaseChange, NewExecution, Projection,
    },
};
use dewy_store::Store;
use dewy_test_kit::{MemoryJournal, testing::PostgresServer};
use jiff::Timestamp;
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection};
use uuid::Uuid;

#[derive(Debug)]
pub struct WallClock;

#[async_trait]
impl Clock for WallClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    async fn sleep(&self, pause: Duration) {
        tokio::time::sleep(pause).await;
    }
}

/// Always the same random numbers.
#[derive(Debug)]
pub struct Constant(pub u8);

impl Entropy for Constant {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(self.0);
    }
}

pub const LONG: Duration = Duration::from_secs(600);
pub const SHORT: Duration = Duration::from_millis(400);

/// A store and everything that has to live as long.
pub struct Subject {
    pub journal: Arc<dyn Journal>,
    pub store: Option<Store>,
    pub url: String,
    _folder: Option<tempfile::TempDir>,
    next: AtomicU64,
}

pub async fn memory() -> Subject {
    let journal = Arc::new(MemoryJournal::new(Arc::new(WallClock)));
    Subject {
        journal,
        store: None,
        url: String::new(),
        _folder: None,
        next: AtomicU64::new(1),
    }
}

pub async fn sqlite() -> Subject {
    let folder = tempfile::tempdir().unwrap();
    let url = format!(
        "sqlite://{}",
        folder.path().join("deep/er/test.db").display()
    );
    let store = open(&url).await;
    Subject {
        journal: Arc::new(store.clone()),
        store: Some(store),
        url,
        _folder: Some(folder),
        next: AtomicU64::new(1),
    }
}

pub async fn postgres() -> Subject {
    let url = PostgresServer::shared()
        .unwrap()
        .create_database()
        .await
        .unwrap();
    let store = open(&url).await;
    Subject {
        journal: Arc::new(store.clone()),
        store: Some(store),
        url,
        _folder: None,
        next: AtomicU64::new(1),
    }
}

pub async fn open(url: &str) -> Store {
    let store = Store::open(url, Arc::new(WallClock)).await.unwrap();
    assert!(!store.migrated().await);
    store.migrate().await.unwrap();
    assert!(store.migrated().await);
    store
}

/// Runs each named test once per store.
macro_rules! every_store {
    ($($name:ident),* $(,)?) => {
        every_store!(memory: $($name),*);
        every_sql_store!($($name),*);
    };
    ($kind:ident: $($name:ident),*) => {
        mod $kind {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name($crate::contract::stores_under_test::$kind().await).await;
            })*
        }
    };
}

/// Runs each named test once per database.
macro_rules! every_sql_store {
    ($($name:ident),* $(,)?) => {
        every_store!(sqlite: $($name),*);
        every_store!(postgres: $($name),*);
    };
}

pub fn id(n: u64) -> ExecutionId {
    ExecutionId(Uuid::from_u128(u128::from(n)))
}

pub fn at() -> Timestamp {
    Timestamp::now()
}

pub fn new(id: ExecutionId, worker: &str) -> NewExecution {
    let event = Event::Queued {
        saga: "check_out".to_owned(),
        version: 1,
    };
    let now = at();
    let first = Row {
        seq: 1,
        at: now,
        by: worker.to_owned(),
        fence: 1,
        digest: hash_chain::digest(id, "", 1, now, &event),
        event,
    };
    let audit = hash_chain::audit(
        id,
        "",
        &first,
        "guest:beth.gibbs@email.com",
        None,
        State::Queued,
    );
    NewExecution {
        id,
        saga: "check_out".to_owned(),
        version: 1,
        caller: "guest:beth.gibbs@email.com".to_owned(),
        interface: "form".to_owned(),
        token: None,
        input_digest: "d1".to_owned(),
        input: json!({"booking": "B-1", "note": "\u{0}\"'\\ ü 日本"}),
        labels: vec![("guest_email".to_owned(), "beth.gibbs@email.com".to_owned())],
        first,
        audit,
        worker: worker.to_owned(),
        lease: LONG,
        at: now,
    }
}

pub fn with_token(id: ExecutionId, worker: &str, token: &str) -> NewExecution {
    NewExecution {
        token: Some(token.to_owned()),
        ..new(id, worker)
    }
}

/// An execution from its worker's point of view.
#[derive(Clone, Debug)]
pub struct Run {
    pub lease: Lease,
    pub mark: i64,
    pub seq: i64,
    pub digest: String,
    pub hash: String,
    pub state: State,
}

impl Run {
    pub fn resume(lease: Lease, record: &ExecutionRecord) -> Self {
        let (row, audit) = (record.rows.last().unwrap(), record.audit.last().unwrap());
        Self {
            lease,
            mark: 0,
            seq: row.seq,
            digest: row.digest.clone(),
            hash: audit.hash.clone(),
            state: record.state,
        }
    }

    /// An append of these events, not yet performed.
    pub fn plan(&self, events: Vec<Event>) -> (Append, Self) {
        let (mut after, mut rows, mut audit) = (self.clone(), Vec::new(), Vec::new());
        for event in events {
            let now = at();
            after.seq += 1;
            let digest = hash_chain::digest(self.lease.id, &after.digest, after.seq, now, &event);
            let to = dewy_saga::state_machine::next(Some(after.state), &event).unwrap();
            let row = Row {
                seq: after.seq,
                at: now,
                by: self.lease.worker.clone(),
                fence: self.lease.fence,
                event,
                digest,
            };
            if to != after.state {
                let entry = hash_chain::audit(
                    self.lease.id,
                    &after.hash,
                    &row,
                    &self.lease.worker,
                    Some(after.state),
                    to,
                );
                after.hash.clone_from(&entry.hash);
                audit.push(entry);
            }
            (after.digest, after.state) = (row.digest.clone(), to);
            rows.push(row);
        }
        let append = Append {
            rows,
            audit,
            state: after.state,
            wake_at: None,
            lease: LeaseChange::Keep,
            claims: ClaimChange::None,
            answer: None,
            free_token: false,
            labels: Vec::new(),
            projections: Vec::new(),
            handled: Vec::new(),
            at: at(),
        };
        (append, after)
    }

    /// Appends these events and continues from there.
    pub async fn append(&mut self, journal: &dyn Journal, events: Vec<Event>) {
        self.append_with(journal, events, |_| {}).await;
    }

    pub async fn append_with(
        &mut self,
        journal: &dyn Journal,
        events: Vec<Event>,
        change: impl FnOnce(&mut Append),
    ) {
        let (mut append, after) = self.plan(events);
        change(&mut append);
        assert_eq!(
            journal.append(&self.lease, append).await,
            Ok(AppendResult::Ok)
        );
        *self = after;
    }

    /// Releases the lease; the execution is due after `pause`.
    pub async fn rest(&mut self, journal: &dyn Journal, pause: Duration) {
        let wake = at() + pause;
        self.append_with(journal, vec![], |a| {
            (a.lease, a.wake_at) = (LeaseChange::Release, Some(wake))
        })
        .await;
    }
}

impl Subject {
    pub fn id(&self) -> ExecutionId {
        id(self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// A new execution held by `worker`.
    pub async fn run(&self, worker: &str) -> Run {
        self.start(new(self.id(), worker)).await
    }

    pub async fn start(&self, new: NewExecution) -> Run {
        let (digest, hash) = (new.first.digest.clone(), new.audit.hash.clone());
        match self.journal.begin(new).await.unwrap() {
            BeginResult::New { lease, mark } => Run {
                lease,
                mark,
                seq: 1,
                digest,
                hash,
                state: State::Queued,
            },
            other => panic!("not new: {other:?}"),
        }
    }

    pub fn store(&self) -> &Store {
        self.store.as_ref().unwrap()
    }

    /// Changes the database directly, bypassing the store.
    pub async fn tamper(&self, sql: &str) {
        let touched = if self.url.starts_with("sqlite") {
            let mut connection = sqlx::SqliteConnection::connect(&self.url).await.unwrap();
            sqlx::query(AssertSqlSafe(sql.to_owned()))
                .execute(&mut connection)
                .await
                .unwrap()
                .rows_affected()
        } else {
            let mut connection = sqlx::PgConnection::connect(&self.url).await.unwrap();
            sqlx::query(AssertSqlSafe(sql.to_owned()))
                .execute(&mut connection)
                .await
                .unwrap()
                .rows_affected()
        };
        assert!(touched > 0, "{sql}");
    }

    /// The same with bound texts.
    pub async fn run_sql(&self, sql: &'static str, binds: &[&str]) {
        macro_rules! run {
            ($connection:expr) => {{
                let mut query = sqlx::query(sql);
                for bind in binds {
                    query = query.bind((*bind).to_owned());
                }
                query.execute(&mut $connection).await.unwrap();
            }};
        }
        if self.url.starts_with("sqlite") {
            let mut connection = sqlx::SqliteConnection::connect(&self.url).await.unwrap();
            run!(connection);
        } else {
            let mut connection = sqlx::PgConnection::connect(&self.url).await.unwrap();
            run!(connection);
        }
    }

    /// Another store of the same kind.
    pub async fn another(&self) -> Self {
        if self.url.starts_with("sqlite") {
            sqlite().await
        } else {
            postgres().await
        }
    }

    pub async fn load(&self, id: ExecutionId) -> ExecutionRecord {
        self.journal.load(id).await.unwrap().unwrap()
    }

    pub async fn take(&self, worker: &str, limit: usize) -> Vec<(Lease, ExecutionRecord)> {
        self.journal
            .take(worker, &DueFilter::any(limit), LONG, at())
            .await
            .unwrap()
    }
}

/// Sends a signal to an execution; false when it does not exist.
pub async fn send_signal(s: &Subject, id: ExecutionId, key: &str) -> bool {
    let signal = Signal {
        key: key.to_owned(),
        action: SignalAction::Recheck,
        by: "webhook".to_owned(),
        why: "news".to_owned(),
    };
    s.journal.signal(id, &signal, at()).await.unwrap()
}

pub fn newest(limit: usize) -> ExecutionFilter {
    ExecutionFilter {
        limit,
        ..ExecutionFilter::default()
    }
}

pub fn pairs(labels: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    labels.iter().map(owned).collect()
}

pub fn read() -> Event {
    Event::Read {
        facts: json!({"room": "302", "amount": 1234}),
    }
}

pub fn intended(step: &str) -> Event {
    let request = dewy_saga::Request {
        key: Some(format!("k:{step}")),
        deadline_ms: 5000,
        payload: json!({"body": "a=1&b=\u{fc}"}),
    };
    Event::Intended {
        step: step.to_owned(),
        direction: dewy_saga::Direction::Forward,
        attempt: 1,
        guard: false,
        request,
    }
}

pub fn done(step: &str) -> Event {
    let outcome = dewy_saga::Outcome::Done(json!({"id": "pi_1"}));
    Event::Settled {
        step: step.to_owned(),
        direction: dewy_saga::Direction::Forward,
        guard: false,
        looked: false,
        outcome,
    }
}

pub fn decided() -> Event {
    let fault = Fault::new("gone", "the room is gone");
    Event::Decided {
        decision: Decision {
            because: "move".to_owned(),
            fault,
            trigger: "saga".to_owned(),
        },
    }
}

pub fn ended(end: End) -> Event {
    Event::Ended { end, reason: None }
}

pub fn take_claims(resources: &[&str], mark: i64) -> ClaimChange {
    ClaimChange::Take {
        resources: resources.iter().map(|r| (*r).to_owned()).collect(),
        mark,
    }
}

pub fn projections(key: &str, n: u32) -> Projection {
    Projection {
        kind: "compensation".to_owned(),
        key: key.to_owned(),
        body: json!({"n": n}),
    }
}
