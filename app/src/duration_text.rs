//! Short durations, on both sides: the server renders the first text, and the browser updates it.

/// `12 s`, `5 min`, `3 h`, `2 d`; never negative.
pub fn short(seconds: i64) -> String {
    match seconds.max(0) {
        s @ 0..60 => format!("{s} s"),
        s @ 60..3600 => format!("{} min", s / 60),
        s @ 3600..86_400 => format!("{} h", s / 3600),
        s => format!("{} d", s / 86_400),
    }
}

/// `9 min 05 s` for short countdowns; hours and days as in [`short`].
pub fn exact(seconds: i64) -> String {
    match seconds.max(0) {
        s @ 60..3600 => format!("{} min {:02} s", s / 60, s % 60),
        s => short(s),
    }
}

/// `0.84 s`, `5.0 s`, `22 s`; longer ones as in [`exact`].
pub fn precise(milliseconds: i64) -> String {
    match milliseconds.max(0) {
        ms @ 0..1_000 => format!("0.{:02} s", ms / 10),
        ms @ 1_000..10_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        ms => exact(ms / 1_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_short() {
        for (seconds, text) in [
            (-1, "0 s"),
            (12, "12 s"),
            (300, "5 min"),
            (10_800, "3 h"),
            (86_399, "23 h"),
            (172_800, "2 d"),
        ] {
            assert_eq!(short(seconds), text);
        }
        for (milliseconds, text) in [
            (-5, "0.00 s"),
            (842, "0.84 s"),
            (5_010, "5.0 s"),
            (22_900, "22 s"),
            (300_000, "5 min 00 s"),
        ] {
            assert_eq!(precise(milliseconds), text);
        }
        assert_eq!(exact(545), "9 min 05 s");
        assert_eq!(exact(59), "59 s");
    }
}
