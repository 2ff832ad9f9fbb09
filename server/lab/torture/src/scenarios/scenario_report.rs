//! Report of a scene, and the table of all reports.

use std::time::Duration;

#[derive(Clone, Debug)]
pub struct ScenarioReport {
    /// Failure that was caused.
    pub scene: &'static str,
    /// Store, and number of processes.
    pub store: &'static str,
    /// Damage that it caused.
    pub hurt: String,
    /// Time from its end until work continued by itself.
    pub recovery: Duration,
    pub violations: Vec<String>,
    /// Reason for skipping it, where it can't be played.
    pub skipped: Option<String>,
}

impl ScenarioReport {
    pub fn new(scene: &'static str, store: &'static str) -> Self {
        Self {
            scene,
            store,
            hurt: String::new(),
            recovery: Duration::ZERO,
            violations: Vec::new(),
            skipped: None,
        }
    }

    /// Records a violation.
    pub fn must(&mut self, holds: bool, otherwise: impl FnOnce() -> String) {
        if !holds {
            self.violations.push(otherwise());
        }
    }

    /// Records a recovery time; the slowest counts.
    pub fn recovered_in(&mut self, took: Duration) {
        self.recovery = self.recovery.max(took);
    }
}

/// Prints the reports as a table, and every violation below it.
pub fn print_scenarios(reports: &[ScenarioReport]) {
    let cells = |report: &ScenarioReport| {
        let (hurt, took) = match &report.skipped {
            Some(why) => (format!("not played: {why}"), "–".to_owned()),
            None => (
                report.hurt.clone(),
                format!("{:.1} s", report.recovery.as_secs_f64()),
            ),
        };
        [report.scene.to_owned(), report.store.to_owned(), hurt, took]
    };
    println!("| scene | store | what was hurt | time to recover |");
    println!("|---|---|---|---|");
    for report in reports {
        println!("| {} |", cells(report).join(" | "));
    }
    let violations: usize = reports.iter().map(|report| report.violations.len()).sum();
    println!("\nviolations: {violations}");
    for report in reports {
        for violation in &report.violations {
            println!(
                "VIOLATION: {} on {}: {violation}",
                report.scene, report.store
            );
        }
    }
}
