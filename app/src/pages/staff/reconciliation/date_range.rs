//! Days to reconcile: those in the URL, or the last week.

use jiff::{ToSpan, civil::Date};

const DEFAULT_DAYS: i32 = 7;
const MAX_DAYS: i32 = 62;

/// Invalid URL parameter, and how to correct it.
pub type Wrong = (&'static str, String);

/// Requested days, both included.
///
/// # Errors
/// The invalid field with a message.
pub fn payment_days(
    from: Option<&str>,
    to: Option<&str>,
    today: Date,
) -> Result<(Date, Date), Wrong> {
    let day = |name: &'static str, text: Option<&str>| match text {
        None => Ok(None),
        Some(text) => text
            .parse::<Date>()
            .map(Some)
            .map_err(|_| (name, "Enter a day such as 2026-11-20.".to_owned())),
    };
    let (from, to) = (day("from", from)?, day("to", to)?);
    let to = to.or_else(|| {
        from.and_then(|from| from.checked_add((DEFAULT_DAYS - 1).days()).ok())
            .map(|to| to.min(today))
    });
    let to = to.unwrap_or(today);
    let from = from
        .or_else(|| to.checked_sub((DEFAULT_DAYS - 1).days()).ok())
        .unwrap_or(to);
    if to < from {
        return Err(("to", "The last day is before the first.".to_owned()));
    }
    if from.until(to).is_ok_and(|span| span.get_days() >= MAX_DAYS) {
        return Err(("from", format!("Compare at most {MAX_DAYS} days at once.")));
    }
    Ok((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_ranges_are_ordered_and_limited() {
        let today: Date = "2026-11-20".parse().unwrap();
        let range = |from, to| {
            payment_days(from, to, today)
                .map(|(a, b)| format!("{a} {b}"))
                .map_err(|(field, _)| field)
        };
        assert_eq!(range(None, None).as_deref(), Ok("2026-11-14 2026-11-20"));
        assert_eq!(
            range(Some("2026-11-01"), None).as_deref(),
            Ok("2026-11-01 2026-11-07")
        );
        assert_eq!(
            range(Some("2026-11-19"), None).as_deref(),
            Ok("2026-11-19 2026-11-20")
        );
        assert_eq!(
            range(None, Some("2026-11-07")).as_deref(),
            Ok("2026-11-01 2026-11-07")
        );
        assert_eq!(range(Some("2026-11-07"), Some("2026-11-01")), Err("to"));
        assert_eq!(range(Some("soon"), None), Err("from"));
        assert_eq!(range(Some("2026-01-01"), Some("2026-11-01")), Err("from"));
    }
}
