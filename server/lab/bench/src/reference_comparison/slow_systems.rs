//! Hotel with slow outside systems, and the data that both sides need.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::ensure;
use dewy_connectors::RealClock;
use dewy_domain::ports::Clock;
use dewy_saga::{Journal, journal::ExecutionFilter};
use dewy_store::Store;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::scenario::Scenario;
use crate::support::{rest_client::Client, test_server::TestServer};

/// Sending a text to the guest takes less.
const TEXT: Duration = Duration::from_secs(30);

/// Measured job.
#[derive(Debug)]
pub struct Run {
    /// Time from the first byte sent to the last one read.
    pub took: Duration,
    /// Operations of the outside systems up to the answer, in order of arrival.
    pub calls: Vec<String>,
    /// Separate operations afterward: the text to the guest.
    pub afterwards: Vec<String>,
    begun: Timestamp,
    /// Number of earlier calls.
    before: usize,
}

impl Run {
    /// Number of calls to Salesforce.
    pub fn salesforce(&self) -> usize {
        self.calls
            .iter()
            .filter(|c| c.starts_with("salesforce "))
            .count()
    }
}

/// Hotel.
pub struct SlowSystems {
    /// Processes.
    pub server: TestServer,
    /// Journal of the hotel, for reading.
    store: Store,
}

impl SlowSystems {
    pub async fn open() -> anyhow::Result<Self> {
        let server = TestServer::open(&[]).await?;
        server
            .order("/admin/latency", &json!({ "profile": "reference" }))
            .await?;
        let store = Store::open(&server.database, Arc::new(RealClock)).await?;
        Ok(Self { server, store })
    }

    /// Resets the outside systems to the seed.
    pub async fn reset(&self) -> anyhow::Result<()> {
        self.server
            .order("/admin/reset", &json!({ "seed": 1 }))
            .await
    }

    /// A guest's own program.
    pub async fn guest(&self, email: &str) -> anyhow::Result<Client> {
        Client::open(
            &self.server.address,
            "guest",
            self.server.token("--guest", email).await?,
        )
        .await
    }

    /// Measures one job from the seed on, and checks its result.
    pub async fn measure<T>(
        &self,
        job: Scenario,
        work: impl Future<Output = anyhow::Result<T>>,
    ) -> anyhow::Result<Run> {
        let before = self.server.calls().await?.len();
        let (begun, clock) = (RealClock.now(), Instant::now());
        work.await?;
        let took = clock.elapsed();
        let calls = self
            .server
            .calls()
            .await?
            .iter()
            .skip(before)
            .filter(of_the_job)
            .map(name)
            .collect();
        job.check(&self.server.state().await?)?;
        Ok(Run {
            took,
            calls,
            afterwards: Vec::new(),
            begun,
            before,
        })
    }

    /// Waits until the job's text to the guest is sent and recorded, and separates its calls from
    /// the job's own: they arrive after the text's execution has begun, which happens when the
    /// job's has ended.
    pub async fn afterwards(&self, run: &mut Run) -> anyhow::Result<()> {
        let texts = ExecutionFilter {
            saga: Some("send_text".to_owned()),
            from: Some(run.begun),
            limit: 10,
            ..ExecutionFilter::default()
        };
        let waited = Instant::now();
        let began = loop {
            let texts = self.store.list(&texts).await?;
            match texts.first() {
                Some(text) if texts.iter().all(|t| t.state.has_ended()) => break text.created_at,
                _ => ensure!(waited.elapsed() < TEXT, "the guest was not told: {texts:?}"),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        let calls = self.server.calls().await?;
        let own = |call: &&Value| {
            call["time"]
                .as_str()
                .unwrap_or_default()
                .parse::<Timestamp>()
                .is_ok_and(|at| at < began)
        };
        let (mine, texts): (Vec<_>, Vec<_>) = calls
            .iter()
            .skip(run.before)
            .filter(of_the_job)
            .partition(own);
        run.calls = mine.into_iter().map(name).collect();
        run.afterwards = texts.into_iter().map(name).collect();
        Ok(())
    }

    /// Stops the hotel and deletes its files.
    pub fn close(self) {
        self.server.close();
    }
}

/// Excludes the hotel's occasional check of its webhook registration; each reset deletes it.
fn of_the_job(call: &&Value) -> bool {
    !call["path"]
        .as_str()
        .unwrap_or_default()
        .starts_with("/v1/webhook_endpoints")
}

fn name(call: &Value) -> String {
    let text = |field: &str| call[field].as_str().unwrap_or_default().to_owned();
    format!("{} {}", text("system"), text("operation"))
}
