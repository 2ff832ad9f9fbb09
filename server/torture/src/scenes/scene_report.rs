//! What came of a scene, and the table of all.

use std::time::Duration;

/// What came of one scene.
#[derive(Clone, Debug)]
pub struct SceneReport {
    /// What happened to the hotel.
    pub scene: &'static str,
    /// On which store, and with how many processes.
    pub store: &'static str,
    /// What was hurt by it.
    pub hurt: String,
    /// From its end until work went on by itself.
    pub recovery: Duration,
    /// What did not hold.
    pub violations: Vec<String>,
    /// Why it was not played, where it cannot be.
    pub skipped: Option<String>,
}

impl SceneReport {
    /// One of a scene that begins.
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

    /// Notes what did not hold.
    pub fn must(&mut self, holds: bool, otherwise: impl FnOnce() -> String) {
        if !holds {
            self.violations.push(otherwise());
        }
    }

    /// The slowest of several recoveries counts.
    pub fn recovered_in(&mut self, took: Duration) {
        self.recovery = self.recovery.max(took);
    }
}

/// Prints them as a table, and every violation below it.
pub fn print_scenes(reports: &[SceneReport]) {
    let cells = |report: &SceneReport| {
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
