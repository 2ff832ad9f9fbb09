//! Processes of one worker: a sandbox for all of its dialogues, and a new hotel for each.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use dewy_test_kit::{JsonClient, ServerProcess};
use jiff::civil::Date;
use serde_json::{Value, json};

use crate::{dialogue::Change, ledger_changes::Ledger};

/// Sandbox process; it stops when this is dropped.
#[derive(Debug)]
pub struct Sandbox {
    pub process: ServerProcess,
    wire: JsonClient,
}

/// Hotel process with an empty store; it stops when this is dropped.
#[derive(Debug)]
pub struct Hotel {
    pub process: ServerProcess,
    folder: PathBuf,
}

impl Sandbox {
    /// Starts it with its files in a folder.
    pub async fn open(program: &Path, folder: &Path) -> anyhow::Result<Self> {
        let wire = JsonClient::default();
        let process = ServerProcess::sandbox(program, folder, "sandbox")?;
        let process = process.open(&wire).await?;
        Ok(Self { process, wire })
    }

    /// Back to the seed, without faults; returns the day of the seed.
    pub async fn reset(&self) -> anyhow::Result<Date> {
        self.ask("DELETE", "faults", None).await?;
        let seeded = self.order("reset", &json!({ "seed": 1 })).await?;
        Ok(serde_json::from_value(seeded["seed_day"].clone())?)
    }

    pub async fn change(&self, change: &Change) -> anyhow::Result<()> {
        match change {
            Change::Fault(fault) => self.order("faults", fault).await?,
            Change::Edit { record, fields } => {
                let found = self.ledger().await?.id(record);
                let (object, id) = found.with_context(|| format!("the seed has no {record}"))?;
                let edit = json!({ "object": object, "id": id, "fields": fields });
                self.order("edit", &edit).await?
            }
        };
        Ok(())
    }

    /// State of the ledgers.
    pub async fn ledger(&self) -> anyhow::Result<Ledger> {
        let state = self.ask("GET", "state", None).await?;
        Ok(Ledger(dewy_test_kit::OutsideRecords::read(
            state,
            Value::Null,
        )))
    }

    async fn order(&self, path: &str, order: &Value) -> anyhow::Result<Value> {
        self.ask("POST", path, Some(order)).await
    }

    async fn ask(&self, method: &str, path: &str, order: Option<&Value>) -> anyhow::Result<Value> {
        let url = format!("{}/admin/{path}", self.process.url);
        self.wire.send_successfully(method, &url, "", order).await
    }
}

impl Hotel {
    /// Starts it in front of a sandbox, with its files in an own folder.
    pub async fn open(program: &Path, folder: &Path, sandbox: &str) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)?;
        let database = format!("sqlite://{}", folder.join("dewy.db").display());
        let settings = [
            ("SANDBOX_URL", sandbox),
            ("DATABASE_URL", &database),
            // A check-out that fails is compensated while the person waits
            ("FORWARD_BUDGET_SECONDS", "4"),
            ("SALESFORCE_CALLS_PER_GUEST", "1000000"),
            ("SWEEP_INTERVAL_SECONDS", "86400"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let (process, wire) = (
            ServerProcess::hotel(program, folder, "hotel", &settings)?,
            JsonClient::default(),
        );
        let mut process = process.open(&wire).await?;
        process.answers(&wire, "/readyz").await?;
        Ok(Self {
            process,
            folder: folder.to_owned(),
        })
    }

    /// Stops it and deletes its files.
    pub async fn close(mut self) -> anyhow::Result<()> {
        self.process.kill().await?;
        Ok(fs::remove_dir_all(self.folder)?)
    }
}
