//! Price of a stay whose dates or room change. Tool, pages and concierge compute it here.

use jiff::civil::Date;

use crate::{money::Cents, nights::Nights};

/// Nights of a stay in the house that are over, and keep what they cost.
#[must_use]
pub fn slept(booked: Nights, today: Date) -> i64 {
    let over = Nights {
        from: booked.from,
        to: today.min(booked.to),
    };
    over.count()
}

/// Price after a change. The booked rate stays, to the nearest cent; with the rate of another room,
/// that one applies to the nights that were not slept yet.
#[must_use]
pub fn changed_price(
    before: Cents,
    booked: Nights,
    wanted: Nights,
    slept: i64,
    new_rate: Option<Cents>,
) -> Cents {
    let at_booked_rate = |nights: i64| at_booked_rate(before, booked.count(), nights);
    let Some(rate) = new_rate else {
        return at_booked_rate(wanted.count());
    };
    let slept = slept.clamp(0, wanted.count());
    at_booked_rate(slept) + Cents(rate.0.saturating_mul(wanted.count() - slept))
}

fn at_booked_rate(price: Cents, nights: i64, new_nights: i64) -> Cents {
    if nights == new_nights || nights <= 0 {
        return price;
    }
    Cents((2 * price.0 * new_nights + nights) / (2 * nights))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn nights(from: i8, to: i8) -> Nights {
        Nights {
            from: date(2026, 3, from),
            to: date(2026, 3, to),
        }
    }

    #[test]
    fn the_booked_rate_stays_to_the_cent() {
        let changed = |price, before: i8, after: i8| {
            changed_price(
                Cents(price),
                nights(1, 1 + before),
                nights(1, 1 + after),
                0,
                None,
            )
        };
        assert_eq!(changed(25_000, 2, 3), Cents(37_500));
        assert_eq!(changed(25_000, 2, 2), Cents(25_000));
        assert_eq!(changed(10_000, 3, 1), Cents(3_333));
        assert_eq!(changed(10_000, 3, 2), Cents(6_667));
        assert_eq!(changed(500, 0, 2), Cents(500));
    }

    #[test]
    fn another_rooms_rate_applies_from_tonight_on() {
        let booked = nights(8, 11);
        let moved = |slept, to| {
            changed_price(
                Cents(37_500),
                booked,
                nights(8, to),
                slept,
                Some(Cents(16_850)),
            )
        };
        assert_eq!(moved(0, 11), Cents(50_550), "before arrival: all nights");
        assert_eq!(moved(2, 11), Cents(41_850), "two nights slept");
        assert_eq!(moved(2, 12), Cents(58_700), "and one night longer");
        assert_eq!(moved(3, 11), Cents(37_500), "nothing is left to price");
        assert_eq!(moved(3, 10), Cents(25_000), "a shorter stay");
    }

    #[test]
    fn nights_are_slept_once_they_are_over() {
        let booked = nights(8, 11);
        for (today, count) in [(8, 0), (9, 1), (11, 3), (14, 3), (7, 0)] {
            assert_eq!(slept(booked, date(2026, 3, today)), count, "{today}");
        }
    }
}
