//! CSV export of calls.

use dewy_domain::ports::CallView;

use crate::ports::csv::row;

const COLUMNS: [&str; 11] = [
    "at",
    "caller",
    "interface",
    "credential",
    "request_id",
    "on_behalf_of",
    "tool",
    "status",
    "outcome",
    "execution_id",
    "note",
];

/// CSV (RFC 4180) with a header row. `cut` adds a last row saying that there are more.
#[must_use]
pub fn csv(calls: &[CallView], cut: bool) -> String {
    let mut text = row(&COLUMNS);
    let or_empty = |text: &Option<String>| text.clone().unwrap_or_default();
    for call in calls {
        text.push_str(&row(&[
            call.at.to_string(),
            call.caller.clone(),
            call.interface.clone(),
            or_empty(&call.credential),
            or_empty(&call.request_id),
            or_empty(&call.on_behalf_of),
            call.tool.clone(),
            call.status.to_string(),
            call.outcome.clone(),
            or_empty(&call.execution_id),
            String::new(),
        ]));
    }
    if cut {
        let mut last = COLUMNS.map(|_| String::new());
        last[COLUMNS.len() - 1] = "More calls match: narrow the filters.".to_owned();
        text.push_str(&row(&last));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_truncated_table_is_marked() {
        let text = csv(&[], true);
        assert_eq!(text.lines().count(), 2);
        assert!(
            text.lines()
                .all(|line| line.matches(',').count() == COLUMNS.len() - 1),
            "{text}"
        );
        assert!(text.ends_with("narrow the filters.\r\n"));
        assert_eq!(csv(&[], false).lines().count(), 1);
    }
}
