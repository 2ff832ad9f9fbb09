//! CSV export (RFC 4180).

use dewy_domain::blank_text::is_invisible;

/// First characters of formulas: `=`, `+`, `-`, `@`, and their full-width, small, raised and lowered
/// forms.
const SIGNS: [char; 19] = [
    '=', '＝', '﹦', '⁼', '₌', '+', '＋', '﹢', '⁺', '₊', '-', '－', '﹣', '⁻', '₋', '−', '@',
    '＠', '﹫',
];

pub(crate) fn row<T: AsRef<str>>(cells: &[T]) -> String {
    let cells: Vec<String> = cells.iter().map(|text| cell(text.as_ref())).collect();
    format!("{}\r\n", cells.join(","))
}

/// Whether a spreadsheet may read the text as a formula: it begins with one of its signs, perhaps
/// full-width, small or raised, or behind what cannot be seen.
fn is_formula(text: &str) -> bool {
    let shown = text.trim_start_matches(|c: char| c == ' ' || (is_invisible(c) && !c.is_control()));
    shown.starts_with(['\t', '\r', '\n']) || shown.starts_with(SIGNS)
}

/// Escapes text written by others so that it stays text in a spreadsheet: an apostrophe goes before
/// anything that would start a formula.
fn cell(text: &str) -> String {
    let text = if is_formula(text) {
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
            ("＝1+1", "\"'＝1+1\""),
            ("＋49", "\"'＋49\""),
            ("－1", "\"'－1\""),
            ("−1", "\"'−1\""),
            ("＠SUM(A1)", "\"'＠SUM(A1)\""),
            ("﹦1", "\"'﹦1\""),
            (" \u{feff}=1", "\"' \u{feff}=1\""),
            ("\u{3000}＝1", "\"'\u{3000}＝1\""),
            ("a,\"b\"", "\"a,\"\"b\"\"\""),
            ("staff:ann@dewy.example", "staff:ann@dewy.example"),
        ] {
            assert_eq!(cell(text), written, "{text:?}");
        }
    }
}
