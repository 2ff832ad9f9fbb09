//! A booking for somebody who stands at the desk: the same steps, then the check-in, as one durable
//! execution.
//!
//! ```text
//! read   as for a booking; the room must be ready, and the stay begin today
//! book, check                          as for a booking
//! move   + the check-in's composite    retried while the booking system is down; if somebody has changed
//!                                      the stay meanwhile, the booking stands and the answer says so
//! ```

use async_trait::async_trait;
use dewy_domain::{
    error_code::ErrorCode,
    hotel_calendar::HotelDay,
    money::Currency,
    nights::Nights,
    ports::CheckOutRecords,
    sentence::Sentence,
    stay::{Room, Stay},
    tool_answer::ToolError,
    tool_output::BookingResult,
};
use dewy_saga::{
    Activity, Context, End, Fault, Outcome, OutcomeCheck, Plan, Request, Saga, StepId,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{BOOK, booked, confirmation, result};
use crate::{
    saga_parts::{
        hotel_dependencies::HotelDependencies,
        outbox,
        reconciled_write::ReconciledWrite,
        settings::Settings,
        tool_answer::{self, need_vacant},
    },
    sagas::check_in::{self, MOVE, MoveIn},
};

/// Name of the saga; `create_booking` with `check_in` starts it.
pub(crate) const WALK_IN: &str = "walk_in";

/// The check-in's step, which may end without a check-in.
const ARRIVE: StepId<Arrival> = StepId::new(MOVE.name);

/// What became of the check-in.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Arrival {
    /// Checked in.
    In(Box<CheckOutRecords>),
    /// Booked only, and why.
    Not { not_checked_in: String },
}

pub(crate) fn walk_in(parts: &HotelDependencies) -> Saga {
    let settings = &parts.settings;
    let currency = settings.currency;
    booked(WALK_IN, "Book and check in", parts)
        .retriable(
            ARRIVE,
            "Check in to the room",
            Arrive(ReconciledWrite::new(parts, MoveIn(stay))),
        )
        .no_undo("undoing the check-in is a separate call, and the booking stands without it")
        .until_known()
        .attention(check_in::left_otherwise)
        .projection(outbox::after(End::Completed, "check_in", settings, text))
        .answer(tool_answer::of_result(move |cx| arrived(cx, currency)))
}

/// Whether somebody can move into this room now, for these nights.
///
/// # Errors
/// The room is not ready, or the stay doesn't begin today.
pub(super) fn check_arrival(room: &Room, nights: Nights, today: HotelDay) -> Result<(), ToolError> {
    if !today.is_open(nights.from, nights.to) {
        let message = "A walk-in arrives today, and leaves on a later day.";
        let problems = json!([{ "field": "check_in_date", "message": message }]);
        return Err(ToolError::with(
            ErrorCode::DatesInvalid,
            json!({ "problems": problems }),
        ));
    }
    need_vacant(room, json!({}))
}

fn stay(cx: &Context<'_>) -> Option<Stay> {
    Some(cx.output(BOOK)?.there.stay)
}

fn arrived(cx: Context<'_>, currency: Currency) -> Option<(BookingResult, bool)> {
    let (booking, created) = result(cx, currency)?;
    let booking = match cx.output(ARRIVE)? {
        Arrival::In(now) => BookingResult {
            booking_status: now.booking.status,
            opportunity_stage: now.opportunity.stage,
            ..booking
        },
        Arrival::Not { not_checked_in } => BookingResult {
            note: Some(format!(
                "The booking stands, but the guest is not checked in: {not_checked_in}."
            )),
            ..booking
        },
    };
    Some((booking, created))
}

fn text(cx: Context<'_>, settings: &Settings) -> Option<Sentence> {
    match cx.output(ARRIVE)? {
        Arrival::In(_) => stay(&cx).map(|stay| check_in::welcome(&stay, settings)),
        Arrival::Not { .. } => confirmation(cx, settings),
    }
}

/// The check-in; a refusal of it leaves the booking as it is.
struct Arrive(ReconciledWrite<MoveIn>);

fn not(fault: Fault) -> Arrival {
    Arrival::Not {
        not_checked_in: fault.message,
    }
}

fn arrival(outcome: Outcome<CheckOutRecords>) -> Outcome<Arrival> {
    match outcome {
        Outcome::Refused(fault) => Outcome::Done(not(fault)),
        other => other.map(|now| Arrival::In(Box::new(now))),
    }
}

#[async_trait]
impl Activity for Arrive {
    type Output = Arrival;

    fn build(&self, cx: Context<'_>) -> Option<Plan> {
        self.0.build(cx)
    }

    async fn send(&self, cx: Context<'_>, request: &Request) -> Outcome<Arrival> {
        arrival(self.0.send(cx, request).await)
    }

    async fn determine_outcome(&self, cx: Context<'_>, request: &Request) -> OutcomeCheck<Arrival> {
        match self.0.determine_outcome(cx, request).await {
            OutcomeCheck::Outcome(outcome) => arrival(outcome).into(),
            OutcomeCheck::SendAgain => OutcomeCheck::SendAgain,
            OutcomeCheck::Guard(guard) => OutcomeCheck::Guard(guard),
        }
    }

    async fn send_guard(&self, cx: Context<'_>, request: &Request) -> Outcome {
        self.0.send_guard(cx, request).await
    }
}
