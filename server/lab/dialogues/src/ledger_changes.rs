//! Changes of the sandbox's ledgers, one line each:
//!
//! ```text
//! booking BK-0042 status Checked Out        room 302 Cleaning         paid beth@example.com 250.00
//! booking BK-0042 departs 2026-11-25        total BK-0042 375.00      refunded beth@example.com 250.00
//! new booking sarah@example.com 205 2026-11-23 2026-11-26 2           new guest ada@example.com
//! new case Housekeeping Medium 302 Two towels                         case 00001001 status Closed
//! new charge BK-0027 12.50 Minibar          charge PT-00017 Cancelled
//! hand-over                                 emergency Urgent
//! ```
//! What always goes together, such as an opportunity's stage, is left out.

use std::collections::BTreeMap;

use dewy_test_kit::{Payment, invariants::without_journal, list};
use serde_json::Value;

/// Beginning of the description of a case that a hand-over opens.
const HAND_OVER: &str = "Asked for a person in the chat";
/// Beginning of the description of a case that an emergency opens.
const EMERGENCY: &str = "EMERGENCY";

/// Fields of a booking, and their words.
const BOOKING: [(&str, &str); 6] = [
    ("Status__c", "status"),
    ("Check_In_Date__c", "arrives"),
    ("Check_Out_Date__c", "departs"),
    ("Number_of_Guests__c", "guests"),
    ("Special_Requests__c", "requests"),
    ("Room__c", "room"),
];
/// Fields of a case, and their words.
const CASE: [(&str, &str); 5] = [
    ("Status", "status"),
    ("Priority", "priority"),
    ("Type", "type"),
    ("Subject", "subject"),
    ("Description", "description"),
];

/// State of the ledgers.
#[derive(Debug)]
pub struct Ledger(pub dewy_test_kit::OutsideRecords);

impl Ledger {
    /// Invariants that it breaks.
    pub fn violations(&self) -> Vec<String> {
        without_journal::ledger_violations(&self.0)
    }

    /// Lines for everything that is different in a later state.
    pub fn changes(&self, later: &Self) -> Vec<String> {
        let mut lines = Vec::new();
        for (before, after) in self.pairs(later, "Booking__c") {
            later.booking(before, after, &mut lines);
        }
        for (before, after) in self.pairs(later, "Hotel_Room__c") {
            if let Some(before) = before
                && before["Status__c"] != after["Status__c"]
            {
                lines.push(format!(
                    "room {} {}",
                    text(&after["Room_Number__c"]),
                    text(&after["Status__c"])
                ));
            }
        }
        for (before, after) in self.pairs(later, "Opportunity") {
            if let Some(before) = before
                && before["Amount"] != after["Amount"]
            {
                let amount = decimal(&after["Amount"]);
                lines.push(format!("total {} {amount}", later.stay_of(&after["Id"])));
            }
        }
        for (before, after) in self.pairs(later, "Case") {
            later.case(before, after, &mut lines);
        }
        for (before, after) in self.pairs(later, "CaseComment") {
            if before.is_none() {
                let case = later.named("Case", &after["ParentId"], "CaseNumber");
                lines.push(format!(
                    "case {case} comment {}",
                    text(&after["CommentBody"])
                ));
            }
        }
        for (before, after) in self.pairs(later, "Payment_Transaction__c") {
            later.charge(before, after, &mut lines);
        }
        for (before, after) in self.pairs(later, "Contact") {
            if before.is_none() {
                lines.push(format!("new guest {}", text(&after["Email"])));
            }
        }
        lines.extend(self.payments(later));
        lines
    }

    /// Rows of an object in both states; deleted rows never occur.
    fn pairs<'a>(&'a self, later: &'a Self, object: &str) -> Vec<(Option<&'a Value>, &'a Value)> {
        let old: BTreeMap<&str, &Value> = self
            .rows(object)
            .iter()
            .filter_map(|row| Some((row["Id"].as_str()?, row)))
            .collect();
        let pair = |row: &'a Value| (row["Id"].as_str().and_then(|id| old.get(id)).copied(), row);
        later
            .rows(object)
            .iter()
            .map(pair)
            .filter(|(before, after)| *before != Some(*after))
            .collect()
    }

    fn rows(&self, object: &str) -> &[Value] {
        self.0.rows(object)
    }

    /// Id of the record with that name, such as `Booking__c BK-0042`.
    pub fn id(&self, record: &str) -> Option<(String, String)> {
        let (object, name) = record.split_once(' ')?;
        let field = match object {
            "Hotel_Room__c" => "Room_Number__c",
            "Case" => "CaseNumber",
            "Contact" => "Email",
            _ => "Name",
        };
        let row = self.rows(object).iter().find(|row| row[field] == name)?;
        Some((object.to_owned(), row["Id"].as_str()?.to_owned()))
    }

    fn named(&self, object: &str, id: &Value, field: &str) -> String {
        match self.0.by_id(object, id) {
            Value::Null => "-".to_owned(),
            row => text(&row[field]),
        }
    }

    /// Booking number of an opportunity.
    fn stay_of(&self, opportunity: &Value) -> String {
        let row = self
            .rows("Booking__c")
            .iter()
            .find(|row| row["Opportunity__c"] == *opportunity);
        row.map_or_else(|| "-".to_owned(), |row| text(&row["Name"]))
    }

    fn booking(&self, before: Option<&Value>, after: &Value, lines: &mut Vec<String>) {
        let shown = |field: &str| match field {
            "Room__c" => self.named("Hotel_Room__c", &after[field], "Room_Number__c"),
            _ => text(&after[field]),
        };
        let Some(before) = before else {
            let email = self.named("Contact", &after["Primary_Guest__c"], "Email");
            let [from, to, room, guests] = [
                "Check_In_Date__c",
                "Check_Out_Date__c",
                "Room__c",
                "Number_of_Guests__c",
            ]
            .map(shown);
            lines.push(format!("new booking {email} {room} {from} {to} {guests}"));
            let requests = shown("Special_Requests__c");
            if !requests.is_empty() {
                lines.push(format!("new booking requests {requests}"));
            }
            return;
        };
        for (field, word) in BOOKING {
            if before[field] != after[field] {
                lines.push(format!(
                    "booking {} {word} {}",
                    text(&after["Name"]),
                    shown(field)
                ));
            }
        }
    }

    fn case(&self, before: Option<&Value>, after: &Value, lines: &mut Vec<String>) {
        if let Some(before) = before {
            for (field, word) in CASE.iter().filter(|(f, _)| before[*f] != after[*f]) {
                let number = text(&after["CaseNumber"]);
                lines.push(format!("case {number} {word} {}", text(&after[*field])));
            }
            return;
        }
        let words = text(&after["Description"]);
        if words.starts_with(HAND_OVER) {
            lines.push("hand-over".to_owned());
        } else if words.starts_with(EMERGENCY) {
            lines.push(format!("emergency {}", text(&after["Priority"])));
        } else {
            let words = if words.is_empty() {
                text(&after["Subject"])
            } else {
                words
            };
            lines.push(format!(
                "new case {} {} {} {words}",
                text(&after["Type"]),
                text(&after["Priority"]),
                self.named("Hotel_Room__c", &after["Room__c"], "Room_Number__c"),
            ));
        }
    }

    fn charge(&self, before: Option<&Value>, after: &Value, lines: &mut Vec<String>) {
        match before {
            None if after["Transaction_Type__c"] == "Charge" => lines.push(format!(
                "new charge {} {}",
                self.stay_of(&after["Opportunity__c"]),
                decimal(&after["Amount__c"])
            )),
            // A check-out settles the posted charges along with the stay
            Some(before)
                if before["Status__c"] != after["Status__c"]
                    && after["Status__c"] == "Cancelled" =>
            {
                lines.push(format!("charge {} Cancelled", text(&after["Name"])));
            }
            _ => {}
        }
    }

    /// Sums that Stripe took and gave back, by guest.
    fn payments(&self, later: &Self) -> Vec<String> {
        let taken = |payment: &Payment| payment.taken;
        let given_back = |payment: &Payment| payment.refunded;
        let mut lines = Vec::new();
        for (word, sum) in [
            ("paid", taken as fn(&Payment) -> i64),
            ("refunded", given_back),
        ] {
            let before = self.sums(sum);
            for (email, after) in later.sums(sum) {
                let more = after - before.get(&email).copied().unwrap_or_default();
                if more != 0 {
                    lines.push(format!("{word} {email} {}.{:02}", more / 100, more % 100));
                }
            }
        }
        lines
    }

    fn sums(&self, sum: fn(&Payment) -> i64) -> BTreeMap<String, i64> {
        let customers = list(&self.0.state["stripe"]["customers"]);
        let mut sums = BTreeMap::new();
        for payment in self.0.payments.values() {
            let is = |row: &&Value| row["id"].as_str() == payment.customer.as_deref();
            let customer = customers.iter().find(is);
            let email = customer.map_or_else(|| "-".to_owned(), |row| text(&row["email"]));
            *sums.entry(email).or_default() += sum(payment);
        }
        sums
    }
}

/// `hand-over` and `emergency` lines: the hotel writes them, not the model's proposals.
pub fn needs_no_yes(line: &str) -> bool {
    line == "hand-over" || line.starts_with("emergency")
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Number(number) => number
            .as_f64()
            .filter(|number| number.fract() == 0.0)
            .map_or_else(|| number.to_string(), |number| format!("{number:.0}")),
        other => other.to_string(),
    }
}

/// Dollars of a currency field.
fn decimal(value: &Value) -> String {
    format!("{:.2}", value.as_f64().unwrap_or_default())
}
