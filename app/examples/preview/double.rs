//! A stand-in for the server behind the pages: one visitor, and check-outs whose end depends on the card.

#![allow(clippy::expect_used, reason = "a stand-in may fall over")]

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use dewy_domain::{
    answer::ToolAnswer,
    caller::{Caller, Interface, Persona, Role},
    error_code::ErrorCode,
    money::{Cents, Currency},
    ports::{Dispatcher, DoorError, Doorman, SignedIn, Watch},
    tool::ToolCall,
    view::{Difference, EventView, ExecutionView, ListItem, MoneyView, StepView},
};
use jiff::Timestamp;
use serde_json::{Value, json};

/// How long each step takes.
const PACE: Duration = Duration::from_millis(900);

/// The house as the pages see it.
#[derive(Debug, Default)]
pub struct House {
    state: Mutex<State>,
    tokens: AtomicU64,
    quick: bool,
}

#[derive(Debug, Default)]
struct State {
    who: Option<SignedIn>,
    aside: BTreeMap<String, String>,
    runs: BTreeMap<String, Run>,
    calls: Vec<ToolCall>,
}

#[derive(Clone, Debug)]
struct Run {
    card: String,
    born: Instant,
}

impl House {
    /// An empty house; `quick` does all steps at once instead of one by one.
    pub fn new(quick: bool) -> Self {
        Self { quick, ..Self::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no test panics while it holds the state")
    }

    /// A fresh token.
    pub fn token(&self) -> String {
        format!("token-{}", self.tokens.fetch_add(1, Ordering::Relaxed))
    }

    /// The tool calls so far.
    #[allow(dead_code, reason = "the tests ask, the preview does not")]
    pub fn calls(&self) -> Vec<ToolCall> {
        self.state().calls.clone()
    }

    /// Plants an execution with a known id.
    pub fn plant(&self, id: &str, card: &str) {
        let run = Run { card: card.to_owned(), born: Instant::now() - PACE * 20 };
        self.state().runs.insert(id.to_owned(), run);
    }

    fn view(&self, caller: &Caller, id: &str) -> Option<ExecutionView> {
        let run = self.state().runs.get(id)?.clone();
        let passed =
            if self.quick { 99 } else { i64::try_from(run.born.elapsed().as_millis() / PACE.as_millis()).ok()? };
        Some(picture(caller.persona, id, &run.card, passed))
    }
}

#[async_trait]
impl Dispatcher for House {
    async fn dispatch(&self, caller: &Caller, call: ToolCall) -> ToolAnswer {
        let mut state = self.state();
        state.calls.push(call.clone());
        let fail = |code, details| dewy_domain::answer::ToolError::with(code, details).into();
        if call.tool == "get_folio" {
            return match (caller.email.as_str(), call.input.get("booking_number").and_then(Value::as_str)) {
                ("wei.chen@example.com", None) => fail(
                    ErrorCode::MultipleBookings,
                    json!({ "bookings": [
                    { "booking_number": "BK-0010", "room_number": "102", "check_in_date": "2026-11-18", "check_out_date": "2026-11-21" },
                    { "booking_number": "BK-0011", "room_number": "103", "check_in_date": "2026-11-18", "check_out_date": "2026-11-22" }] }),
                ),
                ("nobody@example.com", _) => fail(ErrorCode::BookingNotFound, Value::Null),
                ("down@example.com", _) => fail(ErrorCode::UpstreamUnavailable, Value::Null),
                (_, number) => ToolAnswer::data(folio(number.unwrap_or("BK-0042"))),
            };
        }
        if call.input.get("amount") != Some(&json!(25000)) {
            return fail(
                ErrorCode::ValidationFailed,
                json!({ "problems": [{ "field": "amount", "message": "Say what you agreed to pay, in cents." }] }),
            );
        }
        let card = call.input.get("payment_method_id").and_then(Value::as_str).unwrap_or_default().to_owned();
        if card == "pm_card_discover" {
            return fail(ErrorCode::OperationInProgress, json!({ "execution_id": "exe_0" }));
        }
        let execution_id = format!("exe_{:032x}", 0x0193_4000 + state.runs.len());
        state.runs.insert(execution_id.clone(), Run { card, born: Instant::now() });
        ToolAnswer::Pending {
            execution_id,
            next_action_url: None,
            poll_after_ms: 500,
            note: String::new(),
            replayed: false,
        }
    }
}

#[async_trait]
impl Doorman for House {
    async fn who(&self) -> Option<SignedIn> {
        self.state().who.clone()
    }

    async fn send_code(&self, email: &str) -> Result<Option<String>, DoorError> {
        match email {
            "often@example.com" => Err(DoorError::TooMany { wait: Duration::from_secs(600) }),
            _ => Ok(Some("123456".to_owned())),
        }
    }

    async fn enter_code(&self, email: &str, code: &str) -> Result<SignedIn, DoorError> {
        if code != "123456" {
            return Err(DoorError::NoMatch);
        }
        let who = SignedIn { caller: Caller::guest(email, Interface::Form), first_name: "Beth".to_owned() };
        self.state().who = Some(who.clone());
        Ok(who)
    }

    async fn enter_password(&self, email: &str, password: &str) -> Result<SignedIn, DoorError> {
        if password != "dewy-demo" {
            return Err(DoorError::NoMatch);
        }
        let who = SignedIn { caller: Caller::staff(email, Role::Manager, Interface::Form), first_name: String::new() };
        self.state().who = Some(who.clone());
        Ok(who)
    }

    async fn sign_out(&self) {
        self.state().who = None;
    }

    async fn put_aside(&self, key: &str, text: String) {
        self.state().aside.insert(key.to_owned(), text);
    }

    async fn take_aside(&self, key: &str) -> Option<String> {
        self.state().aside.remove(key)
    }

    fn demo_accounts(&self) -> Vec<(String, String)> {
        [
            ("manager@dewy.example", "dewy-demo"),
            ("frontdesk@dewy.example", "dewy-demo"),
            ("beth.gibbs@email.com", ""),
            ("wei.chen@example.com", ""),
        ]
        .map(|(email, password)| (email.to_owned(), password.to_owned()))
        .to_vec()
    }
}

#[async_trait]
impl Watch for House {
    async fn execution(&self, caller: &Caller, id: &str) -> Option<ExecutionView> {
        self.view(caller, id)
    }

    async fn changed(&self, caller: &Caller, id: &str, after: i64, at_most: Duration) -> Option<ExecutionView> {
        let begun = Instant::now();
        loop {
            let view = self.view(caller, id)?;
            if view.seq > after || view.at_rest || begun.elapsed() > at_most {
                return Some(view);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn executions(&self, caller: &Caller, state: Option<&str>) -> Vec<ListItem> {
        let ids: Vec<String> = self.state().runs.keys().cloned().collect();
        let views = ids.iter().filter_map(|id| self.view(caller, id)).filter(|v| state.is_none_or(|s| s == v.state));
        views
            .map(|v| ListItem {
                execution_id: v.execution_id,
                title: v.title,
                state: v.state,
                reason: v.reason,
                guest_email: v.guest_email,
                booking_number: v.booking_number,
                room_number: v.room_number,
                created_at: v.created_at,
                updated_at: v.updated_at,
            })
            .collect()
    }
}

fn folio(number: &str) -> Value {
    json!({
        "booking_number": number, "booking_status": "Checked In", "room_number": "302", "check_in_date": "2026-11-18",
        "check_out_date": "2026-11-20", "balance": 25000, "currency": "usd", "balance_text": "$250.00",
        "lines": [
            { "kind": "room", "number": "", "amount": 25000, "status": "", "date": "2026-11-18" },
            { "kind": "charge", "number": "PT-0007", "amount": 1850, "status": "Cancelled", "date": "2026-11-19" },
            { "kind": "charge", "number": "PT-0008", "amount": 1200, "status": "Pending", "date": "2026-11-19" },
            { "kind": "payment", "number": "PT-0009", "amount": 1200, "status": "Completed", "date": "2026-11-19" }],
        "saved_cards": [{ "payment_method_id": "pm_1BethVisa4242", "brand": "visa", "last4": "4242", "default": true }]
    })
}

/// The state, and the end, of a check-out with this card after so many steps.
fn picture(persona: Persona, id: &str, card: &str, passed: i64) -> ExecutionView {
    let staff = persona == Persona::Staff;
    let born: Timestamp = "2026-11-20T14:03:20Z".parse().expect("a timestamp");
    let at = |n: i64| Timestamp::from_second(born.as_second() + n).expect("a timestamp");
    let (end, last): (&str, i64) = match card {
        c if c.contains("eclined") => ("refused", 3),
        c if c.contains("authentication") => ("waiting", 3),
        "pm_card_mastercard" => ("compensated", 7),
        "pm_card_amex" => ("needs_attention", 7),
        _ => ("completed", 5),
    };
    let seq = passed.clamp(1, last);
    let rests = seq == last && end != "waiting";
    let back_from = if matches!(end, "compensated" | "needs_attention") { 5 } else { 99 };
    let step = |name: &str, title: &str, nr: i64, bad: &str, attempts: u32, note: &str, key: &str| {
        let state = if seq > nr {
            bad
        } else if seq == nr {
            "running"
        } else {
            "pending"
        };
        StepView {
            name: name.to_owned(),
            title: title.to_owned(),
            state: state.to_owned(),
            attempts: if seq > nr { attempts } else { u32::from(seq == nr) },
            note: if seq > nr { note.to_owned() } else { String::new() },
            at: (seq >= nr).then(|| at(nr)),
            key: (staff && seq >= nr).then(|| key.to_owned()),
        }
    };
    let pay = match end {
        "refused" => "refused",
        "waiting" => "waiting",
        _ => "done",
    };
    let moved = if back_from < 99 { "unknown" } else { "done" };
    let mut forward = vec![
        step("read", "Read the stay and the card", 1, "done", 1, "", "q1"),
        step(
            "pay",
            "Take the payment",
            2,
            pay,
            1,
            if pay == "refused" { "The card was declined." } else { "" },
            "exe:pay:1",
        ),
        step(
            "move",
            "Move booking, room and opportunity",
            3,
            moved,
            if moved == "unknown" { 3 } else { 1 },
            if moved == "unknown" { "Our booking system did not answer." } else { "" },
            "exe",
        ),
        step("receipt", "Send the receipt", 4, if back_from < 99 { "skipped" } else { "done" }, 1, "", "exe:receipt:1"),
    ];
    if end == "refused" && seq > 2 {
        forward.iter_mut().skip(2).for_each(|s| {
            s.state = "pending".into();
            s.at = None;
            s.attempts = 0;
            s.key = None;
        });
    }
    let back = if seq >= back_from {
        vec![
            step("pay", "Give the payment back", 5, "done", 1, "Refunded in full.", "refund:pi_1:0"),
            step(
                "move",
                "Put booking and room back",
                6,
                if end == "compensated" { "done" } else { "skipped" },
                2,
                "",
                "exe:back",
            ),
        ]
    } else {
        vec![]
    };
    let state = if rests || (end == "waiting" && seq == last) {
        end
    } else if seq >= back_from {
        "compensating"
    } else if moved == "unknown" && seq == 4 {
        "retrying"
    } else {
        "running"
    };
    let captured = if pay == "done" && seq > 2 { 25000 } else { 0 };
    let refunded = if seq > 5 && back_from < 99 { 25000 } else { 0 };
    let summary = match state {
        "completed" => "Everything is done.",
        "refused" => "Your bank declined the card, and nothing was charged.",
        "compensated" => "We could not finish, so the payment was refunded and everything put back.",
        "needs_attention" => "The payment was refunded; a person looks at the room.",
        "waiting" => "Your bank wants to ask you before it pays.",
        "compensating" => "We are giving the payment back.",
        "retrying" => "Our booking system does not answer. We are trying again.",
        _ => "We are taking the payment and checking you out.",
    };
    let answer = match state {
        "completed" => Some(
            json!({ "success": true, "execution_id": id, "replayed": false, "data": { "booking_number": "BK-0042", "room_number": "302", "amount": 25000,
            "currency": "usd", "payment_intent_id": "pi_3Q0000Beth", "charge_id": "ch_3Q0000Beth", "receipt_url": "https://pay.example/receipts/1" } }),
        ),
        "refused" => Some(
            json!({ "success": false, "error_code": "PAYMENT_FAILED", "error_message": ErrorCode::PaymentFailed.for_guest(), "details": { "decline_code": "insufficient_funds" } }),
        ),
        "compensated" => Some(
            json!({ "success": false, "error_code": "CHECKOUT_COMPENSATED", "error_message": ErrorCode::CheckoutCompensated.for_guest(), "details": {} }),
        ),
        "needs_attention" => Some(
            json!({ "success": false, "error_code": "NEEDS_ATTENTION", "error_message": ErrorCode::NeedsAttention.for_guest(), "details": {} }),
        ),
        _ => None,
    };
    ExecutionView {
        execution_id: id.to_owned(),
        tool: "process_guest_checkout".to_owned(),
        title: "Check out and pay".to_owned(),
        state: state.to_owned(),
        summary: summary.to_owned(),
        at_rest: rests,
        seq,
        booking_number: Some("BK-0042".to_owned()),
        room_number: Some("302".to_owned()),
        guest_email: staff.then(|| "beth.gibbs@email.com".to_owned()),
        asked_by: staff.then(|| "beth.gibbs@email.com, by form".to_owned()),
        forward,
        back,
        money: (captured > 0).then_some(MoneyView {
            captured: Cents(captured),
            refunded: Cents(refunded),
            currency: Currency::USD,
        }),
        next_action_url: (state == "waiting").then(|| "https://bank.example/3ds".to_owned()),
        answer,
        reason: (state == "needs_attention").then(|| "FOREIGN_EDIT".to_owned()),
        differences: if staff && state == "needs_attention" {
            vec![Difference {
                object: "room".into(),
                field: "Status__c".into(),
                ours: "Cleaning".into(),
                found: "Occupied".into(),
            }]
        } else {
            vec![]
        },
        next_try_at: (state == "retrying").then(|| at(12)),
        created_at: born,
        updated_at: at(seq),
        timeline: if staff {
            (1..=seq).map(|n| EventView { seq: n, at: at(n), title: format!("Event {n}: intent, then outcome"), detail: json!({ "event": "intended", "step": "pay", "attempt": 1, "request": { "key": "exe:pay:1", "path": "/v1/payment_intents" } }) }).collect()
        } else {
            vec![]
        },
    }
}
