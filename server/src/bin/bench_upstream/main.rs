//! What the outside systems cost a check-out: ours beside the same work in the reference's call order, in one run.
//!
//! `cargo xtask bench upstream [--runs 5]` opens a hotel whose sandbox answers as slowly as the reference measured (latency
//! profile `reference`), over real HTTP. Runs alternate; the sandbox goes back to its seed before each.

mod ours;
mod reference;
mod scene;

use std::time::Duration;

use anyhow::bail;
use clap::Parser;
use serde_json::json;

use crate::scene::{Run, Scene};

/// What can be asked for.
#[derive(Debug, Parser)]
struct Wish {
    /// How often each side is measured.
    #[arg(long, default_value_t = 5)]
    runs: usize,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let wish = Wish::parse();
    if wish.runs == 0 {
        bail!("at least one run");
    }
    let scene = Scene::open().await?;
    let (mut ours, mut reference) = (Vec::new(), Vec::new());
    for number in 1..=wish.runs {
        let mine = ours::run(&scene).await?;
        let theirs = reference::run(&scene).await?;
        eprintln!(
            "run {number} of {}: {} ms, in the reference's order {} ms",
            wish.runs,
            millis(mine.took),
            millis(theirs.took)
        );
        ours.push(mine);
        reference.push(theirs);
    }
    scene.close().await;
    print(&ours, &reference);
    Ok(())
}

fn print(ours: &[Run], reference: &[Run]) {
    let (a, b) = (median(ours), median(reference));
    let ratio =
        f64::from(u32::try_from(a).unwrap_or(u32::MAX)) / f64::from(u32::try_from(b.max(1)).unwrap_or(u32::MAX));
    let ratio = (ratio * 1000.0).round() / 1000.0;
    println!("check-out of a guest with a stored customer    ms (median)   calls   of them Salesforce");
    for (name, ms, runs) in [("this hotel", a, ours), ("the reference's order", b, reference)] {
        println!("{name:<46} {ms:>11} {:>7} {:>20}", most(runs, |r| r.calls.len()), most(runs, Run::salesforce));
    }
    println!("ratio {ratio:.3}");
    for (name, runs) in [("this hotel", ours), ("the reference's order", reference)] {
        if let Some(run) = runs.first() {
            println!("{name}: {}", run.calls.join(", "));
        }
    }
    let line = json!({
        "bench": "upstream", "runs": ours.len(), "ms": a, "reference_ms": b, "ratio": ratio,
        "calls": most(ours, |r| r.calls.len()), "salesforce_calls": most(ours, Run::salesforce),
        "reference_calls": most(reference, |r| r.calls.len()), "reference_salesforce_calls": most(reference, Run::salesforce),
    });
    println!("{line}");
}

fn most(runs: &[Run], of: impl Fn(&Run) -> usize) -> usize {
    runs.iter().map(of).max().unwrap_or(0)
}

fn median(runs: &[Run]) -> u64 {
    let mut all: Vec<u64> = runs.iter().map(|r| millis(r.took)).collect();
    all.sort_unstable();
    let middle = all.len() / 2;
    match (all.get(middle), all.len() % 2) {
        (Some(value), 1) => *value,
        (Some(value), _) => u64::midpoint(*value, all[middle - 1]),
        (None, _) => 0,
    }
}

fn millis(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}
