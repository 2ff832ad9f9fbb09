//! Cost of what one guest writes: `cargo xtask bench messages`.
//!
//! ```text
//! a guest: 15 costly messages of danger ─► `dewy serve` ◄─ `/staff`, in turn with ─► another hotel without them
//! ```
//! The matcher alone is measured in this process: 2,000 characters of many scripts, beside 2,000 of plain words.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use clap::Args;
use dewy_domain::{concierge::MAX_MESSAGE_LENGTH, emergency};
use dewy_test_kit::Browser;
use serde_json::json;

use crate::support::{
    latencies::Round,
    test_server::{GUEST, MANAGER, TestServer, own_program},
};

/// Number of messages of danger, the first of which raises the alarm.
const DANGERS: usize = 15;
/// Most milliseconds for one message, and that a page may take more with all of them.
const AIMS: [f64; 2] = [2.0, 5.0];
/// The costliest sign to fold: 18 letters.
const LIGATURE: &str = "\u{fdfa}";
/// What messages repeat; the first is in no phrase.
const SCRIPTS: [(&str, &str); 12] = [
    ("plain words", "the garden has a lovely view today "),
    ("Arabic ligature", LIGATURE),
    ("one letter", "x "),
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
        "my baby is not breathing she fell and hit her head ",
    ),
];

#[derive(Debug, Args)]
pub struct Options {
    /// Number of measured repetitions.
    #[arg(long, default_value_t = 60)]
    times: usize,
}

/// Measures and prints.
pub async fn run(options: &Options) -> anyhow::Result<()> {
    let slowest = matcher(options.times);
    let more = pages(options.times).await?;
    let kept = slowest <= AIMS[0] && more <= AIMS[1];
    ensure!(kept, "an aim is missed: {slowest:.2} ms, {more:+.2} ms");
    Ok(())
}

/// Median of the slowest script.
fn matcher(times: usize) -> f64 {
    emergency::warm_up();
    let (aim, mut slowest) = (AIMS[0], 0.0_f64);
    for (script, unit) in SCRIPTS {
        let text: String = unit.chars().cycle().take(MAX_MESSAGE_LENGTH).collect();
        let once = |_| {
            let started = Instant::now();
            std::hint::black_box(emergency::find(&text));
            started.elapsed()
        };
        let [p50, most] = percentiles((0..times).map(once).collect());
        println!(
            "{p50:>8.2} ms p50   {most:.2} ms at most   2,000 characters, {script}     (aim: {aim})"
        );
        println!(
            "{}",
            json!({ "bench": "messages", "script": script, "p50_ms": p50, "max_ms": most })
        );
        slowest = slowest.max(p50);
    }
    slowest
}

/// What `/staff` takes more with the messages than without, both measured in turn.
async fn pages(times: usize) -> anyhow::Result<f64> {
    let sides = [
        TestServer::open(&[]).await?,
        TestServer::open_with(&own_program()?, "without", &[]).await?,
    ];
    let mut guest = sides[0].sign_in(GUEST).await?;
    let costly = format!("fire {}", LIGATURE.repeat(MAX_MESSAGE_LENGTH - 5));
    for n in 0..DANGERS {
        let token = format!("danger-{n}");
        let form = [
            ("text", costly.as_str()),
            ("idempotency_token", &token),
            ("live", "live"),
        ];
        let place = guest.post("/form/concierge_say", &form).await?;
        ensure!(
            place.contains("/concierge/cnv_"),
            "message {n} was not taken: {place}"
        );
    }
    let mut clerks = [
        sides[0].sign_in(MANAGER).await?,
        sides[1].sign_in(MANAGER).await?,
    ];
    let alarmed = clerks[0].get("/staff").await?;
    ensure!(
        alarmed.contains(&costly[..20]),
        "the messages raise no alarm"
    );
    let mut took = [Vec::new(), Vec::new()];
    for _ in 0..times {
        for (clerk, took) in clerks.iter_mut().zip(&mut took) {
            took.push(view(clerk).await?);
        }
    }
    let [with, without] = took.map(|took| percentiles(took)[0]);
    let (more, aim) = (with - without, AIMS[1]);
    println!(
        "{without:>8.2} ms p50 without, {with:.2} ms with {DANGERS} messages of danger: {more:+.2}   /staff     (aim: +{aim})"
    );
    println!(
        "{}",
        json!({ "bench": "messages", "page": "/staff", "without_ms": without, "with_ms": with })
    );
    sides.into_iter().for_each(TestServer::close);
    Ok(more)
}

async fn view(clerk: &mut Browser) -> anyhow::Result<Duration> {
    let started = Instant::now();
    clerk.get("/staff").await.context("the page of a clerk")?;
    Ok(started.elapsed())
}

/// Median and maximum in milliseconds.
fn percentiles(took: Vec<Duration>) -> [f64; 2] {
    let all = took.iter().sum();
    let round = Round::new(took, all);
    [50, 100].map(|percent| round.ms(percent))
}
