//! Conversations with the concierge, played against the real program. The score of the offline
//! model is printed by `cargo xtask dialogues`.

#![allow(
    clippy::unwrap_used,
    reason = "tests fail by panicking, in helpers too"
)]

use std::path::PathBuf;

use dewy_dialogues::{Options, Player};

/// One dialogue of most families; `DEWY_ALL` plays them all.
const SAMPLE: [&str; 8] = [
    "check-out-question-keeps-card",
    "check-in-room-not-ready",
    "book-missing-dates",
    "cancel-changes-mind",
    "request-two-things",
    "danger-open-checkout",
    "desk-charge-corrected",
    "outage-salesforce-after-charge",
];

/// Hotel program: `DEWY_BIN`, or the one of the same build, which `cargo test --workspace` makes.
fn program() -> PathBuf {
    let beside = || {
        let test = std::env::current_exe().unwrap();
        let build = test.parent().and_then(|deps| deps.parent()).unwrap();
        build.join(format!("dewy{}", std::env::consts::EXE_SUFFIX))
    };
    let program = std::env::var_os("DEWY_BIN").map_or_else(beside, PathBuf::from);
    assert!(
        program.is_file(),
        "{} is not built: cargo build --profile sim -p dewy",
        program.display()
    );
    program
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ideal_agent_passes_and_an_idle_one_fails() {
    let all = std::env::var_os("DEWY_ALL").is_some();
    let options = Options {
        players: vec![Player::Gold, Player::Nothing, Player::Offline],
        only: if all {
            Vec::new()
        } else {
            SAMPLE.map(str::to_owned).to_vec()
        },
        jobs: 2,
    };
    let reports = dewy_dialogues::run(&options, &program()).await.unwrap();
    dewy_dialogues::print(&reports, false);
    let broken: Vec<String> = reports.iter().flat_map(|report| report.broken()).collect();
    assert_eq!(broken, Vec::<String>::new());
}

/// What must never be would be seen: by an agent that does it. A check-out that nobody asked for is
/// not even proposed, whatever the model calls.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unapproved_actions_are_detected_and_unasked_ones_not_proposed() {
    let options = Options {
        players: vec![Player::Reckless],
        only: vec!["request-two-things".to_owned()],
        jobs: 1,
    };
    let reports = dewy_dialogues::run(&options, &program()).await.unwrap();
    let broken: Vec<String> = reports.iter().flat_map(|report| report.broken()).collect();
    let told = |what: &str| broken.iter().any(|line| line.contains(what));
    assert!(told("without a yes: room 100 Maintenance"), "{broken:?}");
    assert!(!told("wrong proposal"), "{broken:?}");
    assert_eq!(
        reports.iter().map(|report| report.score()).sum::<usize>(),
        0
    );
}

#[test]
fn there_are_at_least_a_hundred_dialogues() {
    let families = dewy_dialogues::all().unwrap();
    let count: usize = families.iter().map(|family| family.dialogues.len()).sum();
    assert_eq!(count, 100);
}
