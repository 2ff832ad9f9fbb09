//! When a woken execution is due.

use std::time::Duration;

/// The time at which an execution that is woken now is due: `pause` after its last append, which
/// another clock may have timed, so at the latest `pause` from now.
pub(crate) fn woken_at(last_append: i64, pause: Duration, now: i64) -> i64 {
    let pause = i64::try_from(pause.as_micros()).unwrap_or(i64::MAX / 4);
    now.max(last_append.min(now).saturating_add(pause))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_due_a_pause_after_the_last_append_and_never_before_now() {
        let due = |last| woken_at(last, Duration::from_micros(5), 100);
        assert_eq!((due(10), due(98), due(100)), (100, 103, 105));
        assert_eq!(due(9000), 105, "a clock that is ahead stalls nothing");
    }
}
