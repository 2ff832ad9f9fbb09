//! Steps and readings that scenarios share.

use std::time::Duration;

use dewy_domain::{
    caller::{Caller, Interface, Role},
    error_code::ErrorCode,
    ports::{HttpRequest, Transport},
    tool_answer::ToolAnswer,
};
use dewy_saga::{
    Journal,
    journal::{ExecutionRecord, ProjectionRow},
};
use dewy_sandbox::{CallEntry, Fault, FaultKind, System};
use serde_json::{Value, json};

use super::{
    invariants::violations,
    simulated_hotel::{Setup, SimulatedHotel},
};

/// Longer than the longest wait of a saga.
pub const DAY: Duration = Duration::from_secs(26 * 3600);

pub fn with(faults: Vec<Fault>) -> SimulatedHotel {
    set_up(|setup| setup.faults = faults)
}

/// Hotel with these faults in which days pass: its workers look less often for work that nobody
/// announced.
pub fn for_days(faults: Vec<Fault>) -> SimulatedHotel {
    set_up(|setup| (setup.faults, setup.poll) = (faults, Duration::from_secs(20)))
}

pub fn set_up(change: impl FnOnce(&mut Setup)) -> SimulatedHotel {
    let mut setup = Setup::default();
    change(&mut setup);
    SimulatedHotel::new(setup)
}

/// Fault of Salesforce's composites.
pub fn composite(kind: FaultKind) -> Fault {
    salesforce("composite", kind)
}

/// Fault of one of Salesforce's operations.
pub fn salesforce(operation: &str, kind: FaultKind) -> Fault {
    Fault::new(System::Salesforce, operation, kind)
}

/// Fault of one of Stripe's operations.
pub fn stripe(operation: &str, kind: FaultKind) -> Fault {
    Fault::new(System::Stripe, operation, kind)
}

/// Idempotency token of a call, or none.
pub trait Token {
    fn text(self) -> Option<String>;
}

impl<T: AsRef<str> + ?Sized> Token for &T {
    fn text(self) -> Option<String> {
        Some(self.as_ref().to_owned())
    }
}

impl Token for Option<&str> {
    fn text(self) -> Option<String> {
        self.map(str::to_owned)
    }
}

pub fn text_of(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

pub fn items(list: &Value) -> &[Value] {
    list.as_array().unwrap()
}

#[track_caller]
pub fn assert_refused(answer: &ToolAnswer, code: ErrorCode) {
    assert_eq!(answer.error(), Some(code), "{answer:?}");
}

#[track_caller]
pub fn assert_fields(record: &Value, fields: Value) {
    for (name, value) in fields.as_object().unwrap() {
        assert_eq!(record[name], *value, "{name}: {record}");
    }
}

impl SimulatedHotel {
    /// Tool call by the front desk.
    pub async fn front_desk(&self, tool: &str, token: impl Token, input: Value) -> ToolAnswer {
        let caller = Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Mcp);
        self.call(&caller, tool, token, input).await
    }

    /// Tool call by a guest.
    pub async fn guest(
        &self,
        email: &str,
        tool: &str,
        token: impl Token,
        input: Value,
    ) -> ToolAnswer {
        let caller = Caller::guest(email, Interface::Mcp);
        self.call(&caller, tool, token, input).await
    }

    /// The front desk changes a booking.
    pub async fn change_booking(&self, token: impl Token, input: Value) -> ToolAnswer {
        self.front_desk("manage_bookings", token, input).await
    }

    /// The front desk books a room.
    pub async fn book(&self, token: impl Token, input: Value) -> ToolAnswer {
        self.front_desk("create_booking", token, input).await
    }

    /// The front desk settles an execution.
    pub async fn resolve(&self, token: impl Token, input: Value) -> ToolAnswer {
        self.front_desk("resolve_execution", token, input).await
    }

    /// The front desk posts or voids a charge.
    pub async fn post_charge(&self, token: impl Token, input: Value) -> ToolAnswer {
        self.front_desk("post_charge", token, input).await
    }

    /// The front desk opens or changes a case.
    pub async fn work_on_case(&self, token: impl Token, input: Value) -> ToolAnswer {
        self.front_desk("manage_cases", token, input).await
    }

    /// The front desk requests the refund of a payment.
    pub async fn request_refund(&self, token: impl Token, input: Value) -> ToolAnswer {
        self.front_desk("compensate_checkout_failure", token, input)
            .await
    }

    /// The front desk changes a room's status.
    pub async fn set_room_status(&self, token: impl Token, input: Value) -> ToolAnswer {
        self.front_desk("set_room_status", token, input).await
    }

    /// Beth checks out with this input.
    pub async fn check_out_with(&self, token: impl Token, input: Value) -> ToolAnswer {
        self.beth("process_guest_checkout", token, input).await
    }

    pub fn count_calls(&self, fits: impl Fn(&&CallEntry) -> bool) -> usize {
        self.sandbox.calls().iter().filter(fits).count()
    }

    pub fn room_of(&self, booking: &Value) -> Value {
        self.row("Hotel_Room__c", "Id", booking["Room__c"].as_str().unwrap())
    }

    pub fn booking(&self, number: &str) -> Value {
        self.row("Booking__c", "Name", number)
    }

    pub fn room(&self, number: &str) -> Value {
        self.row("Hotel_Room__c", "Room_Number__c", number)
    }

    pub fn contact(&self, email: &str) -> Value {
        self.row("Contact", "Email", email)
    }

    pub fn case(&self, number: &str) -> Value {
        self.row("Case", "CaseNumber", number)
    }

    pub fn opportunity_of(&self, booking: &Value) -> Value {
        let id = booking["Opportunity__c"].as_str().unwrap();
        self.row("Opportunity", "Id", id)
    }

    /// What a booking's folio owes.
    pub fn balance_of(&self, booking: &Value) -> i64 {
        let folio = booking["Opportunity__c"].as_str().unwrap();
        self.sandbox_ledger().balance(folio)
    }

    /// Another user changes a record, given itself or its id.
    pub fn edit(&self, object: &str, record: &Value, fields: Value) {
        let id = record.get("Id").unwrap_or(record).as_str().unwrap();
        let fields = fields.as_object().unwrap();
        self.sandbox.edit(object, id, fields).unwrap();
    }

    /// Empties fields of a record, given itself or its id.
    pub fn blank(&self, object: &str, record: &Value, fields: &[&str]) {
        let id = record.get("Id").unwrap_or(record).as_str();
        let fields: Vec<_> = fields.iter().map(|&field| field.to_owned()).collect();
        self.sandbox.blank(object, id, Some(&fields)).unwrap();
    }

    pub fn fault(&self, fault: Fault) {
        self.sandbox.add_fault(fault);
    }

    pub async fn compensations(&self) -> Vec<ProjectionRow> {
        let found = self.journal.projections("compensation", None, 10).await;
        found.unwrap()
    }

    /// Judges a payment, as after one of Stripe's events; returns how many facts are new.
    pub async fn check_payment(&self, payment: &str) -> u32 {
        let payment = payment.parse().unwrap();
        let checked = self.processes[0].check_payment(&payment, "webhook").await;
        checked.unwrap()
    }

    /// Waits until everything is at rest, and looks for violations.
    pub async fn ends_sound(&self) {
        assert!(self.run_until_idle(DAY).await, "it does not come to rest");
        assert_sound(self);
    }
}

pub fn code(answer: &ToolAnswer) -> Option<ErrorCode> {
    answer.error()
}

#[track_caller]
pub fn assert_sound(hotel: &SimulatedHotel) {
    assert_eq!(violations(hotel), Vec::<String>::new());
}

pub fn of(hotel: &SimulatedHotel, saga: &str) -> Vec<ExecutionRecord> {
    let mut found = hotel.requested_executions();
    found.retain(|record| record.saga == saga);
    found
}

/// First check-out.
pub fn check_out_of(hotel: &SimulatedHotel) -> ExecutionRecord {
    of(hotel, "process_guest_checkout").remove(0)
}

pub fn label(record: &ExecutionRecord, name: &str) -> Option<String> {
    let found = record.labels.iter().find(|(n, _)| n == name);
    found.map(|(_, value)| value.clone())
}

/// What a payment took, and what was given back.
pub fn money(hotel: &SimulatedHotel, payment: &str) -> (i64, i64) {
    let (taken, given_back, _) = hotel.ledger()[payment].clone();
    (taken, given_back)
}

/// Bodies of the texts that were sent.
pub fn texts(hotel: &SimulatedHotel) -> Vec<String> {
    let state = hotel.sandbox.state();
    let messages = state["twilio"]["messages"].as_array().cloned();
    let bodies = messages.unwrap_or_default().into_iter();
    bodies
        .filter_map(|message| message["body"].as_str().map(str::to_owned))
        .collect()
}

/// Another program posts a charge of $50.00, over Salesforce's own API.
pub async fn foreign_charge(hotel: &SimulatedHotel, folio: &Value) {
    let send = |method: &str, path: &str, token: Option<&str>, kind: &str, body: String| {
        let mut headers = vec![("content-type".to_owned(), kind.to_owned())];
        headers.extend(token.map(|t| ("authorization".to_owned(), format!("Bearer {t}"))));
        let request = HttpRequest {
            method: method.to_owned(),
            url: format!("http://sandbox.test{path}"),
            headers,
            body: body.into_bytes(),
        };
        async move {
            hotel
                .sandbox
                .send(request, Duration::from_secs(5))
                .await
                .unwrap()
        }
    };
    let form = "grant_type=client_credentials&client_id=other&client_secret=other".to_owned();
    let token = send(
        "POST",
        "/services/oauth2/token",
        None,
        "application/x-www-form-urlencoded",
        form,
    )
    .await;
    let token: Value = serde_json::from_slice(&token.body).unwrap();
    let row = json!({ "Opportunity__c": folio, "Amount__c": 50, "Transaction_Type__c": "Charge", "Status__c": "Pending" });
    let path = "/services/data/v62.0/sobjects/Payment_Transaction__c";
    let answer = send(
        "POST",
        path,
        token["access_token"].as_str(),
        "application/json",
        row.to_string(),
    )
    .await;
    assert_eq!(
        answer.status,
        201,
        "{}",
        String::from_utf8_lossy(&answer.body)
    );
}
