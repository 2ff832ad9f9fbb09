//! Prerequisites: finds the reservation and checks whether the guest may check in now.

use dewy_domain::{
    error_code::ErrorCode,
    ports::{StayQuery, StaySelection},
    stay::Stay,
    tool_answer::ToolError,
    tool_catalog::CheckInGuest,
    vocabulary::{BookingStatus, RoomStatus},
};
use dewy_saga::{Context, PrerequisitesResult};
use jiff::civil::Date;
use serde_json::{Value, json};

use super::presentation;
use crate::{
    engine_conversions, find_stay,
    hotel_dependencies::HotelDependencies,
    tool_answer::{prerequisites_unavailable, refused, succeeded},
};

pub(super) async fn read(
    parts: &HotelDependencies,
    cx: Context<'_>,
    input: CheckInGuest,
) -> PrerequisitesResult {
    let today = cx.now.to_zoned(parts.settings.time_zone.clone()).date();
    let day = input.check_in_date.unwrap_or(today);
    let query = StayQuery {
        guest_email: input.guest_email,
        booking_number: input.booking_number,
        room_number: input.room_number,
        wanted: StaySelection::Arriving,
    };
    let found = match parts.crm.stays(&query).await.answered() {
        Ok(found) => found,
        Err(error) => return prerequisites_unavailable(error),
    };
    if found.is_empty() {
        let known = match &query.guest_email {
            Some(email) => parts.crm.knows_guest(email).await.answered(),
            None => Ok(true),
        };
        return match known {
            Ok(true) => refused(ToolError::new(ErrorCode::ReservationNotFound)),
            Ok(false) => refused(ToolError::new(ErrorCode::GuestNotFound)),
            Err(error) => prerequisites_unavailable(error),
        };
    }
    let stay = match choose(found, day, today) {
        Ok(stay) => stay,
        Err(error) => return refused(error),
    };
    let labels = find_stay::labels(&stay, query.guest_email.as_ref());
    if stay.booking.status == BookingStatus::CheckedIn {
        return PrerequisitesResult::Finished {
            answer: succeeded(presentation::present(stay)),
            labels,
        };
    }
    if let Err(error) = judge(&stay) {
        return refused(error);
    }
    let claims = vec![
        format!("booking:{}", stay.booking.id),
        format!("room:{}", stay.room.id),
    ];
    PrerequisitesResult::Ready {
        facts: engine_conversions::value(&stay),
        claims,
        labels,
    }
}

fn open(stay: &Stay, day: Date) -> bool {
    stay.booking.check_in <= day && day < stay.booking.check_out
}

/// Selects the single reservation for `day`. It must also be open for check-in today, whatever date
/// the caller names.
///
/// # Errors
/// The caller's error: no reservation, several, or not open now.
fn choose(found: Vec<Stay>, day: Date, today: Date) -> Result<Stay, ToolError> {
    let (reserved, others): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|s| s.booking.status == BookingStatus::Reserved);
    let mut fitting: Vec<_> = reserved.iter().filter(|s| open(s, day)).cloned().collect();
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
        if open(&stay, today) {
            return Ok(stay);
        }
        return Err(window(&stay, today));
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
        (1, Some(stay), _) => Err(window(&stay, day)),
        (0, None, Some(stay)) => Err(judge(&stay)
            .err()
            .unwrap_or_else(|| ToolError::new(ErrorCode::ReservationNotFound))),
        _ => Err(ToolError::new(ErrorCode::ReservationNotFound)),
    }
}

fn window(stay: &Stay, day: Date) -> ToolError {
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
    if stay.room.status != RoomStatus::Vacant || stay.room.current_guest.is_some() {
        let details = json!({ "booking_number": stay.booking.number, "room_number": stay.room.number,
            "room_status": stay.room.status });
        return Err(ToolError::with(ErrorCode::RoomNotVacant, details));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use dewy_domain::{
        money::Cents,
        stay::{Booking, Opportunity, Room, Stamp},
        vocabulary::OpportunityStage,
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
                amount: Cents(25000),
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
    fn the_check_in_window_is_half_open() {
        let (d8, d10) = (date(2026, 3, 8), date(2026, 3, 10));
        let one = || vec![stay("BK-0001", BookingStatus::Reserved, d8, d10)];
        assert!(choose(one(), d8, d8).is_ok());
        assert!(choose(one(), date(2026, 3, 9), date(2026, 3, 9)).is_ok());
        assert_eq!(
            code(choose(one(), d10, d10)),
            ErrorCode::OutsideCheckInWindow
        );
        assert_eq!(
            code(choose(one(), date(2026, 3, 7), date(2026, 3, 7))),
            ErrorCode::OutsideCheckInWindow
        );
        assert_eq!(
            code(choose(one(), d8, date(2026, 3, 1))),
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
            code(choose(two.clone(), d8, d8)),
            ErrorCode::MultipleReservations
        );
        two[1].booking.guest_id = "004".into();
        assert_eq!(code(choose(two, d8, d8)), ErrorCode::MultipleGuests);
        let later = vec![
            stay("BK-0001", BookingStatus::Reserved, d8, d10),
            stay(
                "BK-0002",
                BookingStatus::Reserved,
                date(2026, 4, 8),
                date(2026, 4, 10),
            ),
        ];
        assert_eq!(choose(later, d8, d8).unwrap().booking.number, "BK-0001");
    }

    #[test]
    fn checked_in_guests_are_found_and_checked_out_ones_are_not() {
        let (d8, d10) = (date(2026, 3, 8), date(2026, 3, 10));
        assert!(
            choose(
                vec![stay("BK-0001", BookingStatus::CheckedIn, d8, d10)],
                d8,
                d8
            )
            .is_ok()
        );
        assert_eq!(
            code(choose(
                vec![stay("BK-0001", BookingStatus::Cancelled, d8, d10)],
                d8,
                d8
            )),
            ErrorCode::InvalidTransition
        );
        let mut cleaning = stay("BK-0001", BookingStatus::Reserved, d8, d10);
        cleaning.room.status = RoomStatus::Cleaning;
        assert_eq!(judge(&cleaning).unwrap_err().code, ErrorCode::RoomNotVacant);
    }
}
