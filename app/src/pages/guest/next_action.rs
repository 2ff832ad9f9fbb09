//! Next action for a guest, derived from the stays.

use dewy_domain::{
    execution_view::GuestActivity, hotel_calendar::HotelDay, tool_catalog::returns,
    tool_output::CheckOutResult, vocabulary::ExecutionState,
};
use jiff::{SignedDuration, Timestamp};

use super::guest_stay::{GuestStay, Phase};

/// How long a completed stay remains on the home page.
const COMPLETED_STAY_SHOWN_FOR: SignedDuration = SignedDuration::from_hours(24);

/// Subject of the home page.
#[derive(Clone, Debug, PartialEq)]
pub enum NextAction {
    /// Several current stays; the guest chooses.
    ChooseStay(Vec<GuestStay>),
    /// Checked in, and the departure date has come.
    DueOut(GuestStay),
    CheckedIn(GuestStay),
    /// Expected today.
    ArrivingToday(GuestStay),
    /// Checked out within the last day: the stay, if known, the check-out, which may still be at
    /// work on the money, and the next stay.
    CheckedOut(
        Option<Box<GuestStay>>,
        GuestActivity,
        Option<Box<GuestStay>>,
    ),
    /// Expected in this many days.
    Upcoming(GuestStay, i32),
    NoBooking,
}

impl NextAction {
    /// Next action among all bookings; `which` is the guest's choice. A checked-in stay comes
    /// before an expected one, and a stay that just ended before one that is far ahead.
    pub fn of(
        stays: &[GuestStay],
        activities: &[GuestActivity],
        which: Option<&str>,
        today: HotelDay,
        now: Timestamp,
    ) -> Self {
        let phased = || stays.iter().map(|stay| (stay, stay.phase(today)));
        if let Some((stay, phase)) =
            which.and_then(|number| phased().find(|(stay, _)| stay.booking_number == number))
        {
            match phase {
                Phase::DueOut => return Self::DueOut(stay.clone()),
                Phase::InHouse => return Self::CheckedIn(stay.clone()),
                Phase::Arriving => return Self::ArrivingToday(stay.clone()),
                Phase::Upcoming(days) => return Self::Upcoming(stay.clone(), days),
                Phase::NoShow | Phase::Departed | Phase::Cancelled | Phase::Unclear => {}
            }
        }
        let mut inside: Vec<_> = phased()
            .filter(|(_, phase)| matches!(phase, Phase::InHouse | Phase::DueOut))
            .collect();
        // As on the bill, where the guest chooses among them as well
        inside.sort_by_key(|(stay, _)| &stay.room_number);
        match inside.as_slice() {
            [] => {}
            [(stay, Phase::DueOut)] => return Self::DueOut((*stay).clone()),
            [(stay, _)] => return Self::CheckedIn((*stay).clone()),
            several => {
                return Self::ChooseStay(several.iter().map(|(stay, _)| (*stay).clone()).collect());
            }
        }
        let arriving: Vec<_> = phased()
            .filter(|(_, phase)| *phase == Phase::Arriving)
            .map(|(stay, _)| stay)
            .collect();
        match arriving.as_slice() {
            [] => {}
            [stay] => return Self::ArrivingToday((*stay).clone()),
            several => {
                return Self::ChooseStay(several.iter().map(|stay| (*stay).clone()).collect());
            }
        }
        let ahead = phased().filter_map(|(stay, phase)| match phase {
            Phase::Upcoming(days) => Some((stay, days)),
            _ => None,
        });
        let first = ahead.min_by_key(|(_, days)| *days);
        if let Some((activity, left)) = just_left(activities, stays, today, now) {
            let boxed = |stay: &GuestStay| Box::new(stay.clone());
            return Self::CheckedOut(
                left.map(boxed),
                activity.clone(),
                first.map(|(stay, _)| boxed(stay)),
            );
        }
        match first {
            Some((stay, days)) => Self::Upcoming(stay.clone(), days),
            None => Self::NoBooking,
        }
    }

    pub fn booking(&self) -> Option<&str> {
        match self {
            Self::DueOut(stay)
            | Self::CheckedIn(stay)
            | Self::ArrivingToday(stay)
            | Self::Upcoming(stay, _) => Some(&stay.booking_number),
            Self::CheckedOut(_, activity, _) => activity.booking_number.as_deref(),
            Self::ChooseStay(_) | Self::NoBooking => None,
        }
    }

    /// Whether to read its folio: only a checked-in guest has a balance.
    pub const fn may_check_out(&self) -> bool {
        matches!(self, Self::DueOut(_) | Self::CheckedIn(_))
    }
}

/// Check-out of the last day that has moved the guest out, and its stay: it has completed, or the
/// stay has ended and only the money is left.
fn just_left<'a>(
    activities: &'a [GuestActivity],
    stays: &'a [GuestStay],
    today: HotelDay,
    now: Timestamp,
) -> Option<(&'a GuestActivity, Option<&'a GuestStay>)> {
    let fresh = |activity: &&GuestActivity| {
        returns::<CheckOutResult>(&activity.tool)
            && now.duration_since(activity.updated_at) < COMPLETED_STAY_SHOWN_FOR
    };
    activities.iter().filter(fresh).find_map(|activity| {
        let of_it =
            |stay: &&GuestStay| Some(&stay.booking_number) == activity.booking_number.as_ref();
        let stay = stays.iter().find(of_it);
        let departed = stay.is_some_and(|stay| stay.phase(today) == Phase::Departed);
        let left =
            activity.state == ExecutionState::Completed || departed && activity.state.is_open();
        left.then_some((activity, stay))
    })
}

#[cfg(test)]
mod tests {
    use super::{super::guest_stay::sample, *};
    use serde_json::json;

    fn next(stays: &[GuestStay], activities: &[GuestActivity], which: Option<&str>) -> NextAction {
        let now: Timestamp = "2026-11-20T12:00:00Z".parse().unwrap();
        NextAction::of(
            stays,
            activities,
            which,
            jiff::civil::date(2026, 11, 20).into(),
            now,
        )
    }

    fn check_out(at: &str) -> GuestActivity {
        serde_json::from_value(json!({
            "execution_id": "exe_1", "tool": "process_guest_checkout", "state": "completed", "at_rest": true,
            "booking_number": "BK-0001", "room_number": null, "answer": null, "created_at": at, "updated_at": at
        }))
        .unwrap()
    }

    #[test]
    fn a_checked_in_stay_comes_first() {
        let inside = sample("BK-0001", "Checked In", "2026-11-18", "2026-11-22");
        let arriving = sample("BK-0002", "Reserved", "2026-11-20", "2026-11-22");
        let ahead = sample("BK-0003", "Reserved", "2026-11-25", "2026-11-27");
        let all = [ahead.clone(), arriving.clone(), inside.clone()];
        assert_eq!(next(&all, &[], None), NextAction::CheckedIn(inside.clone()));
        assert_eq!(
            next(&all, &[], Some("BK-0003")),
            NextAction::Upcoming(ahead.clone(), 5)
        );
        assert_eq!(
            next(&all[..2], &[], None),
            NextAction::ArrivingToday(arriving)
        );
        assert_eq!(next(&all[..1], &[], None), NextAction::Upcoming(ahead, 5));
        let (second, third) = (inside.in_room("102"), inside.in_room("103"));
        assert_eq!(
            next(&[third.clone(), second.clone()], &[], None),
            NextAction::ChooseStay(vec![second, third])
        );
        assert_eq!(next(&[], &[], None), NextAction::NoBooking);
    }

    #[test]
    fn a_completed_stay_is_shown_for_a_day() {
        let left = sample("BK-0001", "Checked Out", "2026-11-18", "2026-11-20");
        let ahead = sample("BK-0003", "Reserved", "2026-12-25", "2026-12-27");
        let activity = check_out("2026-11-20T09:00:00Z");
        let sooner = sample("BK-0002", "Reserved", "2026-11-21", "2026-11-22");
        let stays = [ahead, sooner.clone(), left.clone()];
        assert_eq!(
            next(&stays, std::slice::from_ref(&activity), None),
            NextAction::CheckedOut(Some(Box::new(left)), activity, Some(Box::new(sooner)))
        );
        assert!(matches!(
            next(&stays, &[check_out("2026-11-18T09:00:00Z")], None),
            NextAction::Upcoming(..)
        ));
        // The guest has left, and something about the money is open
        for (state, stay, shown) in [
            (ExecutionState::Retrying, 2, true),
            (ExecutionState::NeedsAttention, 2, true),
            (ExecutionState::NeedsAttention, 1, false),
            (ExecutionState::Compensated, 2, false),
        ] {
            let activity = GuestActivity {
                state: state.clone(),
                booking_number: Some(stays[stay].booking_number.clone()),
                ..check_out("2026-11-20T09:00:00Z")
            };
            let action = next(&stays, &[activity], None);
            let left = matches!(action, NextAction::CheckedOut(..));
            assert_eq!(left, shown, "{state:?} {stay}");
        }
    }
}
