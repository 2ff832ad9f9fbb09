//! Measured jobs, performed by both sides from the same seed.

use anyhow::{Context, ensure};
use serde_json::{Value, json};

/// Job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scenario {
    /// A guest with a stored customer checks out and pays.
    CheckOut,
    /// A guest with a reservation checks in, and the room is ready.
    CheckIn,
}

impl Scenario {
    /// All jobs.
    pub const ALL: [Self; 2] = [Self::CheckOut, Self::CheckIn];

    /// Title in the table.
    pub const fn title(self) -> &'static str {
        match self {
            Self::CheckOut => "check-out of a guest with a stored customer",
            Self::CheckIn => "check-in of a guest with a reservation",
        }
    }

    /// Name in the JSON line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CheckOut => "check_out",
            Self::CheckIn => "check_in",
        }
    }

    /// Target as a fraction of the reference's time.
    pub const fn target_ratio(self) -> f64 {
        match self {
            Self::CheckOut => 0.60,
            Self::CheckIn => 0.45,
        }
    }

    /// Guest: Beth departs today, owes exactly $250.00, and is a Stripe customer with a card; Sarah
    /// has a reservation from today.
    pub const fn guest(self) -> &'static str {
        match self {
            Self::CheckOut => "beth.gibbs@email.com",
            Self::CheckIn => "sarah@example.com",
        }
    }

    /// Tool and input.
    pub fn call(self) -> (&'static str, Value) {
        match self {
            Self::CheckOut => ("process_guest_checkout", json!({ "amount": BALANCE })),
            Self::CheckIn => ("check_in_guest", json!({})),
        }
    }

    /// Result check, the same for both sides: at most one payment, and booking, room and
    /// opportunity updated.
    pub fn check(self, state: &Value) -> anyhow::Result<()> {
        let guest = row(state, "Contact", "Email", self.guest())?;
        let booking = row(state, "Booking__c", "Primary_Guest__c", text(guest, "Id")?)?;
        let room = row(state, "Hotel_Room__c", "Id", text(booking, "Room__c")?)?;
        let opportunity = row(state, "Opportunity", "Id", text(booking, "Opportunity__c")?)?;
        let found = [
            text(booking, "Status__c")?,
            text(room, "Status__c")?,
            text(opportunity, "StageName")?,
        ];
        let (expected, paid) = match self {
            Self::CheckOut => (
                ["Checked Out", "Cleaning", "Closed Won"],
                vec![Some(BALANCE)],
            ),
            Self::CheckIn => (["Checked In", "Occupied", "Checked In"], vec![]),
        };
        ensure!(found == expected, "the stay was not moved: {found:?}");
        if self == Self::CheckIn {
            ensure!(
                room["Current_Guest__c"] == guest["Id"],
                "the room is not the guest's: {room}"
            );
        }
        let payments = state["stripe"]["payment_intents"]
            .as_array()
            .context("no list of payments")?;
        let taken: Vec<_> = payments
            .iter()
            .filter(|p| p["status"] == "succeeded")
            .map(|p| p["amount_received"].as_i64())
            .collect();
        ensure!(taken == paid, "paid {taken:?}");
        Ok(())
    }
}

/// Beth's balance in cents.
pub const BALANCE: i64 = 25_000;

/// Record of the sandbox.
fn row<'a>(state: &'a Value, object: &str, field: &str, value: &str) -> anyhow::Result<&'a Value> {
    let rows = state["salesforce"][object]
        .as_array()
        .with_context(|| format!("no {object}"))?;
    rows.iter()
        .find(|r| r[field] == value)
        .with_context(|| format!("no {object} whose {field} is {value}"))
}

pub fn text<'a>(record: &'a Value, field: &str) -> anyhow::Result<&'a str> {
    record[field]
        .as_str()
        .with_context(|| format!("{field} is no text"))
}
