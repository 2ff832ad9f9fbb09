//! Progress: what is being done, and how long it took.

use std::time::Instant;

/// One line to whoever waits. On stderr, so that what a command prints stays its own.
pub fn line(text: &str) {
    eprintln!("{text}");
}

/// Does something with its name before and its time after it.
pub fn step<T>(what: &str, work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    line(&format!("● {what} …"));
    let begun = Instant::now();
    let done = work();
    let sign = if done.is_ok() { "✓" } else { "✗" };
    line(&format!(
        "{sign} {what} ({:.1} s)",
        begun.elapsed().as_secs_f32()
    ));
    done
}
