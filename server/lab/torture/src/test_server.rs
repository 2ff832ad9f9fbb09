//! Installation of the hotel: a store, one or more processes on it, and bearer tokens of its staff.

use std::{path::Path, sync::Arc, time::Duration};

use dewy_connectors::RealClock;
use dewy_store::Store;
use dewy_test_kit::testing::PostgresServer;
use dewy_test_kit::{JsonClient, ServerProcess, set_clock, token};
use serde_json::Value;

use crate::outside_systems::OutsideSystems;

/// Short timeouts, so that 200 rounds take minutes, and a call limit that no guest reaches.
const TIMES: [(&str, &str); 11] = [
    ("SALESFORCE_CALLS_PER_GUEST", "10000000"),
    ("REQUEST_WAIT_SECONDS", "5"),
    ("FORWARD_BUDGET_SECONDS", "3"),
    ("LEASE_SECONDS", "3"),
    ("SALESFORCE_DEADLINE_SECONDS", "1"),
    ("STRIPE_DEADLINE_SECONDS", "2"),
    ("PAYMENT_ACTION_TIMEOUT_SECONDS", "60"),
    ("SWEEP_INTERVAL_SECONDS", "1"),
    ("SWEEP_GRACE_SECONDS", "3"),
    ("REFUND_APPROVAL_LIMIT_CENTS", "60000"),
    (
        "RUST_LOG",
        "warn,dewy_saga=info,dewy_orchestrators::money_watch::orphan_payments=info",
    ),
];

/// Number of processes started at the same moment on a database server; surplus ones are stopped
/// again.
const CONCURRENCY: u32 = 5;

/// Minimum age of a payment for the sweep; as in [`TIMES`].
pub const GRACE: Duration = Duration::from_secs(3);

#[derive(Debug)]
pub struct TestServer {
    pub wire: JsonClient,
    /// Outside systems, possibly shared with other installations.
    pub upstream: Arc<OutsideSystems>,
    pub hotels: Vec<tokio::sync::Mutex<ServerProcess>>,
    /// Their URLs.
    pub addresses: Vec<String>,
    /// Bearer tokens of staff.
    pub tokens: Vec<String>,
    name: &'static str,
    postgres: Option<Arc<PostgresServer>>,
    database: String,
}

impl TestServer {
    /// Starts this many processes of this installation.
    pub async fn open(
        program: &Path,
        upstream: Arc<OutsideSystems>,
        name: &'static str,
        store: &str,
        instances: u32,
    ) -> anyhow::Result<Self> {
        let (folder, wire) = (&upstream.folder, upstream.wire.clone());
        let postgres = if store == "postgres" {
            Some(Arc::new(PostgresServer::start()?))
        } else {
            None
        };
        let database = match &postgres {
            Some(server) => server.create_database().await?,
            None => format!("sqlite://{}", folder.join(format!("{name}.db")).display()),
        };
        let mut environment: Vec<(String, String)> = TIMES
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect();
        environment.push(("DATABASE_URL".to_owned(), database.clone()));
        environment.push(("SANDBOX_URL".to_owned(), upstream.proxy.url.clone()));
        let (mut started, mut hotels, mut addresses) = (Vec::new(), Vec::new(), Vec::new());
        for n in 1..=if postgres.is_some() {
            instances.max(CONCURRENCY)
        } else {
            instances
        } {
            let mut hotel =
                ServerProcess::hotel(program, folder, &format!("{name}-{n}"), &environment)?;
            // All at once, on an empty database.
            hotel.start()?;
            started.push(hotel);
        }
        for mut hotel in started {
            hotel.ready(&wire).await?;
            if hotels.len() < usize::try_from(instances)? {
                addresses.push(hotel.url.clone());
                hotels.push(tokio::sync::Mutex::new(hotel));
            } else {
                hotel.end().await?;
            }
        }
        let mut tokens = Vec::new();
        for email in ["frontdesk@dewy.example", "manager@dewy.example"] {
            let account = ("--staff", email);
            tokens.push(token(program, folder, &environment, account).await?);
        }
        Ok(Self {
            wire,
            upstream,
            hotels,
            addresses,
            tokens,
            name,
            postgres,
            database,
        })
    }

    /// Shifts the clock of the `n`th process (from 0) by this many seconds, also after restarts.
    pub fn set_clock(&self, n: usize, seconds: i64) -> anyhow::Result<()> {
        let process = format!("{}-{}", self.name, n + 1);
        set_clock(&self.upstream.folder, &process, seconds)
    }

    /// Whether the database is a separate server.
    pub const fn has_server(&self) -> bool {
        self.postgres.is_some()
    }

    /// Waits until a process answers. One that ended because its start met a crash of the database is
    /// started again, as whatever supervises it in production does.
    pub async fn ready(&self, hotel: &mut ServerProcess) -> anyhow::Result<()> {
        loop {
            let answers = hotel.ready(&self.wire).await;
            let log = hotel.last_log_lines();
            let last = log.lines().last().unwrap_or_default();
            let met_crash = last.starts_with("dewy: the store failed");
            if answers.is_ok() || !(self.has_server() && met_crash && hotel.at_rest()?) {
                return answers;
            }
            hotel.start()?;
        }
    }

    /// Stops the database server at once, as a power failure would, and starts it again.
    pub async fn crash_and_restart_database(&self) -> anyhow::Result<()> {
        if let Some(server) = self.postgres.clone() {
            tokio::task::spawn_blocking(move || server.crash_and_restart()).await??;
        }
        Ok(())
    }

    /// Store, for reading. Not open while processes are killed: on SQLite another open handle would
    /// spare the hotel the recovery of its log.
    pub async fn store(&self) -> anyhow::Result<Store> {
        Ok(Store::open(&self.database, Arc::new(RealClock)).await?)
    }

    /// Saves data beside the logs, for investigating a violation.
    pub fn note(&self, name: &str, what: &Value) -> anyhow::Result<()> {
        Ok(std::fs::write(
            self.upstream.folder.join(name),
            format!("{what:#}\n"),
        )?)
    }

    /// Stops its processes.
    pub async fn close(&self) -> anyhow::Result<()> {
        for hotel in &self.hotels {
            hotel.lock().await.end().await?;
        }
        Ok(())
    }
}
