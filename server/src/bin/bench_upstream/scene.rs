//! A hotel with a slow outside world, and what both sides need to know of it.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use dewy_domain::ports::Clock;
use dewy_saga::journal::Filter;
use dewy_sandbox::{CallEntry, Sandbox};
use dewy_server::{config::Config, server::Server, world::RealClock};
use jiff::Timestamp;
use serde_json::json;

use crate::job::Job;

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
        self.calls.iter().filter(|c| c.starts_with("salesforce ")).count()
    }
}

/// The hotel.
pub struct Scene {
    /// The whole server, on a file of its own.
    pub server: Server,
    /// Its sandbox: another task, reached over HTTP.
    pub sandbox: Sandbox,
    /// Where that listens.
    pub url: String,
    folder: PathBuf,
}

impl Scene {
    /// Opens it.
    pub async fn open() -> anyhow::Result<Self> {
        let program = std::env::current_exe()?;
        let beside = program.parent().context("the program lies in no folder")?;
        let folder = beside.join(format!("bench-upstream-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let set = BTreeMap::from([
            ("LEPTOS_SITE_ADDR", "127.0.0.1:0".to_owned()),
            ("SANDBOX_ADDR", "127.0.0.1:0".to_owned()),
            ("SANDBOX_LATENCY", "reference".to_owned()),
            ("SANDBOX_DATA", folder.join("sandbox.db").display().to_string()),
            ("DATABASE_URL", format!("sqlite://{}", folder.join("dewy.db").display())),
            ("SWEEP_INTERVAL_SECONDS", "86400".to_owned()),
        ]);
        let config = Config::read(&|name| set.get(name).cloned())?;
        let server = Server::start(&config).await?;
        // The sweep has just been: its calls would be counted otherwise.
        server.store.put_fact("sweep_last", &json!(RealClock.now())).await?;
        let running = server.sandbox.as_ref().context("the server started no sandbox")?;
        let (sandbox, url) = (running.sandbox.clone(), running.url.clone());
        Ok(Self { server, sandbox, url, folder })
    }

    /// Measures one job, from the seed on, and looks whether it did what such a job does.
    pub async fn measure<T>(&self, job: Job, work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<Run> {
        let before = self.sandbox.calls().len();
        let (begun, clock) = (RealClock.now(), Instant::now());
        work.await?;
        let took = clock.elapsed();
        let calls = self.sandbox.calls().iter().skip(before).filter(of_the_job).map(name).collect();
        job.check(&self.sandbox.state())?;
        Ok(Run { took, calls, afterwards: Vec::new(), begun, before })
    }

    /// Waits until the text that the job owes its guest is sent and written down, and tells its calls from the job's own: they
    /// arrive after the text's execution has begun, and that begins when the job's has ended.
    pub async fn afterwards(&self, run: &mut Run) -> anyhow::Result<()> {
        let journal = self.server.hotel.engine().journal();
        let texts =
            Filter { saga: Some("send_text".to_owned()), from: Some(run.begun), limit: 10, ..Filter::default() };
        let waited = Instant::now();
        let began = loop {
            let texts = journal.list(&texts).await?;
            match texts.first() {
                Some(text) if texts.iter().all(|t| t.state.at_rest()) => break text.created_at,
                _ => ensure!(waited.elapsed() < TEXT, "the guest was not told: {texts:?}"),
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        };
        let calls = self.sandbox.calls();
        let own = |call: &&CallEntry| call.time.parse::<Timestamp>().is_ok_and(|at| at < began);
        let (mine, texts): (Vec<_>, Vec<_>) = calls.iter().skip(run.before).filter(of_the_job).partition(own);
        run.calls = mine.into_iter().map(name).collect();
        run.afterwards = texts.into_iter().map(name).collect();
        Ok(())
    }

    /// Closes the hotel and removes its files.
    pub async fn close(self) {
        self.server.stop().await;
        // Only our own measurement's files.
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

/// Whoever serves looks now and then whether Stripe knows where its events go; after each reset it does not.
fn of_the_job(call: &&CallEntry) -> bool {
    !call.path.starts_with("/v1/webhook_endpoints")
}

fn name(call: &CallEntry) -> String {
    format!("{} {}", call.system.name(), call.operation)
}
