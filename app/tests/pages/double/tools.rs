//! Tools of the double.

use async_trait::async_trait;
use dewy_domain::{
    answer::{ToolAnswer, ToolError},
    caller::{Caller, Persona},
    error_code::ErrorCode,
    money::Cents,
    ports::{Confirmation, Confirmations, Dispatcher},
    tool::ToolCall,
    view::{CompensationItem, ExecutionView, ListItem},
};
use serde_json::{Value, json};

use super::{House, USD, stays};

#[async_trait]
impl Confirmations for House {
    async fn quote(&self, _: &Caller, call: &ToolCall) -> Result<Option<Confirmation>, ToolError> {
        if call.idempotency_token.is_none() {
            return Err(ToolError::new(ErrorCode::ValidationFailed));
        }
        match call.input["number_of_guests"].as_i64() {
            Some(people) if people > 4 => Err(ToolError::with(
                ErrorCode::TooManyGuests,
                json!({ "number_of_guests": people, "max_occupancy": 4 }),
            )),
            Some(4) => Err(ToolError::with(
                ErrorCode::RateLimited,
                json!({ "retry_after_seconds": 3 }),
            )),
            _ => Ok(None),
        }
    }
}

#[async_trait]
impl Dispatcher for House {
    async fn dispatch(&self, caller: &Caller, call: ToolCall) -> ToolAnswer {
        self.state().calls.push(call.clone());
        let known = self
            .desk_tool(caller, &call)
            .or_else(|| stays::answer(self, caller, &call));
        if let Some(answer) = known {
            return answer;
        }
        let text = |name: &str| {
            call.input
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        match call.tool.as_str() {
            "get_folio" => get_folio(caller, text("guest_email"), text("booking_number")),
            "search_executions" => self.search(caller, &call.input),
            "list_compensations" => self.compensations(caller, text("status")),
            "process_guest_checkout" => self.check_out(&call),
            "check_in_guest" => {
                let end = match (caller.email.as_str(), text("booking_number")) {
                    ("early@example.com", _) => "early",
                    ("wei.chen@example.com", "") => "several",
                    ("cleaning@example.com", _) => "cleaning",
                    _ => "",
                };
                pending(self.begin("check_in_guest", end))
            }
            "create_booking" if text("room_number") == "308" => {
                pending(self.begin("create_booking", "taken"))
            }
            "create_booking" => pending(self.begin("create_booking", "book")),
            "manage_bookings" => pending(self.begin("manage_bookings", text("action"))),
            "submit_guest_service_request" if text("description").contains("piano") => {
                fail(ErrorCode::UpstreamUnavailable, Value::Null)
            }
            "submit_guest_service_request" => {
                ToolAnswer::data(json!({ "case_number": "00001030", "case_status": "New" }))
            }
            "compensate_checkout_failure" if text("payment_intent_id") == "pi_done" => {
                fail(ErrorCode::CheckoutCompleted, Value::Null)
            }
            "post_charge" if text("room_number") == "999" => {
                fail(ErrorCode::RoomNotFound, Value::Null)
            }
            tool @ ("compensate_checkout_failure" | "resolve_execution" | "post_charge") => {
                pending(self.begin(tool, ""))
            }
            _ => fail(ErrorCode::UnknownTool, Value::Null),
        }
    }
}

pub(super) fn fail(code: ErrorCode, details: Value) -> ToolAnswer {
    ToolError::with(code, details).into()
}

pub(super) const fn pending(execution_id: String) -> ToolAnswer {
    ToolAnswer::Pending {
        execution_id,
        next_action_url: None,
        poll_after_ms: 500,
        note: String::new(),
        replayed: false,
    }
}

fn get_folio(caller: &Caller, email: &str, number: &str) -> ToolAnswer {
    let email = if caller.persona == Persona::Staff {
        email
    } else {
        &caller.email
    };
    match (email, number) {
        ("wei.chen@example.com", "") => fail(
            ErrorCode::MultipleBookings,
            json!({ "bookings": [
                { "booking_number": "BK-0010", "room_number": "102", "check_in_date": "2026-11-18", "check_out_date": "2026-11-21" },
                { "booking_number": "BK-0011", "room_number": "103", "check_in_date": "2026-11-18", "check_out_date": "2026-11-22" }] }),
        ),
        (
            "nobody@example.com"
            | "early@example.com"
            | "cleaning@example.com"
            | "arriving@example.com",
            "",
        ) => fail(ErrorCode::BookingNotFound, Value::Null),
        ("down@example.com", _) => fail(ErrorCode::UpstreamUnavailable, Value::Null),
        (_, "") => ToolAnswer::data(folio("BK-0042")),
        (_, "BK-0025") => {
            let mut shared = folio("BK-0025");
            shared["shares_bill_with"] = json!(["BK-0026"]);
            ToolAnswer::data(shared)
        }
        (_, "BK-0007") => ToolAnswer::data(settled("BK-0007", "Checked Out")),
        (_, number @ ("BK-0061" | "BK-0062" | "BK-0070" | "BK-0090")) => {
            ToolAnswer::data(reserved(number))
        }
        (_, number) => ToolAnswer::data(folio(number)),
    }
}

impl House {
    fn check_out(&self, call: &ToolCall) -> ToolAnswer {
        if call.input.get("amount") != Some(&json!(25000)) {
            return fail(
                ErrorCode::ValidationFailed,
                json!({ "problems": [{ "field": "amount", "message": "Say what you agreed to pay, in cents." }] }),
            );
        }
        let card = call
            .input
            .get("payment_method_id")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if card == "pm_card_discover" {
            return fail(
                ErrorCode::OperationInProgress,
                json!({ "execution_id": "exe_0" }),
            );
        }
        pending(self.begin("process_guest_checkout", card))
    }

    fn views(&self, caller: &Caller) -> Vec<ExecutionView> {
        let ids: Vec<String> = self.state().runs.keys().cloned().collect();
        ids.iter()
            .rev()
            .filter_map(|id| self.view(caller, id))
            .collect()
    }

    fn search(&self, caller: &Caller, input: &Value) -> ToolAnswer {
        if caller.persona != Persona::Staff {
            return fail(ErrorCode::UnknownTool, Value::Null);
        }
        let given = |name: &str| input.get(name).and_then(Value::as_str);
        if given("from").is_some_and(|day| day.len() != 10) {
            return fail(
                ErrorCode::ValidationFailed,
                json!({ "problems": [{ "field": "from", "message": "from must be a day such as 2026-11-20." }] }),
            );
        }
        let fits = |v: &ExecutionView| {
            given("state").is_none_or(|s| s == v.state)
                && given("tool").map_or(v.tool != "send_text", |t| t == v.tool)
                && given("room_number").is_none_or(|r| v.room_number.as_deref() == Some(r))
        };
        let list = self
            .views(caller)
            .into_iter()
            .filter(fits)
            .map(|v| ListItem {
                execution_id: v.execution_id,
                title: v.title,
                state: v.state,
                reason: v.reason,
                guest_email: v.guest_email,
                booking_number: v.booking_number,
                room_number: v.room_number,
                due_by: None,
                created_at: v.created_at,
                updated_at: v.updated_at,
            });
        ToolAnswer::data(
            json!({ "executions": list.collect::<Vec<_>>(), "cut": false, "how_to_narrow": "" }),
        )
    }

    fn compensations(&self, caller: &Caller, status: &str) -> ToolAnswer {
        let list = self
            .views(caller)
            .into_iter()
            .filter(|v| !v.back.is_empty())
            .map(|v| {
                let money = v.money.expect("what is undone was paid");
                CompensationItem {
                    payment_intent_id: format!("pi_3Q{}", v.execution_id.get(30..).unwrap_or("0")),
                    execution_id: v.execution_id,
                    status: if v.state == "compensating" {
                        "refunding".to_owned()
                    } else {
                        v.state
                    },
                    reason: v.reason,
                    guest_email: v.guest_email,
                    booking_number: v.booking_number,
                    room_number: v.room_number,
                    captured: money.captured,
                    refunded: money.refunded,
                    currency: USD,
                    refund_id: (money.refunded > Cents(0)).then(|| "re_3Q0000Beth".to_owned()),
                    triggers: v.triggers,
                    cause: "UPSTREAM_UNAVAILABLE".to_owned(),
                    updated_at: v.updated_at,
                }
            });
        let list: Vec<_> = list
            .filter(|item| status.is_empty() || item.status == status)
            .collect();
        ToolAnswer::data(
            json!({ "compensations": list, "cut": true, "how_to_narrow": "Give a day with from and to." }),
        )
    }
}

/// The guest of BK-0050 has no saved card.
fn folio(number: &str) -> Value {
    let card = json!({ "payment_method_id": "pm_1BethVisa4242", "brand": "visa", "last4": "4242", "default": true });
    let cards = if number == "BK-0050" {
        json!([])
    } else {
        json!([card])
    };
    json!({
        "booking_number": number, "booking_status": "Checked In", "room_number": "302", "check_in_date": "2026-11-18",
        "check_out_date": "2026-11-20", "balance": 25000, "currency": "usd", "balance_text": "$250.00",
        "lines": [
            { "kind": "room", "number": "", "amount": 25000, "status": "", "date": "2026-11-18" },
            { "kind": "charge", "number": "PT-0007", "amount": 1850, "status": "Cancelled", "date": "2026-11-19" },
            { "kind": "charge", "number": "PT-0008", "amount": 1200, "status": "Pending", "date": "2026-11-19" },
            { "kind": "payment", "number": "PT-0009", "amount": 1200, "status": "Completed", "date": "2026-11-19" }],
        "saved_cards": cards
    })
}

/// Paid stay.
fn settled(number: &str, status: &str) -> Value {
    json!({
        "booking_number": number, "booking_status": status, "room_number": "305", "check_in_date": "2026-06-01",
        "check_out_date": "2026-06-04", "balance": 0, "currency": "usd", "balance_text": "$0.00",
        "lines": [
            { "kind": "room", "number": "", "amount": 52500, "status": "", "date": "2026-06-01" },
            { "kind": "payment", "number": "PT-0003", "amount": 60000, "status": "Completed", "date": "2026-06-04" },
            { "kind": "refund", "number": "PT-0004", "amount": 7500, "status": "Completed", "date": "2026-06-05" }],
        "saved_cards": []
    })
}

/// Stay that has not begun.
fn reserved(number: &str) -> Value {
    json!({
        "booking_number": number, "booking_status": "Reserved", "room_number": "305", "check_in_date": "2026-12-24",
        "check_out_date": "2026-12-27", "balance": 52500, "currency": "usd", "balance_text": "$525.00",
        "lines": [{ "kind": "room", "number": "", "amount": 52500, "status": "", "date": "2026-12-24" }], "saved_cards": []
    })
}
