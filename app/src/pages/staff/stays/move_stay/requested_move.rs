//! Requested move of a stay: another room, other dates, or both, as given in the URL.

use jiff::ToSpan;

use super::super::find_booking::FoundBooking;
use crate::pages::prelude::*;

/// Maximum shift in days: more than a chart is wide.
const MAX_SHIFT_DAYS: i32 = 366;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestedMove {
    pub room: Option<String>,
    /// Shift in days; negative for earlier.
    pub later: i32,
    /// Nights of the whole stay.
    pub stay: Nights,
    /// Nights for which the room has to be available.
    pub free: Nights,
}

/// Reason why a move is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveObstacle {
    NoNightLeft,
    /// The guest has arrived, so the arrival date is fixed.
    Arrived,
    /// It would begin in the past.
    Past,
}

impl RequestedMove {
    /// Reads the URL parameters.
    ///
    /// # Errors
    /// The reason why the move is not possible.
    pub fn of(
        found: &FoundBooking,
        room: Option<&str>,
        later: Option<&str>,
    ) -> Result<Self, MoveObstacle> {
        let booking = &found.booking;
        let (Some(from), Some(to)) = (booking.check_in_date, booking.check_out_date) else {
            return Err(MoveObstacle::NoNightLeft);
        };
        let later = later
            .and_then(|text| text.parse::<i32>().ok())
            .unwrap_or_default()
            .clamp(-MAX_SHIFT_DAYS, MAX_SHIFT_DAYS);
        let arrived = booking.booking_status == BookingStatus::CheckedIn;
        let (stay, free) = nights(Nights { from, to }, later, arrived, found.snapshot.today)?;
        Ok(Self {
            room: room.map(str::to_owned),
            later,
            stay,
            free,
        })
    }

    pub fn page(&self, number: &str, room: &str) -> String {
        let later = if self.later == 0 {
            String::new()
        } else {
            self.later.to_string()
        };
        let page = format!("{}/move", page_url::stay(number));
        page_url::with_query(&page, [("room", room), ("later", &later)])
    }
}

/// Nights of the moved stay, and those for which the room has to be available: for a stay that has
/// begun, the remaining ones.
fn nights(
    there: Nights,
    later: i32,
    arrived: bool,
    today: Date,
) -> Result<(Nights, Nights), MoveObstacle> {
    if later != 0 && arrived {
        return Err(MoveObstacle::Arrived);
    }
    let moved = |day: Date| day.checked_add(later.days()).unwrap_or(day);
    let stay = Nights {
        from: moved(there.from),
        to: moved(there.to),
    };
    if later != 0 && stay.from < today {
        return Err(MoveObstacle::Past);
    }
    let free = Nights {
        from: stay.from.max(today),
        to: stay.to,
    };
    if free.from < free.to {
        Ok((stay, free))
    } else {
        Err(MoveObstacle::NoNightLeft)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_started_stay_keeps_its_arrival_date() {
        let day = |day: i8| jiff::civil::date(2026, 11, day);
        let span = |from, to| Nights {
            from: day(from),
            to: day(to),
        };
        let today = day(20);
        for (there, later, arrived, expected) in [
            (span(22, 24), 0, false, Ok((span(22, 24), span(22, 24)))),
            (span(22, 24), 3, false, Ok((span(25, 27), span(25, 27)))),
            (span(22, 24), -2, false, Ok((span(20, 22), span(20, 22)))),
            (span(22, 24), -3, false, Err(MoveObstacle::Past)),
            (span(18, 23), 0, true, Ok((span(18, 23), span(20, 23)))),
            (span(18, 23), 1, true, Err(MoveObstacle::Arrived)),
            (span(18, 20), 0, true, Err(MoveObstacle::NoNightLeft)),
        ] {
            assert_eq!(
                nights(there, later, arrived, today),
                expected,
                "{there:?} {later}"
            );
        }
    }
}
