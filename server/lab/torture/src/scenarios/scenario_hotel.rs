//! One or more hotel processes on one store, with their own sandbox, and helpers to send them work.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Context;
use dewy_connectors::{OsEntropy, RealClock};
use dewy_domain::ports::{Clock, Entropy};
use dewy_store::Store;
use dewy_test_kit::{JsonClient, ServerProcess, command, set_clock, token};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::scenario_report::ScenarioReport;

/// Short timeouts, so that a scene takes seconds.
pub const SHORT_TIMEOUTS: [(&str, &str); 4] = [
    ("REQUEST_WAIT_SECONDS", "3"),
    ("LEASE_SECONDS", "3"),
    ("SALESFORCE_DEADLINE_SECONDS", "1"),
    ("STRIPE_DEADLINE_SECONDS", "2"),
];

/// Maximum response time, whatever is wrong with the store.
const ANSWERED: Duration = Duration::from_secs(15);

/// Maximum time until work continues by itself after a failure ends.
pub const RECOVERY: Duration = Duration::from_secs(30);

/// Empty room of the sandbox's seed.
const ROOM: &str = "206";

/// Hotel under test.
#[derive(Debug)]
pub struct ScenarioHotel {
    pub instances: Vec<ServerProcess>,
    /// Its store.
    pub database: String,
    wire: JsonClient,
    sandbox: ServerProcess,
    environment: Vec<(String, String)>,
    program: PathBuf,
    folder: PathBuf,
    name: &'static str,
    token: String,
    cleaned: AtomicBool,
}

impl ScenarioHotel {
    /// Starts the sandbox and the processes on a store, with these environment variables.
    pub async fn open(
        (program, folder): (&Path, &Path),
        name: &'static str,
        database: &str,
        processes: usize,
        variables: &[(&str, &str)],
    ) -> anyhow::Result<Self> {
        let mut hotel = Self::prepare((program, folder), name, database, variables).await?;
        for _ in 0..processes {
            let at = hotel.add_own()?;
            hotel.start(at).await?;
        }
        hotel.sign_in().await?;
        Ok(hotel)
    }

    /// Starts the sandbox alone.
    pub async fn prepare(
        (program, folder): (&Path, &Path),
        name: &'static str,
        database: &str,
        variables: &[(&str, &str)],
    ) -> anyhow::Result<Self> {
        let wire = JsonClient::default();
        let sandbox = ServerProcess::sandbox(program, folder, &format!("{name}-sandbox"))?;
        let sandbox = sandbox.open(&wire).await?;
        let own = [
            ("DATABASE_URL", database),
            ("SANDBOX_URL", sandbox.url.as_str()),
            ("RUST_LOG", "warn"),
            ("SALESFORCE_CALLS_PER_GUEST", "10000000"),
        ];
        let environment = own
            .iter()
            .chain(variables)
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Ok(Self {
            instances: Vec::new(),
            database: database.to_owned(),
            wire,
            environment,
            sandbox,
            program: program.to_owned(),
            folder: folder.to_owned(),
            name,
            token: String::new(),
            cleaned: AtomicBool::new(false),
        })
    }

    /// Adds a process of this release, without starting it; returns its index.
    pub fn add_own(&mut self) -> anyhow::Result<usize> {
        let program = self.program.clone();
        self.add(&program)
    }

    /// Adds a process of this program, without starting it; returns its index.
    pub fn add(&mut self, program: &Path) -> anyhow::Result<usize> {
        let n = self.instances.len();
        let name = format!("{}-{n}", self.name);
        let hotel = ServerProcess::hotel(program, &self.folder, &name, &self.environment)?;
        self.instances.push(hotel);
        Ok(n)
    }

    /// Shifts the clock of a process by this many seconds, also after restarts.
    pub fn set_clock(&self, n: usize, seconds: i64) -> anyhow::Result<()> {
        set_clock(&self.folder, &format!("{}-{n}", self.name), seconds)
    }

    /// Starts a process and waits until it answers.
    pub async fn start(&mut self, n: usize) -> anyhow::Result<()> {
        let instance = self.instances.get_mut(n).context("no such process")?;
        instance.start()?;
        instance.ready(&self.wire).await
    }

    /// Sends SIGKILL.
    pub async fn kill(&mut self, n: usize) -> anyhow::Result<()> {
        self.instances
            .get_mut(n)
            .context("no such process")?
            .kill()
            .await
    }

    /// Creates a staff token with the store's own command.
    pub async fn sign_in(&mut self) -> anyhow::Result<()> {
        let manager = ("--staff", "manager@dewy.example");
        self.token = token(&self.program, &self.folder, &self.environment, manager).await?;
        Ok(())
    }

    /// Output of a command of the program, stderr first.
    pub async fn command(&self, arguments: &[&str]) -> anyhow::Result<String> {
        let output = command(&self.program, &self.folder, arguments, &self.environment)
            .output()
            .await?;
        let (said, complained) = (
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
        );
        Ok(format!("{complained}{said}").trim().to_owned())
    }

    fn url(&self, n: usize) -> String {
        self.instances
            .get(n)
            .map(|instance| instance.url.clone())
            .unwrap_or_default()
    }

    /// Injects a fault in the sandbox.
    pub async fn fault(&self, order: &Value) -> anyhow::Result<()> {
        let url = format!("{}/admin/faults", self.sandbox.url);
        self.wire
            .send_successfully("POST", &url, "", Some(order))
            .await
            .map(drop)
    }

    /// Clears all faults.
    pub async fn no_faults(&self) -> anyhow::Result<()> {
        let url = format!("{}/admin/faults", self.sandbox.url);
        self.wire
            .send_successfully("DELETE", &url, "", None)
            .await
            .map(drop)
    }

    /// Sends a request to a process without waiting for the response.
    pub fn send_without_waiting(
        &self,
        n: usize,
        tool: &'static str,
        mut input: Value,
    ) -> JoinHandle<()> {
        input["idempotency_token"] = json!(new_key());
        let (wire, url, token) = (self.wire.clone(), self.url(n), self.token.clone());
        tokio::spawn(async move { drop(wire.tool(&url, &token, tool, &input).await) })
    }

    /// Checks out a guest of the sandbox's seed at a process, on behalf of staff.
    pub async fn check_out(&self, n: usize, email: &str) -> anyhow::Result<JoinHandle<()>> {
        let folio = json!({ "guest_email": email });
        let folio = self
            .wire
            .tool(&self.url(n), &self.token, "get_folio", &folio)
            .await?;
        let amount = folio["data"]["balance"].as_i64();
        let amount = amount.with_context(|| format!("{email} has no balance: {folio}"))?;
        let input =
            json!({ "guest_email": email, "amount": amount, "payment_method_id": "pm_card_visa" });
        Ok(self.send_without_waiting(n, "process_guest_checkout", input))
    }

    /// Requests a change of a room; returns whether it succeeded, and how long the caller waited.
    pub async fn work(&self, n: usize) -> (bool, Duration) {
        let status = if self.cleaned.fetch_xor(true, Ordering::SeqCst) {
            "Cleaning"
        } else {
            "Vacant"
        };
        let input =
            json!({ "room_number": ROOM, "status": status, "idempotency_token": new_key() });
        let started = Instant::now();
        let url = self.url(n);
        let asked = self.wire.tool(&url, &self.token, "set_room_status", &input);
        let answer = tokio::time::timeout(ANSWERED * 2, asked).await;
        let done =
            |answer: &Value| !answer["pending"].is_object() && answer["error_code"].is_null();
        let done = matches!(answer, Ok(Ok(answer)) if done(&answer));
        (done, started.elapsed())
    }

    /// Several callers send requests to a process for this long, while readiness is polled: every
    /// caller must get a response in time, and the process must not report ready. Returns a
    /// summary.
    pub async fn work_without_store(
        &self,
        n: usize,
        lasts: Duration,
        report: &mut ScenarioReport,
    ) -> String {
        let started = Instant::now();
        let caller = async || {
            let (mut asked, mut failed, mut longest) = (0, 0, Duration::ZERO);
            while started.elapsed() < lasts {
                let (done, took) = self.work(n).await;
                asked += 1;
                failed += u32::from(!done);
                longest = longest.max(took);
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            (asked, failed, longest)
        };
        let watcher = async {
            let mut noticed = false;
            while started.elapsed() < lasts {
                noticed |= self.ready(n).await == 503;
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            noticed
        };
        let (one, two, three, noticed) = tokio::join!(caller(), caller(), caller(), watcher);
        report.must(noticed, || "it says that it is ready meanwhile".to_owned());
        let asked: u32 = one.0 + two.0 + three.0;
        let failed = one.1 + two.1 + three.1;
        report.must(failed > 0, || "nothing was hurt".to_owned());
        let longest = one.2.max(two.2).max(three.2);
        report.must(longest <= ANSWERED, || {
            format!(
                "a caller waited {:.0} s for an answer",
                longest.as_secs_f32()
            )
        });
        format!(
            "{failed} of {asked} calls meanwhile, each answered within {:.0} s",
            longest.as_secs_f32().ceil()
        )
    }

    /// Retries until a request succeeds and `/readyz` reports ready, without any restart; returns
    /// the time that took.
    pub async fn works_again(&self, n: usize, report: &mut ScenarioReport) -> Duration {
        let started = Instant::now();
        while started.elapsed() < RECOVERY {
            if self.work(n).await.0 && self.ready(n).await == 200 {
                return started.elapsed();
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        report.must(false, || {
            format!("nothing is done {} s after it", RECOVERY.as_secs())
        });
        started.elapsed()
    }

    /// Status of `/readyz`; 0 without a response.
    pub async fn ready(&self, n: usize) -> u16 {
        let url = format!("{}/readyz", self.url(n));
        let asked = self.wire.send("GET", &url, "", None, ANSWERED);
        asked.await.map_or(0, |(status, _)| status)
    }

    /// Store, for reading in parallel with the processes.
    pub async fn store(&self) -> anyhow::Result<Store> {
        Ok(Store::open_existing(&self.database, Arc::new(RealClock)).await?)
    }

    /// Number of payments captured for an execution.
    pub async fn charges(&self, execution: &str) -> anyhow::Result<usize> {
        let url = format!("{}/admin/state", self.sandbox.url);
        let state = self.wire.send_successfully("GET", &url, "", None).await?;
        let payments = state["stripe"]["payment_intents"].as_array();
        let taken = |payment: &&Value| {
            payment["metadata"]["execution_id"] == execution && payment["status"] == "succeeded"
        };
        Ok(payments.map_or(0, |all| all.iter().filter(taken).count()))
    }

    /// Stops everything.
    pub async fn close(&mut self) -> anyhow::Result<()> {
        for instance in &mut self.instances {
            instance.end().await?;
        }
        self.sandbox.end().await
    }
}

fn new_key() -> String {
    OsEntropy.uuid_v7(RealClock.now()).simple().to_string()
}
