//! Status of a booking today, in the front desk's terms.

use dewy_domain::hotel_calendar::HotelDay;

use crate::pages::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrivalStatus {
    /// Expected today.
    Arrives,
    /// Expected this many days ago.
    Late(i32),
    /// Checked in, departs today.
    Leaves,
    /// Checked in, should have departed this many days ago.
    Overdue(i32),
    /// Checked in, stays longer.
    Stays,
    /// Arrives on another day.
    ToCome,
    /// Checked out, canceled, or no-show.
    Over,
    /// In a status that we don't know, arriving this many days ago.
    Unclear(i32),
}

impl ArrivalStatus {
    /// State of the pill: the style sheet uses color only for what is urgent or due today.
    pub const fn state(self) -> &'static str {
        match self {
            Self::Arrives | Self::Leaves => "due",
            Self::Late(_) | Self::Overdue(_) | Self::Unclear(_) => "overdue",
            Self::Stays => "in_house",
            Self::ToCome => "to_come",
            Self::Over => "over",
        }
    }

    pub fn word(self, status: &BookingStatus) -> String {
        match self {
            Self::Arrives => "Arrives today".to_owned(),
            Self::Late(_) => "Did not arrive".to_owned(),
            Self::Leaves => "Leaves today".to_owned(),
            Self::Overdue(_) => "Overdue".to_owned(),
            Self::Stays => "In house".to_owned(),
            Self::ToCome => "Reserved".to_owned(),
            Self::Unclear(_) if status.as_str().is_empty() => "Status missing".to_owned(),
            Self::Unclear(_) => status.to_string(),
            Self::Over if *status == BookingStatus::NoShow => "No-show".to_owned(),
            Self::Over => status.to_string(),
        }
    }
}

pub fn arrival_status(booking: &BookingRow, today: HotelDay) -> ArrivalStatus {
    let days_since = |day: Option<Date>| day.map_or(0, |day| today.since(day));
    match booking.booking_status {
        BookingStatus::Reserved => match days_since(booking.check_in_date) {
            0 => ArrivalStatus::Arrives,
            late @ 1.. => ArrivalStatus::Late(late),
            _ => ArrivalStatus::ToCome,
        },
        BookingStatus::CheckedIn => match days_since(booking.check_out_date) {
            0 => ArrivalStatus::Leaves,
            late @ 1.. => ArrivalStatus::Overdue(late),
            _ => ArrivalStatus::Stays,
        },
        BookingStatus::CheckedOut | BookingStatus::Cancelled | BookingStatus::NoShow => {
            ArrivalStatus::Over
        }
        BookingStatus::Other(_) => ArrivalStatus::Unclear(days_since(booking.check_in_date)),
    }
}

pub fn nights(booking: &BookingRow) -> i64 {
    match (booking.check_in_date, booking.check_out_date) {
        (Some(from), Some(to)) => i64::from((to - from).get_days().max(0)),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn booking(status: &BookingStatus, from: &str, to: &str) -> BookingRow {
        serde_json::from_value(serde_json::json!({
            "booking_number": "BK-0001", "booking_status": status, "check_in_date": from, "check_out_date": to,
            "room_number": null, "room_type": null, "room_status": null, "beds": null, "view": null, "number_of_guests": null,
            "special_requests": null, "guest_name": null, "guest_email": null
        }))
        .unwrap()
    }

    #[test]
    fn every_booking_has_an_arrival_status() {
        let day = |day: &str| day.parse::<Date>().unwrap();
        let today = HotelDay::from(day("2026-11-20"));
        for (status, from, to, expected) in [
            (
                BookingStatus::Reserved,
                "2026-11-20",
                "2026-11-22",
                ArrivalStatus::Arrives,
            ),
            (
                BookingStatus::Reserved,
                "2026-11-19",
                "2026-11-21",
                ArrivalStatus::Late(1),
            ),
            (
                BookingStatus::Reserved,
                "2026-11-21",
                "2026-11-22",
                ArrivalStatus::ToCome,
            ),
            (
                BookingStatus::CheckedIn,
                "2026-11-18",
                "2026-11-20",
                ArrivalStatus::Leaves,
            ),
            (
                BookingStatus::CheckedIn,
                "2026-11-16",
                "2026-11-18",
                ArrivalStatus::Overdue(2),
            ),
            (
                BookingStatus::CheckedIn,
                "2026-11-18",
                "2026-11-21",
                ArrivalStatus::Stays,
            ),
            (
                BookingStatus::CheckedOut,
                "2026-11-18",
                "2026-11-20",
                ArrivalStatus::Over,
            ),
            (
                BookingStatus::Cancelled,
                "2026-11-20",
                "2026-11-22",
                ArrivalStatus::Over,
            ),
            (
                "Waitlisted".into(),
                "2026-11-19",
                "2026-11-22",
                ArrivalStatus::Unclear(1),
            ),
            (
                "".into(),
                "2026-11-22",
                "2026-11-24",
                ArrivalStatus::Unclear(-2),
            ),
        ] {
            assert_eq!(
                arrival_status(&booking(&status, from, to), today),
                expected,
                "{status} {from}"
            );
        }
        // Before the hotel's day changes, both days run
        let night = HotelDay {
            calendar: day("2026-11-21"),
            ..today
        };
        for (status, from, to, expected) in [
            (
                BookingStatus::Reserved,
                "2026-11-20",
                "2026-11-21",
                ArrivalStatus::Arrives,
            ),
            (
                BookingStatus::Reserved,
                "2026-11-21",
                "2026-11-22",
                ArrivalStatus::Arrives,
            ),
            (
                BookingStatus::Reserved,
                "2026-11-22",
                "2026-11-23",
                ArrivalStatus::ToCome,
            ),
            (
                BookingStatus::CheckedIn,
                "2026-11-18",
                "2026-11-20",
                ArrivalStatus::Leaves,
            ),
            (
                BookingStatus::CheckedIn,
                "2026-11-18",
                "2026-11-21",
                ArrivalStatus::Leaves,
            ),
            (
                BookingStatus::CheckedIn,
                "2026-11-18",
                "2026-11-22",
                ArrivalStatus::Stays,
            ),
        ] {
            assert_eq!(
                arrival_status(&booking(&status, from, to), night),
                expected,
                "{status} {to}"
            );
        }
        assert_eq!(
            nights(&booking(
                &BookingStatus::Reserved,
                "2026-11-28",
                "2026-12-02"
            )),
            4
        );
        assert_eq!(ArrivalStatus::Over.word(&BookingStatus::NoShow), "No-show");
    }
}
