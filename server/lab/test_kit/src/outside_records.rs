//! Records of the outside systems as the sandbox keeps them: what was actually charged, refunded,
//! changed and sent. Read once and queried often.

use std::collections::BTreeMap;

use dewy_domain::money::Cents;
use serde_json::Value;

#[derive(Clone, Debug, Default)]
pub struct Payment {
    /// Captured amount.
    pub taken: i64,
    /// Amount that the card reserves for it.
    pub held: i64,
    /// Refunded amount, without failed refunds and without what a hold released.
    pub refunded: i64,
    /// Record id of the booking that it names.
    pub booking: Option<String>,
    /// Execution that it names.
    pub owner: Option<String>,
    /// Installation that it names.
    pub installation: Option<String>,
    pub customer: Option<String>,
    /// Refunds, failed ones included.
    pub refunds: Vec<Refund>,
}

#[derive(Clone, Debug)]
pub struct Refund {
    pub id: String,
    /// Whether it has not failed.
    pub stands: bool,
    /// Installation that it names; none when others made it.
    pub installation: Option<String>,
}

#[derive(Debug)]
pub struct OutsideRecords {
    pub payments: BTreeMap<String, Payment>,
    /// All calls, in the order of arrival.
    pub calls: Vec<Value>,
    /// Everything, as the sandbox's admin API returns it.
    pub state: Value,
    /// Object and position of each Salesforce record, by its id.
    places: BTreeMap<String, (String, usize)>,
    /// Positions of each opportunity's lines.
    lines: BTreeMap<String, Vec<usize>>,
    markers: BTreeMap<String, usize>,
}

/// Payments of an account by payment intent.
pub fn payments(stripe: &Value) -> BTreeMap<String, Payment> {
    let name = |record: &Value, mark: &str| record["metadata"][mark].as_str().map(str::to_owned);
    let mut payments = BTreeMap::new();
    for payment in list(&stripe["payment_intents"]) {
        let taken = match payment["status"].as_str() {
            Some("succeeded") => payment["amount_received"].as_i64().unwrap_or(0),
            _ => 0,
        };
        let payment_of = Payment {
            taken,
            held: payment["amount_capturable"].as_i64().unwrap_or(0),
            refunded: 0,
            booking: name(payment, "booking_id"),
            owner: name(payment, "execution_id"),
            installation: name(payment, "installation_id"),
            customer: payment["customer"].as_str().map(str::to_owned),
            refunds: Vec::new(),
        };
        payments.insert(text(&payment["id"]), payment_of);
    }
    // Stripe writes a refund for what a hold releases, the first one of its charge.
    let mut released: BTreeMap<String, i64> = list(&stripe["charges"])
        .iter()
        .filter(|charge| charge["paid"] == true)
        .map(|charge| {
            let cents = |name: &str| charge[name].as_i64().unwrap_or(0);
            let left = cents("amount") - cents("amount_captured");
            (text(&charge["payment_intent"]), left)
        })
        .collect();
    for refund in list(&stripe["refunds"]) {
        let amount = refund["amount"].as_i64().unwrap_or(0);
        let of = text(&refund["payment_intent"]);
        if amount > 0 && released.get(&of) == Some(&amount) {
            released.remove(&of);
            continue;
        }
        let stands = matches!(
            refund["status"].as_str(),
            Some("succeeded" | "pending" | "requires_action")
        );
        if let Some(payment) = payments.get_mut(&of) {
            if stands {
                payment.refunded += amount;
            }
            payment.refunds.push(Refund {
                id: text(&refund["id"]),
                stands,
                installation: name(refund, "installation_id"),
            });
        }
    }
    payments
}

impl OutsideRecords {
    /// Parses `/admin/state` and `/admin/calls`.
    pub fn read(state: Value, calls: Value) -> Self {
        let mut places = BTreeMap::new();
        for (object, rows) in state["salesforce"].as_object().into_iter().flatten() {
            let each = list(rows).iter().enumerate();
            places.extend(each.map(|(n, row)| (text(&row["Id"]), (object.clone(), n))));
        }
        let (mut lines, mut markers): (BTreeMap<_, Vec<_>>, BTreeMap<_, _>) = Default::default();
        for (n, line) in list(&state["salesforce"]["Payment_Transaction__c"])
            .iter()
            .enumerate()
        {
            // The refund's line has its own name.
            if line["Transaction_Type__c"] == "Payment" {
                *markers.entry(text(&line["External_ID__c"])).or_default() += 1;
            }
            let of = lines.entry(text(&line["Opportunity__c"])).or_default();
            of.push(n);
        }
        Self {
            payments: payments(&state["stripe"]),
            calls: list(&calls).to_vec(),
            state,
            places,
            lines,
            markers,
        }
    }

    pub fn rows(&self, object: &str) -> &[Value] {
        list(&self.state["salesforce"][object])
    }

    /// Record of an object; null when there is none.
    pub fn by_id(&self, object: &str, id: &Value) -> &Value {
        let place = id.as_str().and_then(|id| self.places.get(id));
        place
            .filter(|(of, _)| of == object)
            .and_then(|(_, n)| self.rows(object).get(*n))
            .unwrap_or(&Value::Null)
    }

    /// Record of an object whose field has this value; null unless there is exactly one.
    pub fn row(&self, object: &str, field: &str, value: &str) -> &Value {
        let mut found = self.rows(object).iter().filter(|row| row[field] == value);
        match (found.next(), found.next()) {
            (Some(only), None) => only,
            _ => &Value::Null,
        }
    }

    /// Booking of the guest with this email; null when there is none.
    pub fn booking_of(&self, email: &str) -> &Value {
        let contacts = self.rows("Contact").iter();
        let guest = contacts
            .filter(|contact| contact["Email"] == email)
            .map(|contact| &contact["Id"])
            .next();
        let mut bookings = self.rows("Booking__c").iter();
        bookings
            .find(|booking| guest == Some(&booking["Primary_Guest__c"]))
            .unwrap_or(&Value::Null)
    }

    /// Charges on all folios, voided ones included.
    pub fn charges(&self) -> impl Iterator<Item = &Value> {
        let lines = self.rows("Payment_Transaction__c").iter();
        lines.filter(|line| line["Transaction_Type__c"] == "Charge")
    }

    /// Text messages: recipient and text.
    pub fn messages(&self) -> Vec<(String, String)> {
        let messages = list(&self.state["twilio"]["messages"]).iter();
        messages
            .map(|message| (text(&message["to"]), text(&message["body"])))
            .collect()
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
    pub fn balance(&self, opportunity: &str) -> i64 {
        self.owed(opportunity, true)
    }

    /// Purchases, whatever was paid: the room and its charges.
    pub fn purchases(&self, opportunity: &str) -> i64 {
        self.owed(opportunity, false)
    }

    fn owed(&self, opportunity: &str, paid: bool) -> i64 {
        let id = Value::from(opportunity);
        let mut owed = cents(&self.by_id("Opportunity", &id)["Amount"]);
        let rows = self.rows("Payment_Transaction__c");
        let lines = self.lines.get(opportunity).into_iter().flatten();
        for line in lines.filter_map(|n| rows.get(*n)) {
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

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

pub fn cents(value: &Value) -> i64 {
    Cents::from_decimal(&value.to_string()).map_or(0, |c| c.0)
}
