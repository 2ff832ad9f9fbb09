//! Outside systems of one run: the sandbox, which may be killed, behind the unreliable network.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use dewy_test_kit::{JsonClient, ServerProcess};
use serde_json::{Value, json};

use crate::proxy::Proxy;

/// Latency of the sandbox: enough that a kill finds calls in progress.
const LATENCY: [(&str, &str, u64); 8] = [
    ("salesforce", "query", 60),
    ("salesforce", "composite", 200),
    ("stripe", "customers", 60),
    ("stripe", "payment_intent_create", 250),
    ("stripe", "payment_intent_list", 80),
    ("stripe", "refund_create", 120),
    ("salesforce", "create", 60),
    ("twilio", "message_create", 120),
];

/// Number of attempts for a sandbox order during a restart.
const MAX_ATTEMPTS: u32 = 100;

#[derive(Debug)]
pub struct OutsideSystems {
    pub wire: JsonClient,
    /// Actual URL of the sandbox, for clients that are not the hotel.
    pub url: String,
    /// Proxy that the hotel talks to.
    pub proxy: Proxy,
    /// Folder of logs and ledgers.
    pub folder: PathBuf,
    sandbox: tokio::sync::Mutex<ServerProcess>,
}

impl OutsideSystems {
    /// Starts the sandbox, behind a network without faults.
    pub async fn open(program: &Path, folder: PathBuf, seed: u64) -> anyhow::Result<Self> {
        let wire = JsonClient::default();
        let sandbox = ServerProcess::sandbox(program, &folder, "sandbox")?;
        let sandbox = sandbox.open(&wire).await?;
        let url = sandbox.url.clone();
        let proxy = Proxy::open(sandbox.address.parse()?, seed).await?;
        let upstream = Self {
            wire,
            url,
            proxy,
            folder,
            sandbox: tokio::sync::Mutex::new(sandbox),
        };
        let endless = json!({ "daily_calls": 1_000_000_000 });
        upstream.admin("POST", "org", Some(&endless)).await?;
        for (system, operation, ms) in LATENCY {
            let order = json!({ "system": system, "operation": operation, "ms": ms });
            upstream.admin("POST", "latency", Some(&order)).await?;
        }
        Ok(upstream)
    }

    /// Calls the sandbox's admin API directly; retries while the sandbox is restarted.
    pub async fn admin(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> anyhow::Result<Value> {
        let url = format!("{}/admin/{path}", self.url);
        for _ in 1..MAX_ATTEMPTS {
            if let Ok(answer) = self.wire.send_successfully(method, &url, "", body).await {
                return Ok(answer);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.wire.send_successfully(method, &url, "", body).await
    }

    /// Sends `kill -9`, and restarts it with the same file and port. Everything it had answered is
    /// in its file.
    pub async fn kill(&self, down: Duration) -> anyhow::Result<()> {
        let mut sandbox = self.sandbox.lock().await;
        sandbox.kill().await?;
        tokio::time::sleep(down).await;
        sandbox.start()?;
        sandbox.ready(&self.wire).await
    }

    /// Stops the sandbox.
    pub async fn close(&self) -> anyhow::Result<()> {
        self.sandbox.lock().await.end().await
    }
}
