//! The only place where a value becomes SOQL. REST has no bind variables, so escaping here is the
//! only defense against injection.

use std::fmt::Write as _;

use dewy_domain::guest_identity::GuestIdentity;

/// Quoted text literal. Escapes exactly what SOQL supports; any other backslash would be an error
/// there. Salesforce documents `\b` as a bell and `\f`, which its own grammar refuses, so other control
/// characters and line separators are written as `\uXXXX`.
#[must_use]
pub fn text(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 2);
    out.push('\'');
    for character in value.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\'' => out.push_str("\\'"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            other if other.is_control() || matches!(other, '\u{2028}' | '\u{2029}') => {
                // Writing to a String never fails
                let _ = write!(out, "\\u{:04x}", u32::from(other));
            }
            other => out.push(other),
        }
    }
    out.push('\'');
    out
}

/// `IN ('…', '…')`.
#[must_use]
pub fn in_list(values: &[impl AsRef<str>]) -> String {
    let values: Vec<String> = values.iter().map(|value| text(value.as_ref())).collect();
    format!("IN ({})", values.join(", "))
}

/// `… IN ('…', '…')`.
#[must_use]
pub fn among(field: &str, values: &[impl AsRef<str>]) -> String {
    format!("{field} {}", in_list(values))
}

/// ` WHERE … AND …`; nothing without conditions.
#[must_use]
pub fn all_of(conditions: &[String]) -> String {
    match conditions {
        [] => String::new(),
        some => format!(" WHERE {}", some.join(" AND ")),
    }
}

/// Condition for a guest's records: those of the email, and of their own contacts if others have it.
#[must_use]
pub fn of_guest(guest: &GuestIdentity, email: &str, contact: &str) -> String {
    let of_email = format!("{email} = {}", text(guest.email()));
    match guest.contacts() {
        [] => of_email,
        own => format!("{of_email} AND {}", among(contact, own)),
    }
}

/// `= '…'`, or `= null`: in SOQL the empty text would match null as well.
#[must_use]
pub fn equals(value: Option<&str>) -> String {
    value.map_or_else(|| "= null".to_owned(), |v| format!("= {}", text(v)))
}

/// 15 or 18 letters and digits: the only shape of a record id.
#[must_use]
pub fn is_id(text: &str) -> bool {
    matches!(text.len(), 15 | 18) && text.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Pattern that finds the text anywhere: `%` and `_` in it are letters, not wildcards.
#[must_use]
pub fn contains(value: &str) -> String {
    like("%", value, "%")
}

/// Pattern that finds the letters anywhere, with any character at the `open` positions.
pub fn contains_with_wildcards(letters: &[char], open: impl Fn(usize) -> bool) -> String {
    let inner: String = letters
        .iter()
        .enumerate()
        .map(|(at, letter)| {
            if open(at) {
                "_".to_owned()
            } else {
                inside(&like("", &letter.to_string(), ""))
            }
        })
        .collect();
    format!("'%{inner}%'")
}

/// Literal without its quotes.
fn inside(literal: &str) -> String {
    literal
        .get(1..literal.len().saturating_sub(1))
        .unwrap_or_default()
        .to_owned()
}

/// Pattern that finds the text at the beginning.
#[must_use]
pub fn starts_with(value: &str) -> String {
    like("", value, "%")
}

/// Pattern that finds the text at the end.
#[must_use]
pub fn ends_with(value: &str) -> String {
    like("%", value, "")
}

fn like(before: &str, value: &str, after: &str) -> String {
    let inner = inside(&text(value));
    // The literal's own backslashes are doubled already, so these two belong to the pattern.
    format!(
        "'{before}{}{after}'",
        inner.replace('%', "\\%").replace('_', "\\_")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn string_literals_cannot_be_escaped_from() {
        assert_eq!(
            text("nora.o'brien@example.com"),
            r"'nora.o\'brien@example.com'"
        );
        assert_eq!(text("\\' OR Name != '"), r"'\\\' OR Name != \''");
        assert_eq!(
            text("a\nb\r\t\u{8}\u{c}\u{2028}é"),
            r"'a\nb\r\t\u0008\u000c\u2028é'"
        );
        assert_eq!(equals(None), "= null");
        assert_eq!(contains("100%_o'b"), r"'%100\%\_o\'b%'");
        assert_eq!(ends_with("0001"), "'%0001'");
    }

    #[test]
    fn ids_are_validated() {
        assert!(is_id("006000000000001") && is_id("006000000000001AAA"));
        for bad in [
            "",
            "0060000000000",
            "006000000000001AA'",
            "006000000000001 AA",
            "００６",
        ] {
            assert!(!is_id(bad), "{bad}");
        }
    }
}
