//! Check that an ideal agent says only amounts that it was told: what its answers need must be in
//! the prompt, in the person's words, or in the results of tools.

/// Amounts in a text, such as `$1,250.00`, that a request doesn't contain, in cents or as text.
pub fn unknown_amounts(text: &str, request: &str) -> Vec<String> {
    let amounts = text.split('$').skip(1).map(|behind| {
        let end = behind.find(|c: char| !(c.is_ascii_digit() || c == ',' || c == '.'));
        let amount = behind
            .get(..end.unwrap_or(behind.len()))
            .unwrap_or_default();
        amount.trim_end_matches(['.', ','])
    });
    amounts
        .filter(|amount| !known(amount, request))
        .map(|amount| format!("${amount}"))
        .collect()
}

fn known(amount: &str, request: &str) -> bool {
    let plain = amount.replace(',', "");
    let (dollars, cents) = plain.split_once('.').unwrap_or((&plain, "00"));
    let in_cents = format!("{dollars}{cents}");
    let in_cents = in_cents.trim_start_matches('0');
    request.contains(&format!("${amount}"))
        || request
            .split(|c: char| !c.is_ascii_digit())
            .any(|number| number == in_cents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_must_have_been_shown_before() {
        let request = r#"{"balance":25000,"text":"$1,399.96"}"#;
        assert!(unknown_amounts("You owe $250.00, or $1,399.96.", request).is_empty());
        assert_eq!(unknown_amounts("That is $25.00.", request), ["$25.00"]);
    }
}
