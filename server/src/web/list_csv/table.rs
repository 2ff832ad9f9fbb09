//! List as a table. Amounts appear twice: in cents for programs, and formatted for people.

use dewy_domain::money::{Cents, Currency, Money};
use serde_json::Value;

use super::lists::List;
use crate::csv::row;

/// Table with a header row, and a last row that says when there are more.
pub fn table(list: List, data: &Value) -> String {
    let is_money = |column: &str| list.money.contains(&column);
    let mut head: Vec<String> = Vec::new();
    for column in list.columns {
        head.push((*column).to_owned());
        if is_money(column) {
            head.push(format!("{column}_text"));
        }
    }
    head.push("note".to_owned());
    let mut text = row(&head);
    for item in data[list.name].as_array().into_iter().flatten() {
        let mut cells = Vec::with_capacity(head.len());
        for column in list.columns {
            cells.push(cell(&item[*column]));
            if is_money(column) {
                cells.push(written(&item[*column], &item["currency"]));
            }
        }
        cells.push(String::new());
        text.push_str(&row(&cells));
    }
    if data["cut"] == true {
        let mut last = vec![String::new(); head.len() - 1];
        last.push("More results match: narrow the filters.".to_owned());
        text.push_str(&row(&last));
    }
    text
}

/// A stay in a cell: number, room and status.
fn cell(value: &Value) -> String {
    let part = |name: &str, value: &Value| value[name].as_str().unwrap_or_default().to_owned();
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(several) => several.iter().map(cell).collect::<Vec<_>>().join("; "),
        Value::Object(_) => ["booking_number", "room_number", "booking_status"]
            .map(|name| part(name, value))
            .join(" "),
        other => other.to_string(),
    }
}

fn written(cents: &Value, currency: &Value) -> String {
    let currency: Option<Currency> = currency.as_str().and_then(|code| code.parse().ok());
    match (cents.as_i64(), currency) {
        (Some(cents), Some(currency)) => Money {
            cents: Cents(cents),
            currency,
        }
        .to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{
        super::lists::{COMPENSATIONS, GUESTS},
        *,
    };

    #[test]
    fn lists_become_tables_and_truncated_ones_are_marked() {
        let data = json!({ "cut": true, "compensations": [{ "payment_intent_id": "pi_1", "captured": 25000, "refunded": 0,
            "currency": "usd", "guest_email": "=cmd@example.com" }] });
        let text = table(COMPENSATIONS, &data);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert!(lines[0].contains("captured,captured_text,refunded,refunded_text,currency"));
        assert!(
            lines[1].contains("25000,$250.00,0,$0.00,usd")
                && lines[1].contains("\"'=cmd@example.com\""),
            "{text}"
        );
        assert!(lines[2].ends_with("narrow the filters."));
        let columns = |line: &str| line.matches(',').count();
        assert!(
            lines.iter().all(|line| columns(line) == columns(lines[0])),
            "{text}"
        );
    }

    #[test]
    fn a_guest_is_one_row() {
        let stay = |number: &str, room: &str| json!({ "booking_number": number, "room_number": room, "booking_status": "Reserved" });
        let data = json!({ "cut": false, "guests": [
            { "guest_email": "wei@example.com", "phone": "+1 555 010", "stays": [stay("BK-0001", "101"), stay("BK-0002", "102")] },
            { "guest_email": null, "first_name": "@SUM(A1)", "stays": [] },
        ] });
        let text = table(GUESTS, &data);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert_eq!(
            lines[1],
            "wei@example.com,,,\"'+1 555 010\",,\"BK-0001 101 Reserved; BK-0002 102 Reserved\","
        );
        assert_eq!(lines[2], ",\"'@SUM(A1)\",,,,,");
    }
}
