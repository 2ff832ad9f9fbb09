//! Table of counts.

use std::collections::BTreeSet;

use crate::{
    proxy::{LinkFault, System},
    test_run::{Plan, Report},
};

/// Prints the table, and every violation below it.
pub fn print(reports: &[Report]) {
    let line = |name: &str, value: &dyn Fn(&Report) -> String| {
        let cells: String = reports
            .iter()
            .map(|r| format!("{:>14}", value(r)))
            .collect();
        println!("{name:<44}{cells}");
    };
    let count = |name: &str, value: &dyn Fn(&Report) -> usize| {
        line(name, &|r| value(r).to_string());
    };
    line("", &|r| format!("{} x{}", r.plan.store, r.plan.instances));
    let names = reports.first().map(counts).unwrap_or_default();
    for (n, (name, _)) in names.iter().enumerate() {
        count(name, &|r| counts(r)[n].1);
    }
    line("seconds to rest", &|r| {
        format!("{:.1}", r.rest.as_secs_f64())
    });
    line("seconds", &|r| format!("{:.1}", r.took.as_secs_f64()));
    count("violations", &|r| r.violations.len());
    println!();
    for fault in LinkFault::ALL {
        for system in System::ALL {
            let struck = |r: &Report| r.link.get(&(system, fault)).copied().unwrap_or(0);
            line(&format!("{} ({system:?})", fault.name()), &|r| {
                struck(r).to_string()
            });
        }
    }
    println!();
    let kinds: BTreeSet<_> = reports.iter().flat_map(|r| r.tools.keys()).collect();
    for kind in kinds {
        let name = format!("{} {}", kind.0, kind.1);
        count(&name, &|r| r.tools.get(kind).copied().unwrap_or(0));
    }
    for report in reports {
        let Plan {
            store, instances, ..
        } = report.plan;
        for violation in &report.violations {
            println!("VIOLATION on {store} x{instances}: {violation}");
        }
    }
}

/// What was done and came of it, by name.
fn counts(r: &Report) -> Vec<(&'static str, usize)> {
    let state = |name: &str| r.states.get(name).copied().unwrap_or(0);
    let all = r.states.values().sum::<usize>();
    let ended = [
        "completed",
        "refused",
        "compensated",
        "needs_attention",
        "settled_by_hand",
    ];
    let [
        completed,
        refused,
        compensated,
        needs_attention,
        settled_by_hand,
    ] = ended.map(state);
    let deeds = &r.deeds;
    let done = |deeds: u32| usize::try_from(deeds).unwrap_or(usize::MAX);
    vec![
        ("kills (-9)", done(deeds.kills)),
        ("kills of the sandbox", done(deeds.sandbox_kills)),
        ("clock jumps forward", done(deeds.clocks_forward)),
        ("clock jumps back", done(deeds.clocks_back)),
        ("stops beyond the lease", done(deeds.stops)),
        ("database stopped at once", done(deeds.crashes)),
        ("faults ordered", done(deeds.faults)),
        ("  of them outages", done(deeds.outages)),
        ("requests under way at kills", done(r.hardships.0)),
        ("requests without an answer", done(r.hardships.1)),
        ("answers", r.answers),
        ("executions", all),
        ("  completed", completed),
        ("  refused", refused),
        ("  compensated", compensated),
        ("  needs_attention", needs_attention),
        ("  settled_by_hand", settled_by_hand),
        (
            "  not at rest",
            all - ended.map(state).iter().sum::<usize>(),
        ),
        ("taken over by another worker", r.taken_over),
        ("zombies refused by the fence", r.fenced),
        ("charges", r.charges),
        ("refunds", r.refunds),
        ("sweeps", r.sweeps),
        ("payments planted for them", r.planted.0),
        ("compensations they began", r.planted.1),
        ("texts", r.texts.0),
        ("texts still looked for", r.texts.1),
        ("calls outside", r.calls),
    ]
}
