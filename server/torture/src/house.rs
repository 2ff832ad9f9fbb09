//! The processes of one run: a sandbox, a database, one or more hotels, all in one folder.

use std::{
    net::TcpListener,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, ensure};
use dewy_connectors::RealClock;
use dewy_store::{Store, testing::PostgresServer};
use serde_json::{Value, json};

use crate::{
    instance::{self, Instance},
    wire::Wire,
};

/// Longer than a start ever takes, on a busy machine too.
pub const START: Duration = Duration::from_secs(60);

/// Short times, so that two hundred rounds fit into minutes. A lease is renewed before each send to the call's deadline + 5 s:
/// at most 7 s with these.
const TIMES: [(&str, &str); 10] = [
    ("REQUEST_WAIT_SECONDS", "5"),
    ("FORWARD_BUDGET_SECONDS", "3"),
    ("LEASE_SECONDS", "3"),
    ("SALESFORCE_DEADLINE_SECONDS", "1"),
    ("STRIPE_DEADLINE_SECONDS", "2"),
    ("PAYMENT_ACTION_TIMEOUT_SECONDS", "60"),
    ("SWEEP_INTERVAL_SECONDS", "1"),
    ("SWEEP_GRACE_SECONDS", "3"),
    ("REFUND_APPROVAL_LIMIT_CENTS", "60000"),
    ("RUST_LOG", "warn,dewy_saga=info,dewy_orchestrators::sweep=info"),
];

/// How old a payment must be before the sweep touches it; as in [`TIMES`].
pub const GRACE: Duration = Duration::from_secs(3);

/// How long the sandbox takes: enough that a kill finds calls under way.
const LATENCY: [(&str, &str, u64); 8] = [
    ("salesforce", "query", 60),
    ("salesforce", "composite", 200),
    ("stripe", "customers", 60),
    ("stripe", "payment_intent_create", 250),
    ("stripe", "payment_intent_list", 80),
    ("stripe", "refund_create", 120),
    ("salesforce", "upsert", 60),
    ("twilio", "message_create", 120),
];

/// The house.
#[derive(Debug)]
pub struct House {
    /// The client for everything.
    pub wire: Wire,
    /// The sandbox, which is never killed.
    pub sandbox: Instance,
    /// The hotels.
    pub hotels: Vec<tokio::sync::Mutex<Instance>>,
    /// Where each of them answers.
    pub addresses: Vec<String>,
    /// Bearer tokens of staff.
    pub tokens: Vec<String>,
    postgres: Option<Arc<PostgresServer>>,
    database: String,
    folder: PathBuf,
}

impl House {
    /// Starts everything.
    pub async fn open(program: &Path, store: &str, instances: u32) -> anyhow::Result<Self> {
        let folder = program.with_file_name(format!("kill-run-{}-{store}-{instances}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let postgres = if store == "postgres" { Some(Arc::new(PostgresServer::start()?)) } else { None };
        let database = match &postgres {
            Some(server) => server.database().await?,
            None => format!("sqlite://{}", folder.join("dewy.db").display()),
        };
        let wire = Wire::default();
        let sandbox = sandbox(program, &folder, &wire).await?;
        let mut environment: Vec<(String, String)> =
            TIMES.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        environment.push(("DATABASE_URL".to_owned(), database.clone()));
        environment.push(("SANDBOX_URL".to_owned(), sandbox.url.clone()));
        let (mut hotels, mut addresses) = (Vec::new(), Vec::new());
        for n in 1..=instances {
            let address = free_address()?;
            let mut environment = environment.clone();
            environment.push(("LEPTOS_SITE_ADDR".to_owned(), address.clone()));
            let mut hotel = Instance::new(
                program,
                &folder,
                &format!("hotel-{n}"),
                format!("http://{address}"),
                "/healthz",
                vec!["serve".to_owned()],
                environment,
            );
            hotel.start()?;
            hotel.ready(&wire, START).await?;
            addresses.push(hotel.url.clone());
            hotels.push(tokio::sync::Mutex::new(hotel));
        }
        let mut tokens = Vec::new();
        for email in ["frontdesk@dewy.example", "manager@dewy.example"] {
            tokens.push(token(program, &folder, &environment, email).await?);
        }
        Ok(Self { wire, sandbox, hotels, addresses, tokens, postgres, database, folder })
    }

    /// The sandbox's admin API.
    pub async fn admin(&self, method: &str, path: &str, body: Option<&Value>) -> anyhow::Result<Value> {
        self.wire.ask(method, &format!("{}/admin/{path}", self.sandbox.url), "", body).await
    }

    /// Whether the database is a server of its own.
    pub const fn has_server(&self) -> bool {
        self.postgres.is_some()
    }

    /// Stops the database server at once, as a power cut would, and starts it again.
    pub async fn crash_database(&self) -> anyhow::Result<()> {
        if let Some(server) = self.postgres.clone() {
            tokio::task::spawn_blocking(move || server.crash()).await??;
        }
        Ok(())
    }

    /// The store, for reading. Not open while processes are killed: on SQLite another open handle would spare the hotel the
    /// recovery of its log.
    pub async fn store(&self) -> anyhow::Result<Store> {
        Ok(Store::open(&self.database, Arc::new(RealClock)).await?)
    }

    /// Puts something beside the logs, for people who look into a violation.
    pub fn note(&self, name: &str, what: &Value) -> anyhow::Result<()> {
        Ok(std::fs::write(self.folder.join(name), format!("{what:#}\n"))?)
    }

    /// Ends everything; removes the files unless they are wanted.
    pub async fn close(mut self, keep: bool) -> anyhow::Result<()> {
        for hotel in &self.hotels {
            hotel.lock().await.end().await?;
        }
        self.sandbox.end().await?;
        if keep {
            eprintln!("logs and ledgers are kept in {}", self.folder.display());
        } else {
            std::fs::remove_dir_all(&self.folder)?;
        }
        Ok(())
    }
}

async fn sandbox(program: &Path, folder: &Path, wire: &Wire) -> anyhow::Result<Instance> {
    let address = free_address()?;
    let arguments = ["sandbox", "--addr", address.as_str(), "--data", "sandbox.db"].map(str::to_owned).to_vec();
    let mut sandbox =
        Instance::new(program, folder, "sandbox", format!("http://{address}"), "/admin/faults", arguments, Vec::new());
    sandbox.start()?;
    sandbox.ready(wire, START).await?;
    for (system, operation, ms) in LATENCY {
        let order = json!({ "system": system, "operation": operation, "ms": ms });
        wire.ask("POST", &format!("{}/admin/latency", sandbox.url), "", Some(&order)).await?;
    }
    Ok(sandbox)
}

async fn token(program: &Path, folder: &Path, environment: &[(String, String)], email: &str) -> anyhow::Result<String> {
    let output =
        instance::command(program, folder, &["token", "create", "--staff", email], environment).output().await?;
    let token = String::from_utf8(output.stdout).context("a token is text")?.trim().to_owned();
    ensure!(!token.is_empty(), "no token for {email}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(token)
}

/// An address nobody uses. It is free again for the process that is given it.
fn free_address() -> anyhow::Result<String> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}
