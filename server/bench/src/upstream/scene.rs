//! A hotel with a slow outside world, and what both sides need to know of it.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::ensure;
use dewy_connectors::RealClock;
use dewy_domain::ports::Clock;
use dewy_saga::{Journal, journal::Filter};
use dewy_store::Store;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::job::Job;
use crate::support::{rest::Client, test_server::TestServer};

/// A text to the guest takes less.
const TEXT: Duration = Duration::from_secs(30);

/// One measured job.
#[derive(Debug)]
pub struct Run {
    /// From the first byte sent to the last one read.
    pub took: Duration,
    /// The outside systems' operations up to the answer, in order of arrival.
    pub calls: Vec<String>,
    /// Those that went out afterwards, on their own: the text to the guest.
    pub afterwards: Vec<String>,
    begun: Timestamp,
    /// How many calls there had been.
    before: usize,
}

impl Run {
    /// How many of the calls went to Salesforce.
    pub fn salesforce(&self) -> usize {
        self.calls
            .iter()
            .filter(|c| c.starts_with("salesforce "))
            .count()
    }
}

/// The hotel.
pub struct Scene {
    /// The processes.
    pub house: TestServer,
    /// The hotel's journal, for reading.
    store: Store,
}

impl Scene {
    /// Opens it.
    pub async fn open() -> anyhow::Result<Self> {
        let house = TestServer::open(&[]).await?;
        house
            .order("/admin/latency", &json!({ "profile": "reference" }))
            .await?;
        let store = Store::open(&house.database, Arc::new(RealClock)).await?;
        Ok(Self { house, store })
    }

    /// Everything outside back to the seed.
    pub async fn reset(&self) -> anyhow::Result<()> {
        self.house
            .order("/admin/reset", &json!({ "seed": 1 }))
            .await
    }

    /// A guest's own program.
    pub async fn guest(&self, email: &str) -> anyhow::Result<Client> {
        Client::open(
            &self.house.address,
            "guest",
            self.house.token("--guest", email).await?,
        )
        .await
    }

    /// Measures one job, from the seed on, and looks whether it did what such a job does.
    pub async fn measure<T>(
        &self,
        job: Job,
        work: impl Future<Output = anyhow::Result<T>>,
    ) -> anyhow::Result<Run> {
        let before = self.house.calls().await?.len();
        let (begun, clock) = (RealClock.now(), Instant::now());
        work.await?;
        let took = clock.elapsed();
        let calls = self
            .house
            .calls()
            .await?
            .iter()
            .skip(before)
            .filter(of_the_job)
            .map(name)
            .collect();
        job.check(&self.house.state().await?)?;
        Ok(Run {
            took,
            calls,
            afterwards: Vec::new(),
            begun,
            before,
        })
    }

    /// Waits until the text that the job owes its guest is sent and written down, and tells its
    /// calls from the job's own: they arrive after the text's execution has begun, and that begins
    /// when the job's has ended.
    pub async fn afterwards(&self, run: &mut Run) -> anyhow::Result<()> {
        let texts = Filter {
            saga: Some("send_text".to_owned()),
            from: Some(run.begun),
            limit: 10,
            ..Filter::default()
        };
        let waited = Instant::now();
        let began = loop {
            let texts = self.store.list(&texts).await?;
            match texts.first() {
                Some(text) if texts.iter().all(|t| t.state.at_rest()) => break text.created_at,
                _ => ensure!(waited.elapsed() < TEXT, "the guest was not told: {texts:?}"),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        let calls = self.house.calls().await?;
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

    /// Closes the hotel and removes its files.
    pub fn close(self) {
        self.house.close();
    }
}

/// Whoever serves looks now and then whether Stripe knows where its events go; after each reset it
/// does not.
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
