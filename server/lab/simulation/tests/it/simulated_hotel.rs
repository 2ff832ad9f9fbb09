//! Simulated hotel.

mod crashes;
mod mail;
mod process;
mod setup;

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use dewy_domain::{
    caller::{Caller, Interface, Persona, Role},
    installation_id::InstallationId,
    money::Cents,
    ports::{Clock, Dispatcher, Entropy, PaymentAccountStore},
    tool::ToolCall,
    tool_answer::ToolAnswer,
};
use dewy_orchestrators::{Hotel, KeyValueStore, OUTBOX_KINDS, SEND_EMAIL, SEND_TEXT};
use dewy_saga::{StoreError, journal::ExecutionRecord};
use dewy_sandbox::{CallEntry, Sandbox, System, test_clock::TestClock};
use dewy_test_kit::MemoryJournal;
use dewy_test_kit::{OutsideRecords, payments};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use self::process::Process;
pub use self::process::STRIPE_KEY;
pub use self::{
    crashes::{Crash, Crashes},
    mail::{MailFault, MailServer},
    setup::Setup,
};
use super::{
    checked_transport::CheckedTransport,
    injected_bugs::{self, Bug},
    scenario_steps::Token,
};

/// Seeded random numbers, only for tests.
#[derive(Debug)]
pub struct SeededRandom(Mutex<u64>);

impl SeededRandom {
    pub fn new(seed: u64) -> Self {
        Self(Mutex::new(seed.wrapping_mul(2).wrapping_add(1)))
    }

    /// splitmix64
    pub fn next(&self) -> u64 {
        let mut state = self.0.lock().unwrap();
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&self, n: u64) -> u64 {
        self.next() % n.max(1)
    }
}

impl Entropy for SeededRandom {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let random = self.next().to_le_bytes();
            chunk.copy_from_slice(&random[..chunk.len()]);
        }
    }
}

#[derive(Debug, Default)]
pub struct MemoryKeyValueStore {
    notes: Mutex<BTreeMap<String, Value>>,
    /// Holder and end of each lease.
    leases: Mutex<BTreeMap<String, (String, jiff::Timestamp)>>,
    reads: AtomicU64,
}

impl MemoryKeyValueStore {
    /// Number of reads so far.
    pub fn reads(&self) -> u64 {
        self.reads.load(Ordering::SeqCst)
    }

    /// Values of an installation whose last sweep was just now, or that never had one.
    pub fn swept(now: jiff::Timestamp, never: bool) -> Self {
        let notes = Self::default();
        if !never {
            let mark = json!({ "at": now, "since": now, "counted_to": now, "foreign": 0 });
            notes
                .notes
                .lock()
                .unwrap()
                .insert("sweep_watermark".to_owned(), mark);
        }
        notes
    }
}

#[async_trait::async_trait]
impl KeyValueStore for MemoryKeyValueStore {
    async fn read(&self, name: &str) -> Result<Option<Value>, StoreError> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        Ok(self.notes.lock().unwrap().get(name).cloned())
    }

    async fn read_all(&self, names: &[String]) -> Result<BTreeMap<String, Value>, StoreError> {
        self.reads.fetch_add(1, Ordering::SeqCst);
        let notes = self.notes.lock().unwrap();
        let note = |name: &String| Some((name.clone(), notes.get(name)?.clone()));
        Ok(names.iter().filter_map(note).collect())
    }

    async fn write(&self, name: &str, value: Value) -> Result<(), StoreError> {
        self.notes.lock().unwrap().insert(name.to_owned(), value);
        Ok(())
    }

    async fn acquire_lease(
        &self,
        name: &str,
        worker: &str,
        lasts: Duration,
        at: jiff::Timestamp,
    ) -> Result<bool, StoreError> {
        let mut leases = self.leases.lock().unwrap();
        let held = leases.get(name);
        let free = held.is_none_or(|(holder, until)| holder == worker || *until <= at);
        if free {
            leases.insert(name.to_owned(), (worker.to_owned(), at + lasts));
        }
        Ok(free)
    }
}

#[async_trait::async_trait]
impl PaymentAccountStore for MemoryKeyValueStore {
    async fn get_or_set(&self, found: &str) -> Result<String, String> {
        let mut notes = self.notes.lock().unwrap();
        let known = notes
            .entry("stripe_account".to_owned())
            .or_insert_with(|| json!(found));
        Ok(known.as_str().unwrap_or_default().to_owned())
    }
}

/// Simulated hotel: one or more processes over one journal, one sandbox.
pub struct SimulatedHotel {
    pub clock: Arc<TestClock>,
    /// Its own org, and everything else except Stripe.
    pub sandbox: Sandbox,
    /// Sandbox of its Stripe account: the same, unless it shares another hotel's.
    pub account: Sandbox,
    pub installation: InstallationId,
    pub key_value_store: Arc<MemoryKeyValueStore>,
    pub journal: MemoryJournal,
    pub watched: CheckedTransport,
    pub probe: Arc<Crashes>,
    pub processes: Vec<Arc<Hotel>>,
    pub mail: Option<MailServer>,
    stop: CancellationToken,
    stops: Vec<CancellationToken>,
    deadly: bool,
    process: Process,
}

impl Drop for SimulatedHotel {
    fn drop(&mut self) {
        self.stop.cancel();
        crate::golden_journals::record(&self.journal.snapshot());
    }
}

pub fn staff_body(answer: &ToolAnswer) -> Value {
    answer.body(Persona::Staff)
}

/// Guest of room 302.
pub const BETH: &str = "beth.gibbs@email.com";

impl SimulatedHotel {
    pub fn new(setup: Setup) -> Self {
        let clock = Arc::new(TestClock::new());
        let sandbox = Sandbox::in_memory(clock.clone(), 1);
        Self::over(setup, clock, sandbox.clone(), sandbox)
    }

    /// Another hotel with its own store and org, on this one's Stripe account.
    pub fn sharing_account(&self, setup: Setup) -> Self {
        let sandbox = Sandbox::in_memory(self.clock.clone(), 1);
        Self::over(
            setup,
            Arc::clone(&self.clock),
            sandbox,
            self.account.clone(),
        )
    }

    fn over(setup: Setup, clock: Arc<TestClock>, sandbox: Sandbox, account: Sandbox) -> Self {
        let as_clock: Arc<dyn Clock> = clock.clone();
        sandbox.set_org_settings(setup.org);
        let installation = InstallationId::of_number(u128::from(setup.seed));
        for fault in setup.faults {
            sandbox.add_fault(fault);
        }
        let journal = MemoryJournal::new(Arc::clone(&as_clock));
        let watched = CheckedTransport::new(sandbox.clone(), account.clone(), journal.clone());
        let probe = Arc::new(Crashes {
            crashes: Mutex::new(setup.crashes),
            ended: Mutex::new(0),
            panics: setup.panics,
            process: Mutex::default(),
        });
        let stop = CancellationToken::new();
        let key_value_store = Arc::new(MemoryKeyValueStore::swept(
            clock.now(),
            setup.new_installation,
        ));
        let mail = setup.mail.then(MailServer::default);
        let process = Process {
            seed: setup.seed,
            skew: setup.skew,
            grace: setup.grace,
            poll: setup.poll,
            texts: setup.texts,
            mail: mail.clone(),
            slots: setup.slots,
            calls_per_guest: setup.calls_per_guest,
            locale: setup.locale,
            day_changes_at: setup.day_changes_at,
            hold: setup.hold,
            set: Arc::default(),
            installation,
            clock: as_clock,
            transport: Arc::new(watched.clone()),
            journal: journal.clone(),
            key_value_store: key_value_store.clone(),
            probe: probe.clone(),
            account: key_value_store.clone(),
        };
        let (hotels, stops) = (Vec::new(), Vec::new());
        let mut hotel = Self {
            clock,
            sandbox,
            account,
            installation,
            key_value_store,
            journal,
            watched,
            probe,
            processes: hotels,
            mail,
            stop,
            stops,
            deadly: setup.deadly,
            process,
        };
        for worker in 0..setup.workers.max(1) {
            hotel.start_worker(worker >= setup.next_from);
        }
        hotel
    }

    /// Shifts the clocks of all processes by this many seconds; the store's clock stays right.
    pub fn set_clocks(&self, seconds: i64) {
        self.process
            .set
            .store(seconds, std::sync::atomic::Ordering::SeqCst);
    }

    /// Processes that start from now on place such holds.
    pub fn set_hold(&mut self, hold: Option<Cents>) {
        self.process.hold = hold;
    }

    /// Starts another process, of this release or of the next one.
    pub fn start_worker(&mut self, next_release: bool) {
        self.start_worker_with(next_release, STRIPE_KEY);
    }

    /// Starts another process, with another Stripe key.
    pub fn start_worker_with(&mut self, next_release: bool, stripe_key: &str) {
        let dead = Arc::default();
        let hotel = self
            .process
            .start(self.processes.len(), next_release, stripe_key, &dead);
        if self.deadly {
            *self.probe.process.lock().unwrap() = Some(dead);
        }
        let own = self.stop.child_token();
        let works = Arc::clone(&hotel);
        let (stop, once) = (own.clone(), injected_bugs::on(Bug::LostDoorbell));
        let unwritable = self.mail.as_ref().map(MailServer::unwritable);
        tokio::spawn(async move {
            if once {
                works.engine().take_due().await;
            } else {
                let writer = Arc::new(mail::SimulatedEmailWriter(Arc::clone(&works), unwritable));
                let mailing = Arc::clone(&works).run_email_outbox(writer, stop.clone());
                tokio::join!(works.work(stop), mailing);
            }
        });
        self.stops.push(own);
        self.processes.push(hotel);
    }

    /// Whether the newest process has died (with `Setup::deadly`).
    pub fn is_dead(&self) -> bool {
        let process = self.probe.process.lock().unwrap();
        process
            .as_ref()
            .is_some_and(|dead| dead.load(std::sync::atomic::Ordering::SeqCst))
    }

    /// Tool call by Beth over MCP.
    pub async fn beth(&self, tool: &str, token: impl Token, input: Value) -> ToolAnswer {
        self.guest(BETH, tool, token, input).await
    }

    pub async fn staff(&self, tool: &str, token: impl Token, input: Value) -> ToolAnswer {
        let manager = Caller::staff("manager@dewy.example", Role::Manager, Interface::Mcp);
        self.call(&manager, tool, token, input).await
    }

    pub async fn call(
        &self,
        caller: &Caller,
        tool: &str,
        token: impl Token,
        input: Value,
    ) -> ToolAnswer {
        self.call_at(0, caller, tool, token, input).await
    }

    /// Tool call at one of the processes.
    pub async fn call_at(
        &self,
        worker: usize,
        caller: &Caller,
        tool: &str,
        token: impl Token,
        input: Value,
    ) -> ToolAnswer {
        let call = ToolCall {
            tool: tool.to_owned(),
            input,
            idempotency_token: token.text(),
            wait: None,
        };
        self.processes[worker].dispatch(caller, call).await
    }

    /// Beth checks out of room 302.
    pub async fn check_out(&self, token: &str) -> ToolAnswer {
        self.beth("process_guest_checkout", token, json!({ "amount": 25000 }))
            .await
    }

    /// Waits until everything is at rest, no recheck is due, and no request is still in transit;
    /// false when `limit` is reached first.
    pub async fn run_until_idle(&self, limit: Duration) -> bool {
        let until = self.clock.now() + limit;
        let mut nap = Duration::from_millis(500);
        loop {
            let records = self.journal.snapshot();
            let owed = OUTBOX_KINDS.map(|kind| self.journal.projected(kind).len());
            if owed == [0; OUTBOX_KINDS.len()]
                && records.iter().all(|r| {
                    r.state.has_ended()
                        && r.wake_at.is_none()
                        && r.worker.is_none()
                        && r.signals.is_empty()
                })
                && self
                    .sandbox
                    .calls()
                    .iter()
                    .all(|call| call.effect != "pending")
            {
                return true;
            }
            if self.clock.now() >= until {
                return false;
            }
            self.clock.sleep(nap).await;
            nap = (nap * 5 / 4).min(Duration::from_secs(120));
        }
    }

    /// Stops one process for good; its executions are handed over.
    pub async fn stop_worker(&self, worker: usize) {
        self.stops[worker].cancel();
        self.processes[worker].engine().stop().await;
    }

    /// All executions except the messages that others owe.
    pub fn requested_executions(&self) -> Vec<ExecutionRecord> {
        self.journal
            .snapshot()
            .into_iter()
            .filter(|r| r.saga != SEND_TEXT && r.saga != SEND_EMAIL)
            .collect()
    }

    /// The only execution, except for the texts it owes.
    pub fn only(&self) -> ExecutionRecord {
        let mut records = self.requested_executions();
        assert_eq!(records.len(), 1, "one execution is expected");
        records.remove(0)
    }

    /// Current ledgers of the outside systems; read once and queried often, because the sandbox
    /// serializes all of it each time.
    pub fn sandbox_ledger(&self) -> OutsideRecords {
        let (mut state, mut calls) = (self.sandbox.state(), self.sandbox.calls());
        if !self.sandbox.is_same(&self.account) {
            let stripe = |call: &CallEntry| call.system == System::Stripe;
            state["stripe"] = self.account.stripe_state();
            calls.retain(|call| !stripe(call));
            calls.extend(self.account.calls().into_iter().filter(stripe));
        }
        OutsideRecords::read(state, json!(calls))
    }

    pub fn records(&self, object: &str) -> Vec<Value> {
        self.sandbox.records(object)
    }

    /// Record of an object whose field has this value.
    pub fn row(&self, object: &str, field: &str, value: &str) -> Value {
        let mut found = self.records(object);
        found.retain(|row| row[field] == value);
        assert_eq!(found.len(), 1, "{object} with {field} = {value}");
        found.remove(0)
    }

    /// Stripe's ledger: (captured, refunded, owner) by payment intent.
    pub fn ledger(&self) -> BTreeMap<String, (i64, i64, Option<String>)> {
        let payments = payments(&self.account.stripe_state()).into_iter();
        payments
            .map(|(id, payment)| (id, (payment.taken, payment.refunded, payment.owner)))
            .collect()
    }
}
