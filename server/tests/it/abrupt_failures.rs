//! Short kill run: real processes, SQLite, an unreliable network and a few kills. `cargo xtask
//! kill` is the long one.

use std::path::Path;

use dewy_torture::{Options, Stores};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_kills_lose_nothing() {
    let options = Options {
        rounds: 6,
        store: Stores::Sqlite,
        seed: 1,
        callers: 12,
        settle: 3,
        installations: 2,
        scenes: false,
    };
    let reports = dewy_torture::run(&options, Path::new(env!("CARGO_BIN_EXE_dewy")))
        .await
        .unwrap();
    dewy_torture::print(&reports);
    let [report] = reports.as_slice() else {
        panic!("one store, one report")
    };
    assert_eq!(report.deeds.kills, 6);
    assert_eq!(report.violations, Vec::<String>::new());
    // A run in which nothing was under way when it was killed would prove nothing.
    let ended = |tool: &str, state: &'static str| {
        let count = report.tools.get(&(tool.to_owned(), state));
        count.copied().unwrap_or(0)
    };
    let completed = |tool: &str| ended(tool, "completed");
    assert!(report.states.get("completed").copied().unwrap_or(0) > 0 && report.taken_over > 0);
    // Nor would one without check-ins, charges, check-outs, bookings, texts, refunds that staff
    // asked for, and sweeps. That every trouble came is a rule of the run itself.
    let tools = [
        "check_in_guest",
        "post_charge",
        "process_guest_checkout",
        "create_booking",
        "manage_bookings",
    ];
    for tool in tools.into_iter().chain(["send_text"]) {
        assert!(completed(tool) > 0, "{tool}");
    }
    // Of a few refunds, faults can leave each to a person
    let refund = "compensate_checkout_failure";
    assert!(completed(refund) + ended(refund, "needs_attention") > 0);
    let cases = [
        "submit_guest_service_request",
        "submit_maintenance_request",
        "manage_cases",
    ];
    assert!(cases.into_iter().map(completed).sum::<usize>() > 0);
    assert!(report.sweeps > 0 && report.planted.1 > 0);
}

/// SQLite failures under running processes: a damaged row, a full disk, clock jumps, five
/// concurrent starts, `kill -9`. The hotel recovers from each automatically.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn store_failures_are_recovered() {
    let program = Path::new(env!("CARGO_BIN_EXE_dewy"));
    let reports = dewy_torture::scenes(Stores::Sqlite, program).await.unwrap();
    dewy_torture::print_scenarios(&reports);
    assert_eq!(reports.len(), 5);
    for report in reports {
        assert_eq!(report.violations, [""; 0], "{}", report.scene);
    }
}
