//! The day's three numbers: remaining and total. Each links to its list.

use crate::pages::{
    prelude::*,
    staff::board::{ArrivalStatus, arrival_status},
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    arrivals: (usize, usize),
    departures: (usize, usize),
    /// Checked in, and how many of them stay over.
    in_house: (usize, usize),
}

impl Counts {
    /// Remaining and total counts.
    pub fn of(snapshot: &HotelSnapshot) -> Self {
        let mut counts = Self::default();
        for booking in &snapshot.bookings {
            let standing = arrival_status(booking, snapshot.day());
            let runs = |day: Option<Date>| day.is_some_and(|day| snapshot.day().since(day) == 0);
            let comes = runs(booking.check_in_date);
            let goes = runs(booking.check_out_date);
            match standing {
                ArrivalStatus::Arrives | ArrivalStatus::Late(_) | ArrivalStatus::Unclear(0..) => {
                    counts.arrivals.0 += 1;
                    counts.arrivals.1 += 1;
                }
                ArrivalStatus::Leaves | ArrivalStatus::Overdue(_) => {
                    counts.departures.0 += 1;
                    counts.departures.1 += 1;
                    counts.in_house.0 += 1;
                }
                ArrivalStatus::Stays => {
                    counts.in_house.0 += 1;
                    counts.in_house.1 += 1;
                }
                ArrivalStatus::ToCome | ArrivalStatus::Over | ArrivalStatus::Unclear(_) => {}
            }
            let stayed = matches!(
                booking.booking_status,
                BookingStatus::CheckedIn | BookingStatus::CheckedOut
            );
            counts.arrivals.1 += usize::from(stayed && comes);
            counts.departures.1 +=
                usize::from(booking.booking_status == BookingStatus::CheckedOut && goes);
        }
        counts
    }

    /// Links; the active filter links back to the full board.
    pub fn shown(self, show: &str) -> AnyView {
        let tile = |name: &'static str, label: &'static str, big: usize, of: String| {
            let here = name == show;
            let href = if here {
                page_url::TODAY.to_owned()
            } else {
                format!("{}?show={name}", page_url::TODAY)
            };
            view! {
                <li>
                    <a id=format!("count-{name}") href=href aria-current=here.then_some("true")>
                        <span class="label">{label}</span>
                        " "
                        <strong>{big}</strong>
                        " "
                        <span class="of">{of}</span>
                    </a>
                </li>
            }
        };
        view! {
            <nav aria-label="Show">
                <ul class="day-counts">
                    {tile("arrivals", "Arrivals", self.arrivals.0, to_go(self.arrivals))}
                    {tile("departures", "Departures", self.departures.0, to_go(self.departures))}
                    {tile("in-house", "In house", self.in_house.0, stayovers(self.in_house.1))}
                </ul>
            </nav>
        }
        .into_any()
    }
}

/// `to go · 3 done`, after the remaining count.
fn to_go((left, all): (usize, usize)) -> String {
    format!("to go · {} done", all.saturating_sub(left))
}

/// `here now · 9 stayovers`: those who are here and don't leave today.
fn stayovers(count: usize) -> String {
    let word = if count == 1 { "stayover" } else { "stayovers" };
    format!("here now · {count} {word}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remaining_work_comes_before_finished_work() {
        assert_eq!(to_go((4, 7)), "to go · 3 done");
        assert_eq!(to_go((0, 0)), "to go · 0 done");
        assert_eq!(stayovers(1), "here now · 1 stayover");
    }
}
