//! Progress output: the current step, and its duration.

use std::time::Instant;

/// Prints a line to stderr, so that stdout belongs to the command.
pub fn line(text: &str) {
    eprintln!("{text}");
}

/// Runs a step, and prints its name before and its duration after.
pub fn step<T>(what: &str, work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    line(&format!("● {what} …"));
    let started = Instant::now();
    let done = work();
    let sign = if done.is_ok() { "✓" } else { "✗" };
    line(&format!(
        "{sign} {what} ({:.1} s)",
        started.elapsed().as_secs_f32()
    ));
    done
}
