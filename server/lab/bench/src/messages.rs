//! Cost of what one guest writes: `cargo xtask bench messages`.
//!
//! ```text
//! a guest: costly messages ─► `dewy serve`: processor time of each      the manager: `/staff` before and after 15 of danger
//! ```
//! The same messages go to another build with `--beside`, so that one run shows both. The matcher
//! alone is measured in this process.

use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::Args;
use dewy_domain::{concierge::MAX_MESSAGE_LENGTH, emergency};
use serde_json::json;

use crate::support::{
    browser::{self, Browser},
    latencies::Round,
    test_server::TestServer,
};

/// Number of measured repetitions.
const TIMES: usize = 30;
/// Number of messages of danger, the first of which raises the alarm.
const DANGERS: usize = 15;
/// The costliest sign to fold: 18 letters.
const LIGATURE: &str = "\u{fdfa}";
/// Words of many phrases, in scripts of all kinds.
const SCRIPTS: [(&str, &str); 12] = [
    ("Arabic ligature", LIGATURE),
    ("one letter", "x "),
    ("one word", "i "),
    ("words of phrases", "help me "),
    ("harmless phrase", "fire sale "),
    ("sentence ends", "i. "),
    ("marks", "a\u{301}\u{316}\u{301}\u{316}"),
    ("Korean", "불이 났어요 도와주세요 "),
    ("Chinese", "着火了救命我想死"),
    ("Thai", "ไฟไหม้ช่วยด้วย"),
    ("Arabic", "حريق في الغرفة لا يتنفس "),
    (
        "English",
        "my baby is not breathing she fell down the stairs and hit her head ",
    ),
];

/// Options.
#[derive(Debug, Args)]
pub struct Options {
    /// Another build of `dewy`, measured after this one.
    #[arg(long)]
    beside: Option<PathBuf>,
}

/// Measures and prints.
pub async fn run(options: &Options) -> anyhow::Result<()> {
    matcher();
    let mut sides = vec![("ours", TestServer::open(&[]).await?)];
    if let Some(program) = &options.beside {
        let other = TestServer::open_with(program, "beside", &[]).await?;
        sides.push(("beside", other));
    }
    for (side, server) in &sides {
        posts(side, server).await?;
        views(side, server).await?;
    }
    for (_, server) in sides {
        server.close();
    }
    Ok(())
}

fn matcher() {
    emergency::warm_up();
    for (script, unit) in SCRIPTS {
        let text: String = unit.chars().cycle().take(MAX_MESSAGE_LENGTH).collect();
        let once = |_| {
            let started = Instant::now();
            std::hint::black_box(emergency::find(&text));
            started.elapsed()
        };
        let round = round((0..TIMES).map(once).collect());
        let [p50, most] = [50, 100].map(|percent| round.percentile(percent) as f64 / 1000.0);
        println!(
            "{p50:>8.2} ms p50   {most:.2} ms at most   2,000 characters, {script}     (aim: 2)"
        );
        let line = json!({ "bench": "messages", "script": script, "p50_ms": p50, "max_ms": most });
        println!("{line}");
    }
}

/// Processor time that each of a guest's messages costs.
async fn posts(side: &str, server: &TestServer) -> anyhow::Result<()> {
    let mut guest = browser::guest(&server.address).await?;
    post(&mut guest, "first", "fire").await?;
    let texts = [
        ("2,000 ligatures", LIGATURE.repeat(2000)),
        ("32,000 × “x ”", "x ".repeat(32_000)),
        ("8,000 × “help me ”", "help me ".repeat(8000)),
    ];
    for (n, (name, text)) in texts.iter().enumerate() {
        let before = server.used();
        post(&mut guest, &format!("post-{n}"), text).await?;
        let cpu = (server.used()[0] - before[0]) * 1000.0;
        println!("{cpu:>8.0} ms of processor time for a message of {name}, {side}");
        let line = json!({ "bench": "messages", "side": side, "post": name, "cpu_ms": cpu });
        println!("{line}");
    }
    Ok(())
}

/// A clerk's pages, before and after a guest's messages of danger.
async fn views(side: &str, server: &TestServer) -> anyhow::Result<()> {
    let (mut guest, mut clerk) = (
        browser::guest(&server.address).await?,
        browser::manager(&server.address).await?,
    );
    let pages = ["/staff", "/staff/conversations"];
    let mut before = Vec::new();
    for page in pages {
        before.push(view(&mut clerk, page).await?);
    }
    let costly = format!("fire {}", LIGATURE.repeat(1990));
    for n in 0..DANGERS {
        post(&mut guest, &format!("danger-{n}"), &costly).await?;
    }
    for (page, before) in pages.into_iter().zip(before) {
        let after = view(&mut clerk, page).await?;
        let more = after - before;
        println!(
            "{before:>8.2} ms p50, {after:.2} ms with {DANGERS} messages of danger: {more:+.2}   {page}, {side}     (aim: +5)"
        );
        let line = json!({ "bench": "messages", "side": side, "page": page, "before_ms": before, "after_ms": after });
        println!("{line}");
    }
    Ok(())
}

/// Median duration of a page in milliseconds.
async fn view(clerk: &mut Browser, page: &str) -> anyhow::Result<f64> {
    clerk.get(page).await?;
    let mut took = Vec::new();
    for _ in 0..TIMES {
        let started = Instant::now();
        clerk.get(page).await?;
        took.push(started.elapsed());
    }
    Ok(round(took).percentile(50) as f64 / 1000.0)
}

async fn post(guest: &mut Browser, token: &str, text: &str) -> anyhow::Result<()> {
    let text: String = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let form = format!("text={text}&idempotency_token={token}&live=live");
    guest.post("/form/concierge_say", &form).await.map(drop)
}

fn round(took: Vec<Duration>) -> Round {
    let mut micros: Vec<u64> = took
        .iter()
        .map(|took| u64::try_from(took.as_micros()).unwrap_or(u64::MAX))
        .collect();
    micros.sort_unstable();
    Round {
        took: took.iter().sum(),
        micros,
    }
}
