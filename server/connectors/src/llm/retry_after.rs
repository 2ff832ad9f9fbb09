//! How long a server asks to be left alone.

use std::time::Duration;

use jiff::{Timestamp, fmt::rfc2822};
use reqwest::header::HeaderMap;

/// Longest wait that is believed: a server whose clock is wrong names a date years away.
const LONGEST: Duration = Duration::from_hours(24);

/// `retry-after-ms`, or `Retry-After` in seconds or as a date.
pub(super) fn of(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    told(headers, now).map(|wait| wait.min(LONGEST))
}

fn told(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let number = |name: &str| text(name).and_then(|text| text.trim().parse::<f64>().ok());
    if let Some(millis) = number("retry-after-ms") {
        return Duration::try_from_secs_f64(millis / 1000.0).ok();
    }
    if let Some(seconds) = number("retry-after") {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let at = rfc2822::parse(text("retry-after")?).ok()?.timestamp();
    Some(at.duration_since(now).try_into().unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        let now: Timestamp = "2026-11-26T12:00:00Z".parse().unwrap();
        for (name, value, seconds) in [
            ("retry-after", "60", Some(60.0)),
            ("retry-after", "0.5", Some(0.5)),
            ("retry-after-ms", "1500", Some(1.5)),
            ("retry-after", "Thu, 26 Nov 2026 12:01:00 GMT", Some(60.0)),
            ("retry-after", "Thu, 26 Nov 2026 11:00:00 GMT", Some(0.0)),
            (
                "retry-after",
                "Thu, 26 Nov 2099 12:00:00 GMT",
                Some(86_400.0),
            ),
            ("retry-after", "9999999999", Some(86_400.0)),
            ("retry-after", "-1", None),
            ("retry-after", "soon", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            assert_eq!(
                of(&headers, now),
                seconds.map(Duration::from_secs_f64),
                "{value}"
            );
        }
    }
}
