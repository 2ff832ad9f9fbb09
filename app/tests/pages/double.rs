//! Test double of the server behind the pages: one visitor, and executions whose result depends on
//! the input.

#![allow(clippy::expect_used, reason = "a stand-in may fall over")]

mod attention;
mod boards;
mod concierge;
mod desk;
mod doors;
mod notes;
mod pictures;
mod programs;
mod public_inventory;
mod reconciliation;
mod stays;
mod system_status;
mod tools;
mod views;

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, MutexGuard,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Persona, Role},
    error_code::ErrorCode,
    hotel_profile::HotelProfile,
    money::{Cents, Currency},
    ports::{
        AttentionView, Clock, Email, ExecutionFeed, FaultInjectionView, ReceiptEmail, SavedView,
        SignedIn,
    },
    tool::ToolCall,
    view::{CheckoutPause, ExecutionView, GuestActivity, MoneyCheck, MoneyView, OrphanCheckView},
};
use jiff::Timestamp;
use serde_json::json;

/// Start of all executions.
pub fn born() -> Timestamp {
    "2026-11-20T14:03:20Z".parse().expect("a timestamp")
}

/// Hotel as the pages see it.
#[derive(Debug)]
pub struct House {
    state: Mutex<State>,
    tokens: AtomicU64,
    changes: AtomicI64,
}

#[derive(Debug, Default)]
struct State {
    who: Option<SignedIn>,
    aside: BTreeMap<String, String>,
    runs: BTreeMap<String, Run>,
    calls: Vec<ToolCall>,
    revoked: Vec<String>,
    fault_injection: Option<FaultInjectionView>,
    notes: Vec<notes::Note>,
    views: Vec<SavedView>,
    key: Option<String>,
    paused: bool,
    attention: AttentionView,
    due_elsewhere: Vec<String>,
    no_rooms: Option<ErrorCode>,
    profile: HotelProfile,
    emails: Vec<(String, Email)>,
    /// What became of the email, if not what usually does.
    receipt_email: Option<ReceiptEmail>,
}

/// Execution: the tool, and what decides its result.
#[derive(Clone, Debug)]
struct Run {
    tool: String,
    end: String,
}

impl House {
    /// Pauses check-outs.
    pub fn pause(&self) {
        self.state().paused = true;
    }

    /// Decides what became of the emails with receipts.
    pub fn receipt_email(&self, email: ReceiptEmail) {
        self.state().receipt_email = Some(email);
    }

    /// Emails about an execution.
    pub fn emails(&self) -> Vec<(String, Email)> {
        self.state().emails.clone()
    }

    /// Makes an execution wait for another release.
    pub fn leave_alone(&self, id: &str) {
        self.state().due_elsewhere.push(id.to_owned());
    }

    /// Sets the items that need attention.
    pub fn waits(&self, view: AttentionView) {
        self.state().attention = view;
    }

    /// Profile of the hotel.
    pub fn hotel(&self) -> HotelProfile {
        HotelProfile {
            phone: Some("+1 555 010 9000".to_owned()),
            emergency_number: Some("911".to_owned()),
            ..self.state().profile.clone()
        }
    }

    /// Configures the hotel.
    pub fn configure(&self, profile: HotelProfile) {
        self.state().profile = profile;
    }

    /// Empty hotel.
    pub fn new() -> Self {
        Self {
            state: Mutex::default(),
            tokens: AtomicU64::new(0),
            changes: AtomicI64::new(1),
        }
    }

    /// Makes Stripe live: no test cards, and a card may be entered.
    pub fn go_live(&self) {
        self.state().key = Some("pk_test_dewy".to_owned());
    }

    /// Stripe's publishable key, if Stripe is live.
    pub fn key(&self) -> Option<String> {
        self.state().key.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("no test panics while it holds the state")
    }

    /// New token.
    pub fn token(&self) -> String {
        format!("token-{}", self.tokens.fetch_add(1, Ordering::Relaxed))
    }

    /// The tool calls so far.
    pub fn calls(&self) -> Vec<ToolCall> {
        self.state().calls.clone()
    }

    /// Adds a completed check-out with a known id.
    pub fn plant(&self, id: &str, card: &str) {
        let run = Run {
            tool: "process_guest_checkout".to_owned(),
            end: card.to_owned(),
        };
        self.state().runs.insert(id.to_owned(), run);
    }

    /// Adds a text that could not be sent.
    pub fn fail_text(&self, id: &str) {
        let run = Run {
            tool: "send_text".to_owned(),
            end: "failed".to_owned(),
        };
        self.state().runs.insert(id.to_owned(), run);
    }

    fn begin(&self, tool: &str, end: &str) -> String {
        let mut state = self.state();
        let id = format!("exe_{:032x}", 0x0193_4000 + state.runs.len());
        state.runs.insert(
            id.clone(),
            Run {
                tool: tool.to_owned(),
                end: end.to_owned(),
            },
        );
        drop(state);
        self.changes.fetch_add(1, Ordering::Relaxed);
        id
    }

    fn view(&self, caller: &Caller, id: &str) -> Option<ExecutionView> {
        let run = self.state().runs.get(id)?.clone();
        // All steps are done at once
        let passed = 99;
        if run.tool == "process_guest_checkout" {
            return Some(pictures::check_out(caller.persona, id, &run.end, passed));
        }
        let ending = match run.end.as_str() {
            "cleaning" => Err((
                ErrorCode::RoomNotVacant,
                json!({ "room_status": "Cleaning" }),
            )),
            "several" => Err((
                ErrorCode::MultipleReservations,
                json!({ "reservations": [
                    { "booking_number": "BK-0061", "room_number": "105", "check_in_date": "2026-11-20", "check_out_date": "2026-11-23" },
                    { "booking_number": "BK-0062", "room_number": "210", "check_in_date": "2026-11-20", "check_out_date": "2026-11-21" }] }),
            )),
            "early" => Err((
                ErrorCode::OutsideCheckInWindow,
                json!({ "check_in_date": "2026-11-28", "check_out_date": "2026-11-30" }),
            )),
            "taken" => Err((
                ErrorCode::RoomAlreadyBooked,
                json!({ "room_number": "305" }),
            )),
            "cancel" => Ok(json!({ "booking_number": "BK-0070", "booking_status": "Cancelled" })),
            "book" => Ok(
                json!({ "booking_number": "BK-0071", "room_number": "305", "check_in_date": "2026-12-01",
                "check_out_date": "2026-12-03", "amount": 35000, "currency": "usd" }),
            ),
            _ => Ok(
                json!({ "booking_number": "BK-0042", "room_number": "302", "check_in_date": "2026-11-20", "check_out_date": "2026-11-22" }),
            ),
        };
        let mut view = pictures::simple(caller.persona, id, &run.tool, ending, passed);
        if run.tool == "send_text" {
            view.state = "needs_attention".to_owned();
        }
        Some(view)
    }
}

#[async_trait]
impl Clock for House {
    fn now(&self) -> Timestamp {
        // A fixed time
        born() + Duration::from_secs(47)
    }

    async fn sleep(&self, duration: Duration) {
        tokio::time::sleep(duration).await;
    }
}

#[async_trait]
impl ExecutionFeed for House {
    async fn execution(&self, caller: &Caller, id: &str) -> Option<ExecutionView> {
        self.view(caller, id)
    }

    async fn find_by_token(&self, _: &Caller, _: &str) -> Option<ExecutionView> {
        // No page looks up by token.
        None
    }

    async fn activities(&self, caller: &Caller, at_most: usize) -> Vec<GuestActivity> {
        let ids: Vec<String> = self.state().runs.keys().cloned().collect();
        let views = ids.iter().rev().filter_map(|id| self.view(caller, id));
        views
            .take(at_most)
            .map(|view| GuestActivity {
                execution_id: view.execution_id,
                tool: view.tool,
                state: view.state,
                at_rest: view.at_rest,
                booking_number: view.booking_number,
                room_number: view.room_number,
                answer: view.answer,
                created_at: view.created_at,
                updated_at: view.updated_at,
            })
            .collect()
    }

    async fn changed(
        &self,
        caller: &Caller,
        id: &str,
        after: i64,
        at_most: Duration,
    ) -> Option<ExecutionView> {
        let begun = Instant::now();
        loop {
            let view = self.view(caller, id)?;
            if view.seq > after || view.at_rest || begun.elapsed() > at_most {
                return Some(view);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn receipt_email(&self, _: &Caller, id: &str) -> ReceiptEmail {
        let state = self.state();
        let sent = state.emails.iter().any(|(about, _)| about == id);
        match state.receipt_email {
            Some(email) => email,
            None if sent => ReceiptEmail::OnItsWay,
            None => ReceiptEmail::Unsent,
        }
    }

    async fn email_receipt(
        &self,
        caller: &Caller,
        id: &str,
        email: Email,
    ) -> Result<String, ErrorCode> {
        assert_eq!(email.to, caller.email);
        self.state().emails.push((id.to_owned(), email));
        Ok("exe_letter".to_owned())
    }

    async fn due_elsewhere(&self, caller: &Caller) -> Vec<ExecutionView> {
        let ids = self.state().due_elsewhere.clone();
        let views = ids.iter().filter_map(|id| self.view(caller, id));
        views
            .map(|view| ExecutionView {
                next: "This release does not know version 2 of it.".to_owned(),
                ..view
            })
            .collect()
    }

    async fn lists_changed(&self, _: &Caller, after: i64, at_most: Duration) -> i64 {
        let begun = Instant::now();
        loop {
            let now = self.changes.load(Ordering::Relaxed);
            if now != after || begun.elapsed() >= at_most {
                return now;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn money(&self, caller: &Caller, id: &str) -> Option<MoneyCheck> {
        if caller.persona != Persona::Staff {
            return None;
        }
        let ours = self.view(caller, id)?.money?;
        let disputed = self
            .state()
            .runs
            .get(id)
            .is_some_and(|run| run.end == "pm_card_amex");
        let theirs = if disputed {
            MoneyView {
                refunded: Cents(0),
                ..ours
            }
        } else {
            ours
        };
        let refunds = (theirs.refunded.0 > 0).then(|| {
            (
                "re_3Q0000Beth".to_owned(),
                "succeeded".to_owned(),
                theirs.refunded,
            )
        });
        Some(MoneyCheck {
            ours,
            theirs,
            refunds: refunds.into_iter().collect(),
            agrees: ours == theirs,
            at: self.now(),
        })
    }

    async fn sweep(&self, _: &Caller) -> Option<OrphanCheckView> {
        Some(OrphanCheckView {
            last_run_at: Some(born()),
            looked_at: 41,
            found: 1,
            fixed: 1,
            flagged: 2,
            next_run_at: Some(born() + Duration::from_secs(300)),
            ..OrphanCheckView::default()
        })
    }

    async fn checkout_pause(&self, _: &Caller) -> Option<CheckoutPause> {
        self.state().paused.then(|| CheckoutPause {
            failures: 4,
            since: born(),
            next_probe_at: self.now() + Duration::from_secs(90),
            cause: "FIELD_CUSTOM_VALIDATION_EXCEPTION".to_owned(),
            message: Some("Rooms are inspected before check-out.".to_owned()),
            latest: "exe_1".to_owned(),
        })
    }

    async fn lift_checkout_pause(&self, caller: &Caller) -> bool {
        let manager = caller.role == Some(Role::Manager);
        self.state().paused &= !manager;
        manager
    }
}

const USD: Currency = Currency::USD;
