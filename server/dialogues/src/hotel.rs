//! Processes of one worker: a sandbox for all of its dialogues, and a new hotel for each.

use std::{
    fs::{self, File},
    net::TcpListener,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};
use jiff::civil::Date;
use reqwest::Client;
use serde_json::{Value, json};
use tokio::process::{Child, Command};

use crate::{dialogue::Change, ledger::Ledger};

/// Longer than a start on a busy machine takes.
const OPEN_WITHIN: Duration = Duration::from_secs(60);

/// Sandbox process; it stops when this is dropped.
#[derive(Debug)]
pub struct Sandbox {
    /// Address.
    pub url: String,
    client: Client,
    _process: Child,
}

/// Hotel process with an empty store; it stops when this is dropped.
#[derive(Debug)]
pub struct Hotel {
    /// Address.
    pub url: String,
    process: Child,
    folder: PathBuf,
}

impl Sandbox {
    /// Starts it with its files in a folder.
    pub async fn open(client: &Client, program: &Path, folder: &Path) -> anyhow::Result<Self> {
        let address = free_address()?;
        let data = folder.join("sandbox.db").display().to_string();
        let mut command = dewy(program, folder)?;
        command.args(["sandbox", "--addr", &address, "--data", &data]);
        let mut process = start(command, folder, "sandbox")?;
        let url = format!("http://{address}");
        answers(client, &format!("{url}/admin/faults"), &mut process, folder).await?;
        Ok(Self {
            url,
            client: client.clone(),
            _process: process,
        })
    }

    /// Back to the seed, without faults; returns the day of the seed.
    pub async fn reset(&self) -> anyhow::Result<Date> {
        let path = format!("{}/admin/faults", self.url);
        self.client.delete(path).send().await?;
        let seeded = self.order("/admin/reset", &json!({ "seed": 1 })).await?;
        Ok(serde_json::from_value(seeded["seed_day"].clone())?)
    }

    /// Makes a change.
    pub async fn change(&self, change: &Change) -> anyhow::Result<()> {
        match change {
            Change::Fault(fault) => self.order("/admin/faults", fault).await?,
            Change::Edit { record, fields } => {
                let found = self.ledger().await?.id(record);
                let (object, id) = found.with_context(|| format!("the seed has no {record}"))?;
                let edit = json!({ "object": object, "id": id, "fields": fields });
                self.order("/admin/edit", &edit).await?
            }
        };
        Ok(())
    }

    /// State of the ledgers.
    pub async fn ledger(&self) -> anyhow::Result<Ledger> {
        let request = self.client.get(format!("{}/admin/state", self.url));
        Ok(Ledger(
            request.send().await?.error_for_status()?.json().await?,
        ))
    }

    async fn order(&self, path: &str, order: &Value) -> anyhow::Result<Value> {
        let request = self.client.post(format!("{}{path}", self.url)).json(order);
        let response = request.send().await?;
        let status = response.status();
        let text = response.text().await?;
        ensure!(status.is_success(), "{path} {order}: {text}");
        Ok(serde_json::from_str(&text)?)
    }
}

impl Hotel {
    /// Starts it in front of a sandbox, with its files in an own folder.
    pub async fn open(
        client: &Client,
        program: &Path,
        folder: &Path,
        sandbox: &str,
    ) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)?;
        let address = free_address()?;
        let mut command = dewy(program, folder)?;
        command
            .args(["serve", "--migrate"])
            .env("LEPTOS_SITE_ADDR", &address)
            .env("SANDBOX_URL", sandbox)
            .env(
                "DATABASE_URL",
                format!("sqlite://{}", folder.join("dewy.db").display()),
            )
            // A check-out that fails is compensated while the person waits
            .env("FORWARD_BUDGET_SECONDS", "4")
            .env("SALESFORCE_CALLS_PER_GUEST", "1000000")
            .env("SWEEP_INTERVAL_SECONDS", "86400");
        let mut process = start(command, folder, "hotel")?;
        let url = format!("http://{address}");
        answers(client, &format!("{url}/readyz"), &mut process, folder).await?;
        Ok(Self {
            url,
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

fn dewy(program: &Path, folder: &Path) -> anyhow::Result<Command> {
    ensure!(
        program.is_file(),
        "{} is missing; `cargo xtask dialogues` builds it",
        program.display()
    );
    let mut command = Command::new(program);
    // Nothing of the developer's own configuration: this must never reach a live system
    command
        .env_clear()
        .current_dir(folder)
        .stdin(Stdio::null())
        .kill_on_drop(true);
    Ok(command)
}

fn start(mut command: Command, folder: &Path, name: &str) -> anyhow::Result<Child> {
    let log = File::create(folder.join(format!("{name}.log")))?;
    let command = command.stdout(log.try_clone()?).stderr(log);
    command
        .spawn()
        .with_context(|| format!("the {name} cannot be started"))
}

/// Released at once and used by the process a moment later.
fn free_address() -> anyhow::Result<String> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string())
}

async fn answers(
    client: &Client,
    url: &str,
    process: &mut Child,
    folder: &Path,
) -> anyhow::Result<()> {
    let begun = Instant::now();
    loop {
        let answer = client.get(url).send().await;
        if answer.is_ok_and(|answer| answer.status().is_success()) {
            return Ok(());
        }
        let ended = process.try_wait()?.is_some();
        if ended || begun.elapsed() > OPEN_WITHIN {
            bail!(
                "{url} does not answer; see the logs in {}",
                folder.display()
            );
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
