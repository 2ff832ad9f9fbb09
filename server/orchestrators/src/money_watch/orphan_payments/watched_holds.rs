//! Live holds. Each is watched from its grace period on until it is captured, released, or expired:
//! one that no stay needs is released. The list of them is stored beside the watermark, which passes
//! them.

use dewy_domain::{
    booking_number::BookingNumber,
    payment::{Payment, PaymentStatus},
    payment_intent_id::PaymentIntentId,
};
use dewy_saga::{
    ExecutionId, State,
    journal::{ExecutionFilter, ExecutionRecord},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::{PaymentDecision, REQUESTER, Run};
use crate::{
    hotel::start_by_clock::by_clock,
    saga_parts::{
        engine_conversions,
        live_holds::{BOOKING, LONGEST_HOLD},
        started_by,
    },
    sagas::{
        check_out::{CHECK_OUT, is_paid_by},
        release_hold::{self, RELEASE_HOLD},
        review_payment::{Finding, REVIEW_PAYMENT},
    },
};

/// Key under which the list is stored.
const WATCHED_HOLDS_KEY: &str = "watched_holds";

/// How long after its expiry a hold is still watched: clocks differ.
const OVERLAP: SignedDuration = SignedDuration::from_hours(1);

/// Maximum number of executions about one booking to read.
const MAX_EXECUTIONS: usize = 10;

/// A hold on the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WatchedHold {
    payment_intent_id: PaymentIntentId,
    /// Execution that placed it.
    execution: ExecutionId,
    /// Record id of its booking.
    booking_id: String,
    pub booking_number: Option<BookingNumber>,
    /// Until when it can be live.
    until: Timestamp,
}

impl WatchedHold {
    fn of(execution: ExecutionId, payment: &Payment) -> Self {
        let named = |key: &str| payment.metadata.get(key).map(String::as_str);
        let until = payment.hold.as_ref().and_then(|hold| hold.capture_before);
        Self {
            payment_intent_id: payment.id.clone(),
            execution,
            booking_id: named(BOOKING).unwrap_or_default().to_owned(),
            booking_number: named("booking_number").map(BookingNumber::from),
            until: until.unwrap_or(payment.created + LONGEST_HOLD) + OVERLAP,
        }
    }
}

impl Run<'_> {
    /// Puts a live hold on the list.
    pub(super) fn watch(&mut self, execution: ExecutionId, payment: &Payment) {
        self.holds.push(WatchedHold::of(execution, payment));
    }

    /// Checks all watched holds, and stores those that are still live.
    pub(super) async fn check_holds(&mut self) -> Result<(), String> {
        let store = self.hotel.key_value_store.as_ref();
        let kept = store.read(WATCHED_HOLDS_KEY).await;
        let kept = kept.map_err(|e| e.to_string())?;
        let before: Vec<WatchedHold> = kept
            .as_ref()
            .and_then(engine_conversions::read)
            .unwrap_or_default();
        let mut watched = before.clone();
        for new in std::mem::take(&mut self.holds) {
            if !watched
                .iter()
                .any(|old| old.payment_intent_id == new.payment_intent_id)
            {
                watched.push(new);
            }
        }
        watched.retain(|hold| self.now < hold.until);
        if watched.is_empty() && before.is_empty() {
            return Ok(());
        }
        let numbers = watched
            .iter()
            .filter_map(|hold| hold.booking_number.clone());
        let stays = self.stays_of(numbers.collect()).await;
        let heads = self.heads(watched.iter().map(|hold| hold.execution)).await;
        let mut live = Vec::new();
        for hold in watched {
            let stay = hold
                .booking_number
                .as_ref()
                .and_then(|number| stays.get(number));
            let checked = match stay {
                Some(Err(error)) => Err(error.to_string()),
                other => {
                    let stay = other.and_then(|read| read.as_ref().ok());
                    match self.head(&heads, hold.execution).await {
                        Ok(head) => {
                            let state = head.map(|head| head.state);
                            match release_hold::is_needed(state, &hold.booking_id, stay) {
                                true => Ok(true),
                                false => self.release(&hold).await,
                            }
                        }
                        Err(why) => Err(why),
                    }
                }
            };
            match checked {
                Ok(true) => live.push(hold),
                Ok(false) => {}
                Err(why) => {
                    self.failed(hold.payment_intent_id.as_str(), None, why);
                    live.push(hold);
                }
            }
        }
        if live == before {
            return Ok(());
        }
        let live = engine_conversions::value(&live);
        let written = store.write(WATCHED_HOLDS_KEY, live).await;
        written.map_err(|e| e.to_string())
    }

    /// Releases a hold that no stay needs; true while it is live.
    async fn release(&mut self, hold: &WatchedHold) -> Result<bool, String> {
        let read = self.hotel.payments.payment(&hold.payment_intent_id).await;
        let Some(payment) = read.answered().map_err(|error| error.to_string())? else {
            return Ok(false);
        };
        match payment.status {
            PaymentStatus::RequiresCapture => {}
            PaymentStatus::Succeeded => {
                let decided = self.decide_captured_hold(&payment).await?;
                return Ok(decided == PaymentDecision::Open);
            }
            _ => return Ok(false),
        }
        if self.is_in_other_hands(&payment).await? {
            return Ok(true);
        }
        self.view.found += 1;
        if self.acts {
            let by = started_by::clock(REQUESTER);
            let input = release_hold::input(&payment.id, by);
            let token = format!("{REQUESTER}:release:{}", payment.id);
            let order = by_clock(RELEASE_HOLD, "clock:sweep", token, input);
            let new = self.hotel.start_once(order).await;
            self.view.fixed += u32::from(new.map_err(|error| error.to_string())?);
        }
        Ok(true)
    }

    /// A captured hold is the payment of the check-out that captured it.
    pub(super) async fn decide_captured_hold(
        &mut self,
        payment: &Payment,
    ) -> Result<PaymentDecision, String> {
        if payment.received <= payment.refunded {
            return Ok(PaymentDecision::Judged);
        }
        let check_outs = self.check_outs(payment).await?;
        let by = |record: &&ExecutionRecord| is_paid_by(record, &payment.id);
        if let Some(record) = check_outs.iter().find(by) {
            return self.decide_journaled_payment(record, payment).await;
        }
        if check_outs.iter().any(|record| !record.state.has_ended()) {
            return Ok(PaymentDecision::Open);
        }
        let why = "no check-out captured this hold".to_owned();
        self.report_finding(None, payment, Finding::NotJudged { why })
            .await
    }

    /// Whether an execution about the hold's booking is in progress, or has a person: a check-out may
    /// still capture the hold, and an undo still release it.
    async fn is_in_other_hands(&self, payment: &Payment) -> Result<bool, String> {
        let states = [
            State::Queued,
            State::Running,
            State::Retrying,
            State::Waiting,
            State::Compensating,
            State::NeedsAttention,
        ];
        let found = self.about_booking(payment, None, states.to_vec()).await?;
        Ok(found.iter().any(|record| record.saga != REVIEW_PAYMENT))
    }

    /// Check-outs of the booking that a payment names.
    async fn check_outs(&self, payment: &Payment) -> Result<Vec<ExecutionRecord>, String> {
        self.about_booking(payment, Some(CHECK_OUT), Vec::new())
            .await
    }

    /// Executions about the booking that a payment names, of this saga and in these states, where
    /// given.
    async fn about_booking(
        &self,
        payment: &Payment,
        saga: Option<&str>,
        states: Vec<State>,
    ) -> Result<Vec<ExecutionRecord>, String> {
        let Some(number) = payment.metadata.get("booking_number") else {
            return Ok(Vec::new());
        };
        let filter = ExecutionFilter {
            saga: saga.map(str::to_owned),
            states,
            labels: vec![("booking_number".to_owned(), number.clone())],
            limit: MAX_EXECUTIONS,
            ..ExecutionFilter::default()
        };
        let found = self.hotel.engine.journal().list(&filter).await;
        found.map_err(|error| error.to_string())
    }
}
