//! Hotel and sandbox processes, on their own files.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use dewy_connectors::RealClock;
use dewy_domain::ports::Clock;
use dewy_store::Store;
use dewy_test_kit::{Browser, JsonClient, ServerProcess, command, token};
use serde_json::{Value, json};

use super::process_stat::ProcessStat;

/// Guest of the sandbox's seed who is checked in.
pub const GUEST: &str = "beth.gibbs@email.com";
pub const MANAGER: &str = "manager@dewy.example";

#[derive(Debug)]
pub struct Guest {
    pub token: String,
    pub booking: String,
}

/// Both processes; they stop when this is dropped.
#[derive(Debug)]
pub struct TestServer {
    /// Address of the hotel.
    pub address: String,
    /// Time from the hotel's start to its first 200 response.
    pub opened_in: Duration,
    pub sandbox: ServerProcess,
    program: PathBuf,
    folder: PathBuf,
    environment: Vec<(String, String)>,
    hotel: ServerProcess,
    wire: JsonClient,
}

impl TestServer {
    /// Starts the sandbox, then the hotel, with these additional settings.
    pub async fn open(settings: &[(&str, &str)]) -> anyhow::Result<Self> {
        Self::open_with(&own_program()?, "bench", settings).await
    }

    /// Like `open`, with this build of `dewy`, in a folder with that name.
    pub async fn open_with(
        program: &Path,
        name: &str,
        settings: &[(&str, &str)],
    ) -> anyhow::Result<Self> {
        let program = &program
            .canonicalize()
            .with_context(|| format!("{} is missing", program.display()))?;
        let folder = own_program()?.with_file_name(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let given = settings
            .iter()
            .find(|(name, _)| *name == "DATABASE_URL")
            .map(|(_, url)| (*url).to_owned());
        let database =
            given.unwrap_or_else(|| format!("sqlite://{}", folder.join("dewy.db").display()));
        let wire = JsonClient::default();
        let sandbox = ServerProcess::sandbox(program, &folder, "sandbox")?;
        let sandbox = sandbox.open(&wire).await?;
        let own = [
            ("SANDBOX_URL", sandbox.url.as_str()),
            ("DATABASE_URL", &database),
            // A few guests do the work of thousands, and only their calls should be measured.
            ("CALLS_PER_MINUTE", "10000000"),
            ("SALESFORCE_CALLS_PER_GUEST", "10000000"),
            ("SWEEP_INTERVAL_SECONDS", "86400"),
        ];
        let environment: Vec<(String, String)> = own
            .iter()
            .chain(settings)
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        // Prevents a sweep, whose calls would be counted. The hotel's own build creates the tables.
        let migrated = command(program, &folder, &["migrate"], &environment)
            .output()
            .await?;
        ensure!(
            migrated.status.success(),
            "not migrated: {}",
            String::from_utf8_lossy(&migrated.stderr)
        );
        let store = Store::open(&database, Arc::new(RealClock)).await?;
        store
            .put_json("sweep_last", &json!(RealClock.now()))
            .await?;
        store.close().await;
        let started = Instant::now();
        let mut hotel = ServerProcess::hotel(program, &folder, "hotel", &environment)?;
        hotel.start()?;
        hotel.answers(&wire, "/").await?;
        let opened_in = started.elapsed();
        hotel.answers(&wire, "/readyz").await?;
        let server = Self {
            address: hotel.address.clone(),
            opened_in,
            program: program.to_owned(),
            folder,
            environment,
            hotel,
            sandbox,
            wire,
        };
        server
            .order("/admin/org", &json!({ "daily_calls": 1_000_000_000 }))
            .await?;
        Ok(server)
    }

    /// Everybody who is checked in with one booking, each with a token.
    pub async fn guests(&self) -> anyhow::Result<Vec<Guest>> {
        let state = self.state().await?;
        let rows = |object: &str| {
            state["salesforce"][object]
                .as_array()
                .cloned()
                .unwrap_or_default()
        };
        let text = |row: &Value, field: &str| row[field].as_str().unwrap_or_default().to_owned();
        let mut stays: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for booking in rows("Booking__c")
            .iter()
            .filter(|booking| booking["Status__c"] == "Checked In")
        {
            stays
                .entry(text(booking, "Primary_Guest__c"))
                .or_default()
                .push(text(booking, "Name"));
        }
        let mut guests = Vec::new();
        for contact in rows("Contact") {
            let email = text(&contact, "Email");
            if let Some([booking]) = stays.get(&text(&contact, "Id")).map(Vec::as_slice) {
                let token = self.token("--guest", &email).await?;
                guests.push(Guest {
                    token,
                    booking: booking.clone(),
                });
            }
        }
        Ok(guests)
    }

    /// Bearer token for an account: `--guest` or `--staff`, and the email.
    pub async fn token(&self, persona: &str, email: &str) -> anyhow::Result<String> {
        token(
            &self.program,
            &self.folder,
            &self.environment,
            (persona, email),
        )
        .await
    }

    /// Answer of a reading tool of the staff.
    pub async fn read(&self, token: &str, tool: &str, input: &Value) -> anyhow::Result<Value> {
        let url = format!("{}/api/staff/{tool}", self.hotel.url);
        self.wire
            .send_successfully("POST", &url, token, Some(input))
            .await
    }

    pub async fn sign_in(&self, email: &str) -> anyhow::Result<Browser> {
        Browser::sign_in(&self.hotel.url, email).await
    }

    /// Calls that the sandbox has answered.
    pub async fn calls(&self) -> anyhow::Result<Vec<Value>> {
        Ok(serde_json::from_value(self.ask("/admin/calls").await?)?)
    }

    /// State of the outside systems.
    pub async fn state(&self) -> anyhow::Result<Value> {
        self.ask("/admin/state").await
    }

    /// Creates a record in Salesforce, as another program of the hotel would; returns its ID.
    pub async fn create(&self, object: &str, fields: &Value) -> anyhow::Result<String> {
        let session = self.wire.session(&self.sandbox.url).await?;
        let url = format!("{}/services/data/v62.0/sobjects/{object}", self.sandbox.url);
        let made = self
            .wire
            .send_successfully("POST", &url, &session, Some(fields))
            .await?;
        let id = made["id"].as_str().map(str::to_owned);
        id.with_context(|| format!("not created: {made}"))
    }

    /// Sends an order to the sandbox.
    pub async fn order(&self, path: &str, order: &Value) -> anyhow::Result<()> {
        let url = format!("{}{path}", self.sandbox.url);
        self.wire
            .send_successfully("POST", &url, "", Some(order))
            .await
            .map(drop)
    }

    /// Seconds of processor time: the hotel's, the sandbox's, and this process's.
    pub fn used(&self) -> [f64; 3] {
        let us = Some(std::process::id());
        [self.hotel.id(), self.sandbox.id(), us]
            .map(|id| id.and_then(|id| ProcessStat::of(&id.to_string())))
            .map(|process| process.map_or(0.0, |process| process.used.as_secs_f64()))
    }

    /// Current and peak memory of the hotel in megabytes; zero where the kernel doesn't report it.
    pub fn memory(&self) -> [f64; 2] {
        let status = self
            .hotel
            .id()
            .and_then(|id| fs::read_to_string(format!("/proc/{id}/status")).ok());
        let status = status.unwrap_or_default();
        ["VmRSS:", "VmHWM:"].map(|name| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok())
                .unwrap_or(0.0)
                / 1024.0
        })
    }

    async fn ask(&self, path: &str) -> anyhow::Result<Value> {
        let url = format!("{}{path}", self.sandbox.url);
        self.wire.send_successfully("GET", &url, "", None).await
    }

    /// Stops both and deletes their files.
    pub fn close(self) {
        let folder = self.folder.clone();
        drop(self);
        // Only files of this benchmark.
        drop(fs::remove_dir_all(folder));
    }
}

/// Hotel program that was built with this one.
pub fn own_program() -> anyhow::Result<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name(format!("dewy{}", std::env::consts::EXE_SUFFIX)))
}
