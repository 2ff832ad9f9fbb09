//! List as a table. Amounts appear twice: in cents for programs, and formatted for people.

use dewy_domain::{
    locale::Locale,
    money::{Cents, Currency, Money},
};

use crate::ports::csv::row;

/// Column: its name, and its value in a row.
#[derive(Debug)]
pub enum Column<T> {
    /// Text; empty if there is none.
    Text(&'static str, fn(&T) -> Option<String>),
    /// Amount; empty, and not zero, if there is none.
    Money(&'static str, fn(&T) -> Option<(Cents, Currency)>),
}

impl<T> Column<T> {
    fn head(&self) -> Vec<String> {
        match self {
            Self::Text(name, _) => vec![(*name).to_owned()],
            Self::Money(name, _) => vec![(*name).to_owned(), format!("{name}_text")],
        }
    }

    fn cells(&self, item: &T) -> Vec<String> {
        match self {
            Self::Text(_, text) => vec![text(item).unwrap_or_default()],
            Self::Money(_, amount) => match amount(item) {
                None => vec![String::new(); 2],
                Some((cents, currency)) => {
                    let sum = Locale::default().money(Money { cents, currency });
                    vec![cents.0.to_string(), sum]
                }
            },
        }
    }
}

/// Table with a header row, and a last row that says when there are more.
pub fn table<T>(columns: &[Column<T>], items: &[T], cut: bool) -> String {
    let mut head: Vec<String> = columns.iter().flat_map(Column::head).collect();
    head.push("note".to_owned());
    let mut text = row(&head);
    for item in items {
        let mut cells: Vec<String> = columns.iter().flat_map(|it| it.cells(item)).collect();
        cells.push(String::new());
        text.push_str(&row(&cells));
    }
    if cut {
        let mut last = vec![String::new(); head.len() - 1];
        last.push("More results match: narrow the filters.".to_owned());
        text.push_str(&row(&last));
    }
    text
}

#[cfg(test)]
mod tests {
    use dewy_domain::{execution_view::CompensationItem, tool_output::GuestListItem};
    use serde_json::json;

    use super::{
        super::lists::{COMPENSATIONS, GUESTS},
        *,
    };

    #[test]
    fn lists_become_tables_and_truncated_ones_are_marked() {
        let item: CompensationItem = serde_json::from_value(json!({
            "payment_intent_id": "pi_1", "execution_id": "exe_1", "status": "compensated", "captured": 25000, "refunded": 0,
            "currency": "usd", "guest_email": "=cmd@example.com", "triggers": [], "cause": "saga",
            "updated_at": "2026-11-20T12:00:00Z"
        }))
        .unwrap();
        let text = table(COMPENSATIONS, &[item], true);
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
        let stay = |number: &str, room: &str| {
            json!({ "booking_number": number, "room_number": room, "booking_status": "Reserved",
            "check_in_date": "2026-11-20", "check_out_date": "2026-11-22" })
        };
        let guests: Vec<GuestListItem> = serde_json::from_value(json!([
            { "guest_email": "wei@example.com", "first_name": "", "last_name": "", "phone": "+1 555 010",
              "stays": [stay("BK-0001", "101"), stay("BK-0002", "102")] },
            { "first_name": "@SUM(A1)", "last_name": "", "stays": [] },
        ]))
        .unwrap();
        let text = table(GUESTS, &guests, false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert_eq!(
            lines[1],
            "wei@example.com,,,\"'+1 555 010\",,\"BK-0001 101 Reserved; BK-0002 102 Reserved\","
        );
        assert_eq!(lines[2], ",\"'@SUM(A1)\",,,,,");
    }
}
