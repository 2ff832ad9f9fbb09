//! Table of counts.

use std::{collections::BTreeSet, time::Duration};

use crate::{
    proxy::{LinkFault, System},
    test_run::Report,
};

/// Label of a line, and its value for a report.
type Line = (&'static str, Box<dyn Fn(&Report) -> String>);

/// Prints the table, and every violation below it.
pub fn print(reports: &[Report]) {
    let state =
        |name: &'static str| move |r: &Report| r.states.get(name).copied().unwrap_or(0).to_string();
    let rest = |r: &Report| {
        let named = [
            "completed",
            "refused",
            "compensated",
            "needs_attention",
            "settled_by_hand",
        ];
        r.states
            .iter()
            .filter(|(n, _)| !named.contains(n))
            .map(|(_, c)| c)
            .sum::<usize>()
            .to_string()
    };
    let lines: Vec<Line> = vec![
        ("kills (-9)", Box::new(|r| r.deeds.kills.to_string())),
        (
            "kills of the sandbox",
            Box::new(|r| r.deeds.sandbox_kills.to_string()),
        ),
        (
            "clock jumps forward",
            Box::new(|r| r.deeds.clocks_forward.to_string()),
        ),
        (
            "clock jumps back",
            Box::new(|r| r.deeds.clocks_back.to_string()),
        ),
        (
            "stops beyond the lease",
            Box::new(|r| r.deeds.stops.to_string()),
        ),
        (
            "database stopped at once",
            Box::new(|r| r.deeds.crashes.to_string()),
        ),
        ("faults ordered", Box::new(|r| r.deeds.faults.to_string())),
        (
            "  of them outages",
            Box::new(|r| r.deeds.outages.to_string()),
        ),
        (
            "requests under way at kills",
            Box::new(|r| r.hardships.0.to_string()),
        ),
        (
            "requests without an answer",
            Box::new(|r| r.hardships.1.to_string()),
        ),
        ("answers", Box::new(|r| r.answers.to_string())),
        (
            "executions",
            Box::new(|r| r.states.values().sum::<usize>().to_string()),
        ),
        ("  completed", Box::new(state("completed"))),
        ("  refused", Box::new(state("refused"))),
        ("  compensated", Box::new(state("compensated"))),
        ("  needs_attention", Box::new(state("needs_attention"))),
        ("  settled_by_hand", Box::new(state("settled_by_hand"))),
        ("  not at rest", Box::new(rest)),
        (
            "taken over by another worker",
            Box::new(|r| r.taken_over.to_string()),
        ),
        (
            "zombies refused by the fence",
            Box::new(|r| r.fenced.to_string()),
        ),
        ("charges", Box::new(|r| r.charges.to_string())),
        ("refunds", Box::new(|r| r.refunds.to_string())),
        ("sweeps", Box::new(|r| r.sweeps.to_string())),
        (
            "payments planted for them",
            Box::new(|r| r.planted.0.to_string()),
        ),
        (
            "compensations they began",
            Box::new(|r| r.planted.1.to_string()),
        ),
        ("texts", Box::new(|r| r.texts.0.to_string())),
        (
            "texts still looked for",
            Box::new(|r| r.texts.1.to_string()),
        ),
        ("calls outside", Box::new(|r| r.calls.to_string())),
        ("seconds to rest", Box::new(|r| seconds(r.rest))),
        ("seconds", Box::new(|r| seconds(r.took))),
        ("violations", Box::new(|r| r.violations.len().to_string())),
    ];
    let heads: Vec<String> = reports
        .iter()
        .map(|r| format!("{} x{}", r.plan.store, r.plan.instances))
        .collect();
    println!("{:<44}{}", "", row(&heads));
    for (name, of) in lines {
        println!(
            "{name:<44}{}",
            row(&reports.iter().map(of).collect::<Vec<_>>())
        );
    }
    println!();
    for fault in LinkFault::ALL {
        for system in System::ALL {
            let of = |r: &Report| {
                r.link
                    .get(&(system, fault))
                    .copied()
                    .unwrap_or(0)
                    .to_string()
            };
            let name = format!("{} ({system:?})", fault.name());
            println!(
                "{name:<44}{}",
                row(&reports.iter().map(of).collect::<Vec<_>>())
            );
        }
    }
    println!();
    let kinds: BTreeSet<_> = reports
        .iter()
        .flat_map(|r| r.tools.keys().cloned())
        .collect();
    for kind in kinds {
        let cells: Vec<_> = reports
            .iter()
            .map(|r| r.tools.get(&kind).copied().unwrap_or(0).to_string())
            .collect();
        println!("{:<44}{}", format!("{} {}", kind.0, kind.1), row(&cells));
    }
    for report in reports {
        for violation in &report.violations {
            println!(
                "VIOLATION on {} x{}: {violation}",
                report.plan.store, report.plan.instances
            );
        }
    }
}

fn row(cells: &[String]) -> String {
    cells.iter().map(|cell| format!("{cell:>14}")).collect()
}

fn seconds(took: Duration) -> String {
    format!("{:.1}", took.as_secs_f64())
}
