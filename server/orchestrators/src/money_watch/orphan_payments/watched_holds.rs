//! Live holds. Each is watched from its grace period on until it is captured, released, or expired:
//! one that no stay needs is released, and one that expires before its guest leaves is renewed. The list
//! of them is stored beside the watermark, which passes them.

use dewy_domain::{
    booking_number::BookingNumber,
    payment::{Payment, PaymentStatus},
    payment_intent_id::PaymentIntentId,
    stay::Stay,
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
        live_holds::{BOOKING, LONGEST_HOLD, is_replaced},
        started_by,
    },
    sagas::{
        check_out::{CHECK_OUT, is_paid_by},
        release_hold::{self, RELEASE_HOLD},
        renew_hold::{self, RENEW_HOLD},
        review_payment::{Finding, REVIEW_PAYMENT},
    },
};

/// Key under which the list is stored.
const WATCHED_HOLDS_KEY: &str = "watched_holds";

/// How long after its expiry a hold is still watched: clocks differ.
const OVERLAP: SignedDuration = SignedDuration::from_hours(1);

/// How long most cards hold an amount.
const USUAL_HOLD: SignedDuration = SignedDuration::from_hours(7 * 24);

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
    /// When it expires, or 7 days after its creation if Stripe does not say it. Not in lists of older
    /// releases, which knew no renewal.
    #[serde(default)]
    expires: Option<Timestamp>,
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
            expires: Some(until.unwrap_or(payment.created + USUAL_HOLD)),
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
                        Ok(head) => self.check_hold(&hold, head.as_ref(), stay).await,
                        Err(why) => Err(why),
                    }
                }
            };
            let is_live = checked.unwrap_or_else(|why| {
                self.failed(hold.payment_intent_id.as_str(), None, why);
                true
            });
            // One that expired is checked once more: it may have been due for renewal in an outage
            if is_live && self.now < hold.until {
                live.push(hold);
            }
        }
        if live == before {
            return Ok(());
        }
        let live = engine_conversions::value(&live);
        let written = store.write(WATCHED_HOLDS_KEY, live).await;
        written.map_err(|e| e.to_string())
    }

    /// Releases a hold that no stay needs, and renews one that expires too early; true while it may be
    /// live.
    async fn check_hold(
        &mut self,
        hold: &WatchedHold,
        placed_by: Option<&ExecutionRecord>,
        stay: Option<&Stay>,
    ) -> Result<bool, String> {
        let (id, booking) = (&hold.payment_intent_id, &hold.booking_id);
        if !release_hold::is_needed(placed_by, id, booking, stay) {
            return self.release(hold).await;
        }
        let expires = hold.expires.unwrap_or(hold.until - OVERLAP);
        let settings = &self.hotel.settings;
        let due = stay.filter(|stay| renew_hold::is_due(settings, stay, expires, self.now));
        if !self.acts || due.is_none() {
            return Ok(true);
        }
        let read = self.hotel.payments.payment(id).await.answered();
        let Some(payment) = read.map_err(|error| error.to_string())? else {
            return Ok(false);
        };
        match payment.status {
            PaymentStatus::RequiresCapture => {}
            // Renewed, or released by an undo before another check-in placed the next one
            PaymentStatus::Canceled => {
                let payments = self.hotel.payments.as_ref();
                let replaced = is_replaced(payments, &payment, self.now).await;
                if replaced.map_err(|error| error.to_string())? {
                    return Ok(false);
                }
            }
            _ => return self.release(hold).await,
        }
        if !self.is_in_other_hands(hold).await? {
            let input = renew_hold::input(id, started_by::clock(REQUESTER));
            let token = format!("{REQUESTER}:renew:{id}");
            let order = by_clock(RENEW_HOLD, "clock:sweep", token, input);
            let started = self.hotel.start_once(order).await;
            started.map_err(|error| error.to_string())?;
        }
        Ok(true)
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
        if self.is_in_other_hands(hold).await? {
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
    async fn is_in_other_hands(&self, hold: &WatchedHold) -> Result<bool, String> {
        let states = [
            State::Queued,
            State::Running,
            State::Retrying,
            State::Waiting,
            State::Compensating,
            State::NeedsAttention,
        ];
        let number = hold.booking_number.as_ref().map(BookingNumber::as_str);
        let found = self.about_booking(number, None, states.to_vec()).await?;
        Ok(found.iter().any(|record| record.saga != REVIEW_PAYMENT))
    }

    /// Check-outs of the booking that a payment names.
    async fn check_outs(&self, payment: &Payment) -> Result<Vec<ExecutionRecord>, String> {
        let number = payment.metadata.get("booking_number").map(String::as_str);
        self.about_booking(number, Some(CHECK_OUT), Vec::new())
            .await
    }

    /// Executions about the booking with this number, of this saga and in these states, where given.
    async fn about_booking(
        &self,
        booking_number: Option<&str>,
        saga: Option<&str>,
        states: Vec<State>,
    ) -> Result<Vec<ExecutionRecord>, String> {
        let Some(number) = booking_number else {
            return Ok(Vec::new());
        };
        let filter = ExecutionFilter {
            saga: saga.map(str::to_owned),
            states,
            labels: vec![("booking_number".to_owned(), number.to_owned())],
            limit: MAX_EXECUTIONS,
            ..ExecutionFilter::default()
        };
        let found = self.hotel.engine.journal().list(&filter).await;
        found.map_err(|error| error.to_string())
    }
}
