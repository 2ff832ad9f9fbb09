//! A hotel with a slow outside world, and what both sides need to know of it.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use dewy_sandbox::Sandbox;
use dewy_server::{config::Config, server::Server};
use serde_json::Value;

/// The guest of every story: leaves today, owes exactly $250.00, and is a Stripe customer with a card.
pub const GUEST: &str = "beth.gibbs@email.com";
/// Her balance in cents.
pub const BALANCE: i64 = 25_000;

/// One measured check-out.
#[derive(Debug)]
pub struct Run {
    /// From the first byte sent to the last one read.
    pub took: Duration,
    /// The outside systems' operations, in order of arrival.
    pub calls: Vec<String>,
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
        ]);
        let config = Config::read(&|name| set.get(name).cloned())?;
        let server = Server::start(&config).await?;
        let running = server.sandbox.as_ref().context("the server started no sandbox")?;
        let (sandbox, url) = (running.sandbox.clone(), running.url.clone());
        Ok(Self { server, sandbox, url, folder })
    }

    /// Measures one check-out, from the seed on, and looks whether it did what a check-out does.
    pub async fn measure<T>(&self, check_out: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<Run> {
        let from = self.sandbox.calls().len();
        let begun = Instant::now();
        check_out.await?;
        let took = begun.elapsed();
        let calls = self.sandbox.calls();
        self.check()?;
        Ok(Run {
            took,
            calls: calls.iter().skip(from).map(|c| format!("{} {}", c.system.name(), c.operation)).collect(),
        })
    }

    /// The same for both sides: paid once, and booking, room and opportunity moved.
    fn check(&self) -> anyhow::Result<()> {
        let state = self.sandbox.state();
        let booking = row(&state, "Booking__c", "Name", "BK-0042")?;
        let room = row(&state, "Hotel_Room__c", "Id", text(booking, "Room__c")?)?;
        let opportunity = row(&state, "Opportunity", "Id", text(booking, "Opportunity__c")?)?;
        let found = [text(booking, "Status__c")?, text(room, "Status__c")?, text(opportunity, "StageName")?];
        ensure!(found == ["Checked Out", "Cleaning", "Closed Won"], "the stay was not moved: {found:?}");
        let payments = state["stripe"]["payment_intents"].as_array().context("no list of payments")?;
        let paid: Vec<_> =
            payments.iter().filter(|p| p["status"] == "succeeded").map(|p| p["amount_received"].as_i64()).collect();
        ensure!(paid == [Some(BALANCE)], "paid {paid:?}");
        Ok(())
    }

    /// Closes the hotel and removes its files.
    pub async fn close(self) {
        self.server.stop().await;
        // Only our own measurement's files.
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

/// A record of the sandbox.
pub fn row<'a>(state: &'a Value, object: &str, field: &str, value: &str) -> anyhow::Result<&'a Value> {
    let rows = state["salesforce"][object].as_array().with_context(|| format!("no {object}"))?;
    rows.iter().find(|r| r[field] == value).with_context(|| format!("no {object} whose {field} is {value}"))
}

/// A text of a record.
pub fn text<'a>(record: &'a Value, field: &str) -> anyhow::Result<&'a str> {
    record[field].as_str().with_context(|| format!("{field} is no text"))
}
