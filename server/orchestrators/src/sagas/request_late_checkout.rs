//! The late check-out saga: asks the front desk, with a case, for a later hour on the day of
//! departure. The front desk decides; the stay does not change.

use dewy_domain::{
    case::{CaseQuery, OpenCaseRequest},
    error_code::ErrorCode,
    guest::GuestStay,
    tool_answer::ToolError,
    tool_catalog::{LATEST_CHECKOUT, RequestLateCheckout},
    tool_output::CaseResult,
    vocabulary::{BookingStatus, CaseOrigin, CasePriority, CaseType},
};
use dewy_saga::{Context, PrerequisitesResult, Saga};
use futures::FutureExt;
use jiff::civil::{DateTime, Time};
use serde_json::json;

use crate::saga_parts::{
    find_stay::{guest_or_booking, only_one},
    hotel_dependencies::HotelDependencies,
    not_ready::{NotReady, finished, label, ready},
    open_case,
    started_by::StartedBy,
};

/// Maximum number of open cases of a booking that are compared.
const MAX_CASES: u32 = 50;

pub(crate) fn saga(parts: &HotelDependencies) -> Saga {
    let read = parts.prerequisites(|parts, cx, input| read(parts, cx, input).boxed());
    open_case::saga(
        RequestLateCheckout::NAME,
        "Ask for a late check-out",
        parts,
        read,
    )
}

/// The one stay that is meant: the booking named, else where the guest is, else where they go next.
fn meant(mut stays: Vec<GuestStay>, input: &RequestLateCheckout) -> Result<GuestStay, ToolError> {
    let named = |stay: &GuestStay| {
        let number = input.booking_number.as_ref();
        number.is_none_or(|number| stay.booking_number.eq_ignore_ascii_case(number))
    };
    stays.retain(named);
    let inside = |stay: &GuestStay| stay.booking_status == BookingStatus::CheckedIn;
    if stays.iter().any(inside) {
        stays.retain(inside);
    }
    only_one(stays)?.ok_or_else(|| ToolError::new(ErrorCode::BookingNotFound))
}

/// Checks that the hour is later than the usual one, and than now, and not the evening's.
///
/// # Errors
/// The hours that can be asked for, or that there are none left.
fn check(stay: &GuestStay, at: &str, usual: Option<Time>, now: DateTime) -> Result<(), ToolError> {
    let usual = usual.unwrap_or_default();
    let from = match stay.check_out_date == now.date() {
        true => usual.max(now.time()),
        false => usual,
    };
    if stay.check_out_date < now.date() || from >= LATEST_CHECKOUT {
        let why = "The day of departure is over. Please see the front desk.";
        return Err(ToolError::with(
            ErrorCode::InvalidTransition,
            json!({ "why": why }),
        ));
    }
    let hour = |time: Time| time.strftime("%H:%M").to_string();
    let (from, to) = (hour(from), hour(LATEST_CHECKOUT));
    match at > &*from && at <= &*to {
        true => Ok(()),
        false => Err(ToolError::problem(
            "time",
            "Give a time that is still to come, after your check-out hour, and no later than 18:00.",
        )),
    }
}

async fn read(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: RequestLateCheckout,
) -> Result<PrerequisitesResult, NotReady> {
    let (crm, settings) = (parts.crm.as_ref(), &parts.settings);
    let guest = StartedBy::of(&cx).guest();
    let person = guest_or_booking(crm, (guest.clone(), None), None).await?;
    let stay = meant(person.stays, &input)?;
    let usual = settings.hotel.check_out_by;
    let now = parts.clock.now().to_zoned(settings.time_zone.clone());
    check(&stay, &input.time, usual, now.datetime())?;
    let (day, time) = (stay.check_out_date, &input.time);
    let subject = RequestLateCheckout::subject(day, time).to_string();
    let labels = vec![
        label("booking_number", &stay.booking_number),
        label("room_number", &stay.room_number),
    ];
    // Whoever asks again for the same has one case
    let asked = CaseQuery {
        guest,
        booking_number: Some(stay.booking_number.clone()),
        open: Some(true),
        limit: MAX_CASES,
        ..CaseQuery::default()
    };
    let mut open = crm.cases(&asked).await.answered()?.into_iter();
    let granted = RequestLateCheckout::granted(day, time).to_string();
    if let Some(case) = open.find(|case| [&subject, &granted].contains(&&case.subject)) {
        return finished(CaseResult::from(&case), labels);
    }
    let order = OpenCaseRequest {
        execution_id: cx.id.to_string(),
        description: format!(
            "The guest of booking {} would like to keep room {} until {time} on {}.",
            stay.booking_number,
            stay.room_number,
            settings.hotel.locale.in_language("en").day(day)
        ),
        subject,
        kind: CaseType::Concierge,
        priority: CasePriority::Medium,
        origin: CaseOrigin::Web,
        contact_id: Some(person.id),
        booking_id: Some(stay.booking_id.clone()),
        room_id: Some(stay.room_id),
    };
    ready(
        &order,
        vec![format!("late_checkout:{}", stay.booking_id)],
        labels,
    )
}

#[cfg(test)]
mod tests {
    use jiff::civil::time;

    use super::*;

    fn stay(number: &str, status: BookingStatus) -> GuestStay {
        GuestStay {
            booking_id: number.to_owned(),
            booking_number: number.into(),
            booking_status: status,
            room_id: "a01".to_owned(),
            room_number: "302".into(),
            check_in_date: "2026-03-08".parse().unwrap(),
            check_out_date: "2026-03-10".parse().unwrap(),
        }
    }

    #[test]
    fn the_hour_is_after_the_usual_one_and_not_in_the_evening() {
        let stay = stay("BK-0042", BookingStatus::CheckedIn);
        let eleven = Some(time(11, 0, 0, 0));
        let told = |at, now: &str| {
            let checked = check(&stay, at, eleven, now.parse().unwrap());
            checked.map_err(|error| (error.code, error.details.to_string()))
        };
        let refused = |at, now| told(at, now).unwrap_err();
        for at in ["11:01", "18:00"] {
            assert_eq!(told(at, "2026-03-09T20:00"), Ok(()));
        }
        for at in ["11:00", "09:30", "18:01"] {
            let (code, details) = refused(at, "2026-03-09T20:00");
            assert_eq!(code, ErrorCode::ValidationFailed);
            assert!(details.contains("\"time\""), "{details}");
        }
        let passed = refused("14:00", "2026-03-10T14:30");
        assert_eq!(passed.0, ErrorCode::ValidationFailed);
        for over in ["2026-03-10T18:00", "2026-03-11T08:00"] {
            assert_eq!(refused("17:00", over).0, ErrorCode::InvalidTransition);
        }
    }

    #[test]
    fn the_stay_is_the_one_named_or_else_the_present_one() {
        let (inside, next) = (BookingStatus::CheckedIn, BookingStatus::Reserved);
        let stays = [
            stay("BK-0001", inside.clone()),
            stay("BK-0002", next.clone()),
            stay("BK-0003", next),
        ];
        let of = |stays: &[GuestStay], number: Option<&str>| {
            let input = RequestLateCheckout {
                booking_number: number.map(Into::into),
                time: "14:00".to_owned(),
            };
            let found = meant(stays.to_vec(), &input);
            found
                .map(|stay| stay.booking_id)
                .map_err(|error| error.code)
        };
        assert_eq!(of(&stays, None), Ok("BK-0001".to_owned()));
        assert_eq!(of(&stays, Some("bk-0002")), Ok("BK-0002".to_owned()));
        assert_eq!(of(&stays[1..], None), Err(ErrorCode::MultipleBookings));
        assert_eq!(of(&[], None), Err(ErrorCode::BookingNotFound));
    }
}
