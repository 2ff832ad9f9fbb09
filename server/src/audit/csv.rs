//! Calls as a table for other programs.

use dewy_domain::ports::CallView;

const HEAD: [&str; 11] = [
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

/// RFC 4180, with a head. `cut` says in a last row that there are more.
#[must_use]
pub fn csv(calls: &[CallView], cut: bool) -> String {
    let mut text = line(HEAD.map(str::to_owned));
    let or_empty = |text: &Option<String>| text.clone().unwrap_or_default();
    for call in calls {
        text.push_str(&line([
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
        let mut last = HEAD.map(|_| String::new());
        last[HEAD.len() - 1] = "There are more calls than these: narrow the filters.".to_owned();
        text.push_str(&line(last));
    }
    text
}

fn line(cells: [String; HEAD.len()]) -> String {
    let cells = cells.map(|text| cell(&text));
    format!("{}\r\n", cells.join(","))
}

/// Text written by others must stay text in a spreadsheet: what would begin a formula there gets an apostrophe before it.
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\r', '\n', '\t', '\'', ';']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stay_text() {
        for (text, written) in [
            ("OK", "OK"),
            ("", ""),
            ("=1+1", "\"'=1+1\""),
            ("+49", "\"'+49\""),
            ("-1", "\"'-1\""),
            ("@SUM(A1)", "\"'@SUM(A1)\""),
            ("\tx", "\"'\tx\""),
            ("\r=1", "\"'\r=1\""),
            ("a,\"b\"", "\"a,\"\"b\"\"\""),
            ("staff:ann@dewy.example", "staff:ann@dewy.example"),
        ] {
            assert_eq!(cell(text), written, "{text:?}");
        }
    }

    #[test]
    fn a_cut_table_says_so() {
        let text = csv(&[], true);
        assert_eq!(text.lines().count(), 2);
        assert!(text.lines().all(|line| line.matches(',').count() == HEAD.len() - 1), "{text}");
        assert!(text.ends_with("narrow the filters.\r\n"));
        assert_eq!(csv(&[], false).lines().count(), 1);
    }
}
