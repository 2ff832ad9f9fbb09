//! `If-Unmodified-Since`: the only precondition for rows of custom objects.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::error::{ApiError, ApiResult};

/// Fails when the record was written after the second in the header.
///
/// Weak by nature: a concurrent write within that same second passes.
///
/// # Errors
/// 412; 400 for anything but an HTTP date.
pub fn unmodified_since(header: Option<&str>, modified: Timestamp) -> ApiResult<()> {
    let Some(text) = header else { return Ok(()) };
    let since = read_http_date(text).ok_or_else(|| {
        ApiError::bad(
            "INVALID_HEADER",
            format!("Invalid value for If-Unmodified-Since: {text}. It must be an HTTP date"),
        )
    })?;
    if modified.as_second() > since.as_second() {
        let message = "The record was modified after the time given in If-Unmodified-Since";
        return Err(ApiError {
            status: 412,
            ..ApiError::bad("PRECONDITION_FAILED", message)
        });
    }
    Ok(())
}

/// Parses exactly the format `Tue, 10 Mar 2026 12:00:00 GMT`.
fn read_http_date(text: &str) -> Option<Timestamp> {
    let date = jiff::civil::DateTime::strptime("%a, %d %b %Y %H:%M:%S GMT", text).ok()?;
    Some(date.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_compared_in_whole_seconds() {
        let modified: Timestamp = "2026-03-10T12:00:00.900Z".parse().unwrap();
        let answer = |text| unmodified_since(Some(text), modified).map_err(|e| e.status);
        assert_eq!(answer("Tue, 10 Mar 2026 12:00:00 GMT"), Ok(()));
        assert_eq!(answer("Tue, 10 Mar 2026 11:59:59 GMT"), Err(412));
        for wrong in [
            "2026-03-10T12:00:00Z",
            "Tue, 10 Mar 2026 12:00:00 +00:00",
            "",
            "Wed, 10 Mar 2026 12:00:00 GMT",
        ] {
            assert_eq!(answer(wrong), Err(400), "{wrong}");
        }
        assert_eq!(unmodified_since(None, modified), Ok(()));
    }
}
