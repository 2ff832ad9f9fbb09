//! Cost of the outside systems for a check-out and a check-in: this implementation compared with
//! the reference's call order, in one run.
//!
//! `cargo xtask bench upstream [--runs 5]` starts a hotel whose sandbox has the reference's
//! measured latencies (profile `reference`), over real HTTP. Runs alternate; the sandbox is reset
//! to its seed before each.

mod reference_implementation;
mod scenario;
mod slow_systems;
mod this_implementation;

use std::time::Duration;

use anyhow::bail;
use clap::Args;
use serde_json::json;

use self::{
    scenario::Scenario,
    slow_systems::{Run, SlowSystems},
};

#[derive(Debug, Args)]
pub struct Options {
    /// Number of measurements of each side.
    #[arg(long, default_value_t = 5)]
    runs: usize,
}

/// Measures and prints.
pub async fn run(options: &Options) -> anyhow::Result<()> {
    if options.runs == 0 {
        bail!("at least one run");
    }
    let systems = SlowSystems::open().await?;
    let mut measured = Vec::new();
    for scenario in Scenario::ALL {
        let (mut ours, mut reference) = (Vec::new(), Vec::new());
        for number in 1..=options.runs {
            let mine = this_implementation::run(&systems, scenario).await?;
            let theirs = reference_implementation::run(&systems, scenario).await?;
            eprintln!(
                "{}, run {number} of {}: {} ms, in the reference's order {} ms",
                scenario.name(),
                options.runs,
                millis(mine.took),
                millis(theirs.took)
            );
            ours.push(mine);
            reference.push(theirs);
        }
        measured.push((scenario, ours, reference));
    }
    systems.close();
    for (scenario, ours, reference) in &measured {
        print(*scenario, ours, reference);
    }
    Ok(())
}

fn print(scenario: Scenario, ours: &[Run], reference: &[Run]) {
    let (a, b) = (median(ours), median(reference));
    let ratio = f64::from(u32::try_from(a).unwrap_or(u32::MAX))
        / f64::from(u32::try_from(b.max(1)).unwrap_or(u32::MAX));
    let ratio = (ratio * 1000.0).round() / 1000.0;
    println!(
        "{:<46}  ms (median)   calls   of them Salesforce",
        scenario.title()
    );
    for (name, ms, runs) in [
        ("this hotel", a, ours),
        ("the reference's order", b, reference),
    ] {
        println!(
            "{name:<46} {ms:>11} {:>7} {:>20}",
            max_of(runs, |r| r.calls.len()),
            max_of(runs, Run::salesforce)
        );
    }
    println!(
        "ratio {ratio:.3} (aim: at most {:.2})",
        scenario.target_ratio()
    );
    for (name, runs) in [("this hotel", ours), ("the reference's order", reference)] {
        if let Some(run) = runs.first() {
            println!("{name}: {}", run.calls.join(", "));
        }
    }
    // Not part of the answer: it is sent separately, and the reference's recipe has none.
    if let Some(run) = ours.first() {
        println!("afterwards: {}", run.afterwards.join(", "));
    }
    let line = json!({
        "bench": "upstream", "scenario": scenario.name(), "runs": ours.len(), "ms": a, "reference_ms": b, "ratio": ratio,
        "calls": max_of(ours, |r| r.calls.len()), "salesforce_calls": max_of(ours, Run::salesforce),
        "afterwards": max_of(ours, |r| r.afterwards.len()),
        "reference_calls": max_of(reference, |r| r.calls.len()), "reference_salesforce_calls": max_of(reference, Run::salesforce),
    });
    println!("{line}\n");
}

fn max_of(runs: &[Run], of: impl Fn(&Run) -> usize) -> usize {
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
