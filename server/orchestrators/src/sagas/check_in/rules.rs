//! Prerequisites: finds the reservation and checks whether the guest may check in now. The saga that
//! places a hold also decides what to hold.

use dewy_domain::{
    error_code::ErrorCode,
    hotel_calendar::HotelDay,
    ports::{StayQuery, StaySelection, StayWrite},
    stay::Stay,
    tool_answer::ToolError,
    tool_catalog::CheckInGuest,
    vocabulary::BookingStatus,
};
use dewy_saga::{Context, PrerequisitesResult};
use jiff::civil::Date;
use serde_json::{Value, json};

use super::{
    hold::{self, CheckInFacts},
    presentation,
};
use crate::saga_parts::{
    find_stay,
    hotel_dependencies::HotelDependencies,
    not_ready::{NotReady, finished, ready},
    started_by::StartedBy,
    tool_answer::need_vacant,
};

/// A reservation that may be checked in now, with its labels.
type Arrival = (Stay, Vec<(String, String)>);

pub(super) async fn read(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: CheckInGuest,
) -> Result<PrerequisitesResult, NotReady> {
    let (stay, labels) = arrival(parts, &cx, &input).await?;
    ready(&stay, claims(&stay), labels)
}

pub(super) async fn read_with_hold(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: CheckInGuest,
) -> Result<PrerequisitesResult, NotReady> {
    let (stay, labels) = arrival(parts, &cx, &input).await?;
    let hold = hold::decide(parts, &cx, &input, &stay).await?;
    let claims = claims(&stay);
    ready(&CheckInFacts { stay, hold }, claims, labels)
}

fn claims(stay: &Stay) -> Vec<String> {
    vec![
        format!("booking:{}", stay.booking.id),
        format!("room:{}", stay.room.id),
    ]
}

/// The reservation that the caller means.
///
/// # Errors
/// The refusal, or the answer for a guest who is in already.
async fn arrival(
    parts: &HotelDependencies,
    cx: &Context<'_>,
    input: &CheckInGuest,
) -> Result<Arrival, NotReady> {
    let input = input.clone();
    let today = parts.settings.calendar().day(cx.now);
    let asked = input.check_in_date;
    let query = StayQuery {
        guest: StartedBy::of(cx).guest_meant(input.guest_email),
        booking_number: input.booking_number,
        room_number: input.room_number,
        wanted: StaySelection::Arriving,
    };
    let found = parts.crm.stays(&query).await.answered()?;
    if let Some(error) = parts.crm.barred(StayWrite::CheckIn) {
        return Err(error.into());
    }
    if found.is_empty() {
        let known = match &query.guest {
            Some(guest) => parts.crm.knows_guest(guest.email()).await.answered()?,
            None => true,
        };
        let code = if known {
            ErrorCode::ReservationNotFound
        } else {
            ErrorCode::GuestNotFound
        };
        return Err(ToolError::new(code).into());
    }
    let stay = choose(found, asked, today)?;
    let labels = find_stay::labels(&stay, query.guest.as_ref());
    if stay.booking.status == BookingStatus::CheckedIn {
        return Err(NotReady(finished(presentation::present(stay), labels)?));
    }
    judge(&stay)?;
    Ok((stay, labels))
}

/// Reservations for a day: those with a night left, otherwise those that end on it.
fn for_day(reserved: &[Stay], day: Date) -> Vec<Stay> {
    let has_night = |stay: &&Stay| stay.booking.check_in <= day && day < stay.booking.check_out;
    let fitting: Vec<_> = reserved.iter().filter(has_night).cloned().collect();
    if !fitting.is_empty() {
        return fitting;
    }
    let ends = |stay: &&Stay| stay.booking.check_out == day;
    reserved.iter().filter(ends).cloned().collect()
}

/// Selects the single reservation for the day asked for, by default today. It must also be open
/// for check-in today, whatever date the caller names.
///
/// # Errors
/// The caller's error: no reservation, several, or not open now.
fn choose(found: Vec<Stay>, asked: Option<Date>, today: HotelDay) -> Result<Stay, ToolError> {
    let (reserved, others): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|s| s.booking.status == BookingStatus::Reserved);
    let day = asked.unwrap_or(today.hotel);
    let mut fitting = for_day(&reserved, day);
    if fitting.is_empty() && asked.is_none() {
        fitting = for_day(&reserved, today.calendar);
    }
    if fitting.len() > 1 {
        let code = if fitting
            .iter()
            .any(|s| s.booking.guest_id != fitting[0].booking.guest_id)
        {
            ErrorCode::MultipleGuests
        } else {
            ErrorCode::MultipleReservations
        };
        return Err(ToolError::with(
            code,
            json!({ "reservations": list(&fitting) }),
        ));
    }
    if let Some(stay) = fitting.pop() {
        if today.is_open(stay.booking.check_in, stay.booking.check_out) {
            return Ok(stay);
        }
        return Err(outside_window(&stay, today.hotel));
    }
    // A repeated check-in is answered with the current state.
    let mut inside: Vec<_> = others
        .iter()
        .filter(|s| s.booking.status == BookingStatus::CheckedIn)
        .cloned()
        .collect();
    match (inside.pop(), inside.is_empty()) {
        (Some(stay), true) => return Ok(stay),
        (Some(stay), false) => {
            inside.push(stay);
            return Err(ToolError::with(
                ErrorCode::MultipleReservations,
                json!({ "reservations": list(&inside) }),
            ));
        }
        (None, _) => {}
    }
    match (
        reserved.len(),
        reserved.into_iter().next(),
        others.into_iter().next(),
    ) {
        (1, Some(stay), _) => Err(outside_window(&stay, day)),
        (0, None, Some(stay)) => Err(judge(&stay)
            .err()
            .unwrap_or_else(|| ToolError::new(ErrorCode::ReservationNotFound))),
        _ => Err(ToolError::new(ErrorCode::ReservationNotFound)),
    }
}

fn outside_window(stay: &Stay, day: Date) -> ToolError {
    let details = json!({
        "booking_number": stay.booking.number, "check_in_date": stay.booking.check_in,
        "check_out_date": stay.booking.check_out, "asked_for": day,
    });
    ToolError::with(ErrorCode::OutsideCheckInWindow, details)
}

fn list(stays: &[Stay]) -> Vec<Value> {
    let one = |s: &Stay| {
        json!({ "booking_number": s.booking.number, "room_number": s.room.number,
            "check_in_date": s.booking.check_in, "check_out_date": s.booking.check_out, "booking_status": s.booking.status })
    };
    stays.iter().map(one).collect()
}

/// Whether this booking may be checked into this room now.
fn judge(stay: &Stay) -> Result<(), ToolError> {
    if stay.booking.status != BookingStatus::Reserved {
        let details =
            json!({ "booking_number": stay.booking.number, "booking_status": stay.booking.status });
        return Err(ToolError::with(ErrorCode::InvalidTransition, details));
    }
    need_vacant(&stay.room, json!({ "booking_number": stay.booking.number }))
}

#[cfg(test)]
mod tests {
    use dewy_domain::{
        money::Cents,
        stay::{Booking, Opportunity, Room, Stamp},
        vocabulary::{OpportunityStage, RoomStatus},
    };
    use jiff::civil::date;

    use super::*;

    fn stay(number: &str, status: BookingStatus, from: Date, to: Date) -> Stay {
        let stamp = Stamp {
            at: jiff::Timestamp::UNIX_EPOCH,
            by: "005".into(),
        };
        Stay {
            booking: Booking {
                id: format!("a01{number}"),
                number: number.into(),
                status,
                check_in: from,
                check_out: to,
                guest_id: "003".into(),
                external_id: Some(String::new()),
                stamp: stamp.clone(),
            },
            room: Room {
                id: "a02".into(),
                number: "205".into(),
                status: RoomStatus::Vacant,
                current_guest: None,
                stamp: stamp.clone(),
            },
            opportunity: Opportunity {
                id: "006".into(),
                stage: OpportunityStage::BookingConfirmed,
                amount: Some(Cents(25000)),
                close_date: to,
                payment_id: None,
                stamp,
            },
            lines: vec![],
            guest_email: None,
            shares_folio_with: vec![],
        }
    }

    fn code(result: Result<Stay, ToolError>) -> ErrorCode {
        result.unwrap_err().code
    }

    #[test]
    fn guests_may_arrive_until_the_end_of_the_day_of_departure() {
        let (d8, d9, d10) = (date(2026, 3, 8), date(2026, 3, 9), date(2026, 3, 10));
        let one = || vec![stay("BK-0001", BookingStatus::Reserved, d8, d10)];
        for day in [d8, d9, d10] {
            assert!(choose(one(), None, day.into()).is_ok(), "{day}");
            assert!(choose(one(), Some(day), day.into()).is_ok(), "{day}");
        }
        let outside = ErrorCode::OutsideCheckInWindow;
        for day in [date(2026, 3, 7), date(2026, 3, 11)] {
            assert_eq!(code(choose(one(), None, day.into())), outside, "{day}");
        }
        assert_eq!(
            code(choose(one(), Some(d8), date(2026, 3, 1).into())),
            outside
        );
    }

    #[test]
    fn after_midnight_both_the_running_night_and_the_new_date_may_begin() {
        let (d8, d9, d10) = (date(2026, 3, 8), date(2026, 3, 9), date(2026, 3, 10));
        let night = HotelDay {
            hotel: d8,
            calendar: d9,
        };
        let running = stay("BK-0001", BookingStatus::Reserved, d8, d9);
        let next = stay("BK-0002", BookingStatus::Reserved, d9, d10);
        for asked in [None, Some(d8), Some(d9)] {
            assert!(choose(vec![running.clone()], asked, night).is_ok());
        }
        assert!(choose(vec![next.clone()], None, night).is_ok());
        let both = choose(vec![next.clone(), running.clone()], None, night);
        assert_eq!(both.unwrap().booking.number, "BK-0001");
        let by_day = choose(vec![next, running], None, d9.into());
        assert_eq!(by_day.unwrap().booking.number, "BK-0002");
    }

    #[test]
    fn a_stay_without_a_night_begins_on_its_day() {
        let d8 = date(2026, 3, 8);
        let day_use = || vec![stay("BK-0001", BookingStatus::Reserved, d8, d8)];
        assert!(choose(day_use(), None, d8.into()).is_ok());
        assert_eq!(
            code(choose(day_use(), None, date(2026, 3, 9).into())),
            ErrorCode::OutsideCheckInWindow
        );
    }

    #[test]
    fn with_two_reservations_the_guest_must_choose() {
        let (d8, d10) = (date(2026, 3, 8), date(2026, 3, 10));
        let mut two = vec![
            stay("BK-0001", BookingStatus::Reserved, d8, d10),
            stay("BK-0002", BookingStatus::Reserved, d8, d10),
        ];
        assert_eq!(
            code(choose(two.clone(), None, d8.into())),
            ErrorCode::MultipleReservations
        );
        two[1].booking.guest_id = "004".into();
        assert_eq!(
            code(choose(two, None, d8.into())),
            ErrorCode::MultipleGuests
        );
        let later = vec![
            stay("BK-0001", BookingStatus::Reserved, d8, d10),
            stay(
                "BK-0002",
                BookingStatus::Reserved,
                date(2026, 4, 8),
                date(2026, 4, 10),
            ),
        ];
        assert_eq!(
            choose(later, None, d8.into()).unwrap().booking.number,
            "BK-0001"
        );
    }

    #[test]
    fn checked_in_guests_are_found_and_checked_out_ones_are_not() {
        let (d8, d10) = (date(2026, 3, 8), date(2026, 3, 10));
        assert!(
            choose(
                vec![stay("BK-0001", BookingStatus::CheckedIn, d8, d10)],
                None,
                d8.into()
            )
            .is_ok()
        );
        assert_eq!(
            code(choose(
                vec![stay("BK-0001", BookingStatus::Cancelled, d8, d10)],
                None,
                d8.into()
            )),
            ErrorCode::InvalidTransition
        );
        let mut cleaning = stay("BK-0001", BookingStatus::Reserved, d8, d10);
        cleaning.room.status = RoomStatus::Cleaning;
        assert_eq!(judge(&cleaning).unwrap_err().code, ErrorCode::RoomNotVacant);
        // Never told that a Vacant room is not Vacant
        let mut entered = stay("BK-0001", BookingStatus::Reserved, d8, d10);
        entered.room.current_guest = Some("004".into());
        let details = judge(&entered).unwrap_err().details;
        assert!(details.get("room_status").is_none() && details["why"].is_string());
    }
}
