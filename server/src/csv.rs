//! CSV export (RFC 4180).

/// Row of cells.
pub(crate) fn row<T: AsRef<str>>(cells: &[T]) -> String {
    let cells: Vec<String> = cells.iter().map(|text| cell(text.as_ref())).collect();
    format!("{}\r\n", cells.join(","))
}

/// Escapes text written by others so that it stays text in a spreadsheet: an apostrophe goes before
/// anything that would start a formula.
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let text = if formula {
        format!("'{text}")
    } else {
        text.to_owned()
    };
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
    fn csv_cells_are_never_formulas() {
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
}
