//! The kill run in its short form: real processes, SQLite, a handful of kills. The long one is `cargo xtask kill`.

use std::process::Command;

#[test]
fn killed_at_random_moments_nothing_is_lost() {
    let run = Command::new(env!("CARGO_BIN_EXE_kill_run"))
        .args(["--rounds", "6", "--store", "sqlite", "--settle", "3", "--callers", "12", "--seed", "1"])
        .output()
        .unwrap();
    let (table, course) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    println!("{table}");
    assert!(run.status.success(), "{table}\n{course}");
    let count = |name: &str| {
        let line = table
            .lines()
            .find(|line| line.trim_start().starts_with(name))
            .unwrap_or_else(|| panic!("{name} in {table}"));
        line.split_whitespace().last().unwrap().parse::<u32>().unwrap()
    };
    assert_eq!(count("kills"), 6);
    assert_eq!(count("violations"), 0);
    // A run in which nothing was under way when it was killed would prove nothing.
    assert!(count("completed") > 0 && count("taken over") > 0, "{table}");
    // Nor would one without check-ins, charges, check-outs, texts, refunds that staff asked for, and sweeps.
    for tool in ["check_in_guest", "post_charge", "process_guest_checkout", "compensate_checkout_failure", "send_text"]
    {
        assert!(count(&format!("{tool} completed")) > 0, "{tool} in {table}");
    }
    assert!(count("sweeps") > 0 && count("compensations they began") > 0, "{table}");
}
