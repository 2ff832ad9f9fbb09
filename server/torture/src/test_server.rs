//! Installation of the hotel: a store, one or more processes on it, and bearer tokens of its staff.

use std::{path::Path, sync::Arc, time::Duration};

use anyhow::{Context, ensure};
use dewy_connectors::RealClock;
use dewy_store::{Store, testing::PostgresServer};
use serde_json::Value;

use crate::{
    instance::{self, Instance, START},
    upstream::{Upstream, free_address},
    wire::Wire,
};

/// Short timeouts, so that two hundred rounds fit into minutes, and guests who never rest.
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
        "warn,dewy_saga=info,dewy_orchestrators::orphan_payments=info",
    ),
];

/// Number of processes started at the same moment on a database server; surplus ones are stopped
/// again.
const AT_ONCE: u32 = 5;

/// Minimum age of a payment for the sweep; as in [`TIMES`].
pub const GRACE: Duration = Duration::from_secs(3);

/// Installation.
#[derive(Debug)]
pub struct TestServer {
    /// HTTP client.
    pub wire: Wire,
    /// Outside systems, possibly shared with other installations.
    pub upstream: Arc<Upstream>,
    /// Hotel processes.
    pub hotels: Vec<tokio::sync::Mutex<Instance>>,
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
        upstream: Arc<Upstream>,
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
            Some(server) => server.database().await?,
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
            instances.max(AT_ONCE)
        } else {
            instances
        } {
            let address = free_address()?;
            let mut environment = environment.clone();
            environment.push(("LEPTOS_SITE_ADDR".to_owned(), address.clone()));
            environment.push(("DEWY_CLOCK_OFFSET_FILE".to_owned(), clock_file(name, n)));
            let mut hotel = Instance::new(
                program,
                folder,
                &format!("{name}-{n}"),
                format!("http://{address}"),
                "/healthz",
                vec!["serve".to_owned()],
                environment,
            );
            // All at once, on an empty database.
            hotel.start()?;
            started.push(hotel);
        }
        for mut hotel in started {
            hotel.ready(&wire, START).await?;
            if hotels.len() < usize::try_from(instances)? {
                addresses.push(hotel.url.clone());
                hotels.push(tokio::sync::Mutex::new(hotel));
            } else {
                hotel.end().await?;
            }
        }
        let mut tokens = Vec::new();
        for email in ["frontdesk@dewy.example", "manager@dewy.example"] {
            tokens.push(token(program, folder, &environment, email).await?);
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
        let file = self
            .upstream
            .folder
            .join(clock_file(self.name, u32::try_from(n)? + 1));
        // Written atomically, because it is read at any moment.
        let draft = file.with_extension("new");
        std::fs::write(&draft, seconds.to_string())?;
        Ok(std::fs::rename(draft, file)?)
    }

    /// Whether the database is a separate server.
    pub const fn has_server(&self) -> bool {
        self.postgres.is_some()
    }

    /// Stops the database server at once, as a power failure would, and starts it again.
    pub async fn crash_database(&self) -> anyhow::Result<()> {
        if let Some(server) = self.postgres.clone() {
            tokio::task::spawn_blocking(move || server.crash()).await??;
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

/// File that sets a process's clock offset, in the run's folder.
fn clock_file(name: &str, n: u32) -> String {
    format!("{name}-{n}.clock")
}

async fn token(
    program: &Path,
    folder: &Path,
    environment: &[(String, String)],
    email: &str,
) -> anyhow::Result<String> {
    let output = instance::command(
        program,
        folder,
        &["token", "create", "--staff", email],
        environment,
    )
    .output()
    .await?;
    let token = String::from_utf8(output.stdout)
        .context("a token is text")?
        .trim()
        .to_owned();
    ensure!(
        !token.is_empty(),
        "no token for {email}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(token)
}
