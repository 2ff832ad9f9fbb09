//! Which tax a line of the bill is.

use dewy_domain::{stay::LineKind, tool_output::FolioLine};

/// The tax that a line is, of those that the hotel names: by its whole name, or by its name without
/// the rate, as in `VAT 7 %`. A name that could be several is none of them.
pub fn tax<'a>(line: &FolioLine, taxes: &'a [String]) -> Option<&'a String> {
    let words = line.description.as_deref().unwrap_or_default();
    let only = |form: fn(&str) -> String| {
        let wanted = form(words);
        let mut fitting = taxes
            .iter()
            .filter(|tax| !wanted.is_empty() && form(tax) == wanted);
        fitting.next().filter(|_| fitting.next().is_none())
    };
    let found = only(letters).or_else(|| only(without_rate));
    found.filter(|_| line.kind == LineKind::Charge)
}

/// The name in one spelling: `vat7%`.
fn letters(name: &str) -> String {
    let kept = name
        .chars()
        .filter(|c| c.is_alphanumeric() || "%.,".contains(*c));
    kept.flat_map(char::to_lowercase).collect()
}

/// The name without its rate: `vat`.
fn without_rate(name: &str) -> String {
    let kept = name.chars().filter(|c| c.is_alphabetic());
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(kind: &str, words: &str) -> FolioLine {
        serde_json::from_value(
            serde_json::json!({ "kind": kind, "number": "", "amount": 1, "status": "Pending",
            "description": words, "date": null }),
        )
        .unwrap()
    }

    #[test]
    fn a_charge_named_as_tax_is_listed_as_tax() {
        let taxes = ["Occupancy tax", "VAT"].map(str::to_owned);
        let named = |kind, words| tax(&line(kind, words), &taxes).map(String::as_str);
        assert_eq!(named("charge", " occupancy TAX"), Some("Occupancy tax"));
        for words in ["VAT", "VAT 7%", "VAT 7 %", "VAT (7.5 %)", "7 % VAT"] {
            assert_eq!(named("charge", words), Some("VAT"), "{words}");
        }
        for (kind, words) in [
            ("charge", "Tea"),
            ("charge", ""),
            ("charge", "7 %"),
            ("charge", "VAT refund form"),
            ("payment", "Occupancy tax"),
        ] {
            assert_eq!(named(kind, words), None, "{kind} {words}");
        }
    }

    #[test]
    fn rates_tell_taxes_of_one_name_apart() {
        let taxes = ["VAT 7%", "VAT 19 %"].map(str::to_owned);
        let named = |words| tax(&line("charge", words), &taxes).map(String::as_str);
        assert_eq!(named("VAT 7 %"), Some("VAT 7%"));
        assert_eq!(named("vat 19%"), Some("VAT 19 %"));
        assert_eq!(named("VAT"), None);
    }
}
