//! States, amounts and moments as people read them; the same on the server and in the browser.

use dewy_domain::money::{Cents, Currency, Money};
use jiff::Timestamp;

/// The execution's state in one or two words, for staff.
pub fn state(state: &str) -> &'static str {
    match state {
        "queued" => "In line",
        "running" => "Running",
        "retrying" => "Retrying",
        "waiting" => "Waiting",
        "compensating" => "Undoing",
        "completed" => "Done",
        "refused" => "Refused",
        "compensated" => "Undone",
        "needs_attention" => "Needs attention",
        _ => "Unknown",
    }
}

/// The same for a guest, who does not know our words.
pub fn state_for_guest(name: &str) -> &'static str {
    match name {
        "retrying" => "Trying again",
        "waiting" => "Waiting for you",
        "compensating" => "Putting it right",
        "refused" => "Not done",
        "compensated" => "Refunded",
        "needs_attention" => "With our front desk",
        other => state(other),
    }
}

/// A step's state.
pub fn step_state(state: &str) -> &'static str {
    match state {
        "pending" => "To come",
        "running" => "Running",
        "retrying" => "Trying again",
        "waiting" => "Waiting",
        "done" => "Done",
        "refused" => "Refused",
        "unknown" => "No answer",
        "skipped" => "Left out",
        _ => "Unknown",
    }
}

/// Why an execution needs a person.
pub fn reason(reason: &str) -> &str {
    match reason {
        "REVERT_FAILED" => "The payment was refunded, but what had moved could not be put back",
        "FOREIGN_EDIT" => "Somebody else had changed a record, so it was left as found",
        "REFUND_REFUSED" => "Stripe refused the refund",
        "REFUND_FAILED_LATER" => "The refund was accepted and failed later",
        "UNKNOWN_OUTCOME" => "It could not be found out what became of a request",
        "OPEN_BALANCE" => "A charge was posted while the payment ran and is still open",
        other => other,
    }
}

/// `$250.00`.
pub fn money(cents: Cents, currency: Currency) -> String {
    Money { cents, currency }.to_string()
}

/// `14:03:22 UTC`.
pub fn clock_time(at: Timestamp) -> String {
    // Cut out of the ISO text: a formatter would be a tenth of the browser's bundle
    let iso = at.to_string();
    format!("{} UTC", iso.get(11..19).unwrap_or(&iso))
}

/// `20 Nov 2026, 14:03 UTC`.
pub fn moment(at: Timestamp) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let iso = at.to_string();
    let part = |range: std::ops::Range<usize>| iso.get(range).unwrap_or_default();
    let month = part(5..7).parse::<usize>().ok().and_then(|n| MONTHS.get(n.wrapping_sub(1))).unwrap_or(&"");
    format!("{} {month} {}, {} UTC", part(8..10).trim_start_matches('0'), part(0..4), part(11..16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_words() {
        for name in [
            "queued",
            "running",
            "retrying",
            "waiting",
            "compensating",
            "completed",
            "refused",
            "compensated",
            "needs_attention",
        ] {
            assert_ne!(state(name), "Unknown", "{name}");
            assert_ne!(state_for_guest(name), "Unknown", "{name}");
        }
    }

    #[test]
    fn moments_name_their_zone() {
        let at: Timestamp = "2026-11-20T14:03:22.5Z".parse().unwrap();
        assert_eq!(clock_time(at), "14:03:22 UTC");
        assert_eq!(moment(at), "20 Nov 2026, 14:03 UTC");
    }
}
