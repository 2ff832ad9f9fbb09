//! Prerequisites: finds the stay and checks whether the charge may be posted or voided.

use std::cmp::Reverse;

use dewy_domain::{
    auto_number::is_same,
    blank_text::is_blank,
    error_code::ErrorCode,
    error_details::Similar,
    money::Cents,
    search_key::search_key,
    stay::{LineKind, Stay},
    tool_answer::{Problem, ToolError},
    tool_catalog::PostCharge,
    upstream_request::{Fault, Outcome},
    vocabulary::{BookingStatus, LineStatus},
};
use dewy_saga::{Context, ExecutionId, PrerequisitesResult};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::facts::Facts;
use crate::saga_parts::{
    engine_conversions,
    find_stay::several,
    hotel_dependencies::HotelDependencies,
    room_lookup::{self, no_such_room},
    tool_answer::{prerequisites_unavailable, refused},
};

/// How long an equal charge may be the same wish, sent again.
const SAME_WISH: SignedDuration = SignedDuration::from_mins(10);

/// Rules no schema can express: which fields belong together.
fn problems(input: &PostCharge) -> Vec<Problem> {
    let mut problems = Vec::new();
    if input.room_number.is_none() && input.booking_number.is_none() {
        problems.push(Problem::new(
            "room_number",
            "Give room_number or booking_number.",
        ));
    }
    if input.void {
        if input.charge_number.is_none() {
            problems.push(Problem::new(
                "charge_number",
                "Say which charge is to be voided, such as PT-00012.",
            ));
        }
        for (field, given) in [
            ("amount", input.amount.is_some()),
            ("description", input.description.is_some()),
        ] {
            if given {
                problems.push(Problem::new(
                    field,
                    "A void takes back the whole charge; leave this out.",
                ));
            }
        }
    } else {
        if input.charge_number.is_some() {
            problems.push(Problem::new("charge_number", "Only with void: true."));
        }
        if input.amount.is_none() {
            problems.push(Problem::new(
                "amount",
                "amount is missing: how much, in cents.",
            ));
        }
        if input.description.as_deref().is_none_or(is_blank) {
            problems.push(Problem::new(
                "description",
                "description is missing: what the guest reads on the bill.",
            ));
        }
    }
    problems
}

/// Why there is no stay to charge: no such booking or room, or nobody in it.
async fn nobody(parts: &HotelDependencies, input: &PostCharge) -> Result<ToolError, Fault> {
    let room = match (&input.booking_number, &input.room_number) {
        (None, Some(number)) => number,
        (_, _) => return Ok(ToolError::new(ErrorCode::BookingNotFound)),
    };
    Ok(match room_lookup::room(parts.crm.as_ref(), room).await? {
        Some(_) => {
            let details = json!({ "room_number": room });
            ToolError::with(ErrorCode::BookingNotFound, details)
        }
        None => no_such_room(room),
    })
}

pub(super) async fn read(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: PostCharge,
) -> PrerequisitesResult {
    let problems = problems(&input);
    if !problems.is_empty() {
        return refused(ToolError::problems(&problems));
    }
    let room = input.room_number.as_ref();
    let found = match (&input.booking_number, room) {
        (Some(number), _) => {
            parts
                .crm
                .stays_by_number(std::slice::from_ref(number))
                .await
        }
        (None, Some(room)) => parts.crm.in_house(room).await,
        (None, None) => Outcome::Done(Vec::new()),
    };
    let mut found = match found.answered() {
        Ok(found) => found,
        Err(error) => return prerequisites_unavailable(error),
    };
    // Two bookings in one room: whose bill it is, only the caller knows
    if found.len() > 1 {
        let all = found
            .iter()
            .map(|stay| (&stay.booking.number, &stay.room.number));
        return refused(several(all));
    }
    let Some(stay) = found.pop() else {
        return match nobody(parts, &input).await {
            Ok(error) => refused(error),
            Err(fault) => prerequisites_unavailable(fault),
        };
    };
    // Salesforce finds a room in any letter case
    if room.is_some_and(|room| search_key(room) != search_key(&stay.room.number)) {
        return refused(ToolError::with(
            ErrorCode::BookingNotFound,
            json!({ "room_number": stay.room.number }),
        ));
    }
    if stay.booking.status != BookingStatus::CheckedIn {
        let mut details =
            json!({ "booking_number": stay.booking.number, "booking_status": stay.booking.status });
        if let Some(why) = closed_bill(&stay.booking.status) {
            details["why"] = json!(why);
        }
        return refused(ToolError::with(ErrorCode::InvalidTransition, details));
    }
    let labels = vec![
        ("booking_number".to_owned(), stay.booking.number.to_string()),
        ("room_number".to_owned(), stay.room.number.to_string()),
    ];
    let (amount, void) = match input.charge_number.as_deref() {
        None => match input.amount {
            Some(amount) => {
                let again = repeated(&stay, amount, cx.now, cx.id);
                if let Some(again) = again.filter(|again| !again.is(input.repeat_of.as_deref())) {
                    let details = json!({ "similar": again });
                    return refused(ToolError::with(ErrorCode::PossibleDuplicate, details));
                }
                (amount, None)
            }
            None => {
                return refused(ToolError::problems(&[Problem::new(
                    "amount",
                    "amount must be a whole number of cents.",
                )]));
            }
        },
        Some(number) => {
            let Some(line) = stay
                .lines
                .iter()
                .find(|l| is_same(&l.number, number) && l.kind == LineKind::Charge)
            else {
                return refused(ToolError::with(
                    ErrorCode::ChargeNotFound,
                    json!({ "charge_number": number }),
                ));
            };
            if line.status != LineStatus::Pending {
                let details = json!({ "charge_number": line.number, "charge_status": line.status });
                return refused(ToolError::with(ErrorCode::InvalidTransition, details));
            }
            (
                line.amount.unwrap_or_default(),
                Some((line.id.clone(), line.number.clone())),
            )
        }
    };
    // A running check-out has read what it charges: a line posted meanwhile would stay unpaid
    let claims = vec![format!("booking:{}", stay.booking.id)];
    PrerequisitesResult::Ready {
        facts: engine_conversions::value(&Facts { stay, amount, void }),
        claims,
        labels,
    }
}

/// Latest charge of the same amount on the same bill that is so young that it may be the same one.
fn repeated(stay: &Stay, amount: Cents, now: Timestamp, own: ExecutionId) -> Option<Similar> {
    let own = own.to_string();
    let alike = stay.lines.iter().filter(|line| {
        line.kind == LineKind::Charge
            && line.status == LineStatus::Pending
            && line.amount == Some(amount)
            && line.external_id.as_deref() != Some(own.as_str())
    });
    let ages = alike.filter_map(|line| {
        let age = now.duration_since(line.at?);
        (age < SAME_WISH).then_some((age, line))
    });
    // Times are whole seconds
    let (age, line) = ages.min_by_key(|(age, line)| (*age, Reverse(&line.number)))?;
    Some(Similar {
        number: line.number.clone(),
        room_number: None,
        minutes_ago: Some(age.as_mins().max(0)),
    })
}

/// What the front desk can do about the bill of a stay that is checked out.
fn closed_bill(status: &BookingStatus) -> Option<&'static str> {
    (*status == BookingStatus::CheckedOut).then_some(
        "The stay is checked out, so its bill is closed. Refund what was charged wrongly in Stripe's \
         dashboard: Needs attention then shows it as refunded outside this program, to be marked as \
         solved. What was forgotten can no longer be charged here.",
    )
}
