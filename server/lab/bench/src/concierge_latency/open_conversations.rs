//! Two hundred conversations that are followed at once.

use std::time::{Duration, Instant};

use anyhow::ensure;
use dewy_test_kit::Browser;
use serde_json::json;

use super::{conversation, stream_follower::StreamFollower};
use crate::support::test_server::{GUEST, MANAGER, TestServer};

/// Conversations per person, for two people; the maximum per person is two hundred.
const CONVERSATIONS_PER_PERSON: usize = 100;
/// Duration of silence to measure the cost of following alone.
const QUIET_PERIOD: Duration = Duration::from_secs(10);
/// Tolerance for memory that the allocator keeps, in megabytes.
const FLAT: f64 = 8.0;

/// Person with the followed conversations.
struct Subscriber {
    browser: Browser,
    open: Vec<(String, StreamFollower)>,
}

impl Subscriber {
    async fn open(
        server: &TestServer,
        mut browser: Browser,
        persona: &str,
    ) -> anyhow::Result<Self> {
        let mut open = Vec::new();
        for number in 0..CONVERSATIONS_PER_PERSON {
            let place =
                conversation::begin(&mut browser, persona, &format!("stream-{number}")).await?;
            let follower = StreamFollower::open(&server.address, &browser, &place).await?;
            open.push((place, follower));
        }
        Ok(Self { browser, open })
    }

    /// Sends a message to each, one after another, and reads every answer from its stream.
    async fn round(&mut self, round: usize) -> anyhow::Result<()> {
        for (place, follower) in &mut self.open {
            conversation::say(&mut self.browser, place, &format!("round-{round}")).await?;
            follower.first_word().await?;
            follower.quiet().await?;
        }
        Ok(())
    }
}

/// Opens them, sends messages to all in several rounds, and prints the hotel's memory after each.
pub async fn measure(server: &TestServer, rounds: usize) -> anyhow::Result<()> {
    let [before, _] = server.memory();
    let (guest, manager) = (server.sign_in(GUEST).await?, server.sign_in(MANAGER).await?);
    let (mut guest, mut manager) = tokio::try_join!(
        Subscriber::open(server, guest, "guest"),
        Subscriber::open(server, manager, "staff")
    )?;
    let streams = guest.open.len() + manager.open.len();
    let [opened, _] = server.memory();
    let (used, begun) = (server.used()[0], Instant::now());
    tokio::time::sleep(QUIET_PERIOD).await;
    let cores = (server.used()[0] - used) / begun.elapsed().as_secs_f64();
    println!("{streams} conversations, each followed by one stream");
    println!("  {before:>8.1} MB before");
    println!("  {opened:>8.1} MB with all of them open, each with one answer");
    println!("  {cores:>8.3} cores while nobody speaks");
    let mut held = Vec::new();
    for round in 1..=rounds {
        tokio::try_join!(guest.round(round), manager.round(round))?;
        let [now, _] = server.memory();
        println!("  {now:>8.1} MB after {} more answers", round * streams);
        held.push(now);
    }
    let most = server.memory()[1];
    let growth = held.last().copied().unwrap_or(opened) - held.first().copied().unwrap_or(opened);
    println!(
        "  {growth:>8.1} MB more after the last round than after the first     (flat: within {FLAT})"
    );
    drop((guest, manager));
    tokio::time::sleep(Duration::from_secs(1)).await;
    let [closed, _] = server.memory();
    println!("  {closed:>8.1} MB with all of them closed; {most:.1} at most");
    let line = json!({ "bench": "talk", "part": "streams", "streams": streams, "before_mb": before, "opened_mb": opened,
        "silent_cores": cores, "rounds_mb": held, "growth_mb": growth, "closed_mb": closed, "most_mb": most });
    println!("{line}");
    ensure!(growth <= FLAT, "memory is not flat");
    Ok(())
}
