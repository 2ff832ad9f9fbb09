//! The sandbox's records at the end: what was actually charged, refunded and changed.

use std::collections::BTreeMap;

use dewy_domain::money::Cents;
use serde_json::Value;

/// Payment at Stripe.
#[derive(Clone, Debug, Default)]
pub struct Payment {
    /// Captured amount.
    pub taken: i64,
    /// Refunded amount, without failed refunds.
    pub given_back: i64,
    /// Execution that it names.
    pub owner: Option<String>,
    /// Successful refunds.
    pub refunds: Vec<String>,
}

/// Records of both systems.
#[derive(Debug)]
pub struct Ledger {
    /// Payments by payment intent.
    pub payments: BTreeMap<String, Payment>,
    /// Number of successful refunds.
    pub refunds: usize,
    /// All calls, in the order of arrival.
    pub calls: Vec<Value>,
    objects: BTreeMap<&'static str, BTreeMap<String, Value>>,
    lines: BTreeMap<String, Vec<Value>>,
    markers: BTreeMap<String, usize>,
    /// Text messages: recipient and text.
    pub messages: Vec<(String, String)>,
}

impl Ledger {
    /// Parses `/admin/state` and `/admin/calls`.
    pub fn read(state: &Value, calls: Value) -> Self {
        let mut payments: BTreeMap<String, Payment> = BTreeMap::new();
        for payment in list(&state["stripe"]["payment_intents"]) {
            let taken = if payment["status"] == "succeeded" {
                payment["amount_received"].as_i64().unwrap_or(0)
            } else {
                0
            };
            let owner = payment["metadata"]["execution_id"]
                .as_str()
                .map(str::to_owned);
            payments.insert(
                text(&payment["id"]),
                Payment {
                    taken,
                    owner,
                    ..Payment::default()
                },
            );
        }
        let mut refunds = 0;
        for refund in list(&state["stripe"]["refunds"]) {
            let stands = matches!(
                refund["status"].as_str(),
                Some("succeeded" | "pending" | "requires_action")
            );
            if stands && let Some(payment) = payments.get_mut(&text(&refund["payment_intent"])) {
                payment.given_back += refund["amount"].as_i64().unwrap_or(0);
                payment.refunds.push(text(&refund["id"]));
                refunds += 1;
            }
        }
        let mut objects = BTreeMap::new();
        for object in [
            "Booking__c",
            "Hotel_Room__c",
            "Opportunity",
            "Contact",
            "Case",
            "CaseComment",
        ] {
            let rows = list(&state["salesforce"][object])
                .iter()
                .map(|r| (text(&r["Id"]), r.clone()))
                .collect();
            objects.insert(object, rows);
        }
        let (mut lines, mut markers): (BTreeMap<String, Vec<Value>>, BTreeMap<String, usize>) =
            Default::default();
        for line in list(&state["salesforce"]["Payment_Transaction__c"]) {
            // The refund's line has its own name.
            if line["Transaction_Type__c"] == "Payment" {
                *markers.entry(text(&line["External_ID__c"])).or_default() += 1;
            }
            lines
                .entry(text(&line["Opportunity__c"]))
                .or_default()
                .push(line.clone());
        }
        let calls = if let Value::Array(calls) = calls {
            calls
        } else {
            Vec::new()
        };
        let messages = list(&state["twilio"]["messages"])
            .iter()
            .map(|m| (text(&m["to"]), text(&m["body"])))
            .collect();
        Self {
            payments,
            refunds,
            calls,
            objects,
            lines,
            markers,
            messages,
        }
    }

    /// Record; null when there is none.
    pub fn row(&self, object: &str, id: &Value) -> &Value {
        self.objects
            .get(object)
            .and_then(|rows| rows.get(id.as_str()?))
            .unwrap_or(&Value::Null)
    }

    /// All records of an object.
    pub fn rows(&self, object: &str) -> impl Iterator<Item = &Value> {
        self.objects
            .get(object)
            .into_iter()
            .flat_map(BTreeMap::values)
    }

    /// Booking of the guest with this email; null when there is none.
    pub fn booking_of(&self, email: &str) -> &Value {
        let guest = self
            .rows("Contact")
            .find(|c| c["Email"] == email)
            .map_or(&Value::Null, |c| &c["Id"]);
        self.rows("Booking__c")
            .find(|b| !guest.is_null() && b["Primary_Guest__c"] == *guest)
            .unwrap_or(&Value::Null)
    }

    /// Charges on all folios, voided ones included.
    pub fn charges(&self) -> impl Iterator<Item = &Value> {
        self.lines
            .values()
            .flatten()
            .filter(|line| line["Transaction_Type__c"] == "Charge")
    }

    /// Number of payment lines with an execution's id.
    pub fn markers(&self, execution: &str) -> usize {
        self.markers.get(execution).copied().unwrap_or(0)
    }

    /// Executions that a payment line names.
    pub fn marked(&self) -> impl Iterator<Item = &String> {
        self.markers.keys()
    }

    /// Balance of a folio in cents.
    pub fn balance(&self, opportunity: &Value) -> i64 {
        self.owed(opportunity, true)
    }

    /// Purchases, whatever was paid: the room and its charges.
    pub fn bought(&self, opportunity: &Value) -> i64 {
        self.owed(opportunity, false)
    }

    fn owed(&self, opportunity: &Value, paid: bool) -> i64 {
        let mut owed = cents(&self.row("Opportunity", opportunity)["Amount"]);
        for line in self.lines.get(&text(opportunity)).into_iter().flatten() {
            let amount = cents(&line["Amount__c"]);
            match (
                line["Transaction_Type__c"].as_str(),
                line["Status__c"].as_str(),
            ) {
                (Some("Charge"), Some("Cancelled" | "Failed")) => {}
                (Some("Charge"), _) => owed += amount,
                (Some("Refund"), Some("Completed" | "Pending")) if paid => owed += amount,
                (Some("Payment"), Some("Completed")) if paid => owed -= amount,
                _ => {}
            }
        }
        owed
    }
}

/// List, or an empty one.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Text, or an empty one.
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Amount in cents.
pub fn cents(value: &Value) -> i64 {
    Cents::from_decimal(&value.to_string()).map_or(0, |c| c.0)
}
