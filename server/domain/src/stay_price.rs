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

/// Price agreed for a stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgreedPrice {
    /// Of all nights.
    pub total: Cents,
    pub nights: Nights,
    /// Nights that are over.
    pub slept: i64,
    /// Rate of the nights to come, where a move during the stay changed it; otherwise all nights cost
    /// the same.
    pub rate_to_come: Option<Cents>,
}

impl AgreedPrice {
    /// Price of a stay before its first night is over.
    #[must_use]
    pub const fn upfront(total: Cents, nights: Nights) -> Self {
        Self {
            total,
            nights,
            slept: 0,
            rate_to_come: None,
        }
    }

    /// Price after a change. The agreed rate stays, to the nearest cent; with the rate of another
    /// room, that one applies to the nights that were not slept yet.
    #[must_use]
    pub fn changed(self, wanted: Nights, new_rate: Option<Cents>) -> Cents {
        let Some(rate) = new_rate else {
            return self.of_first(wanted.count());
        };
        let slept = self.slept.clamp(0, wanted.count());
        self.of_first(slept) + Cents(rate.0.saturating_mul(wanted.count() - slept))
    }

    /// Price of that many nights from the arrival on, those that are over among them.
    fn of_first(self, nights: i64) -> Cents {
        let (total, booked) = (self.total.0, self.nights.count());
        if nights == booked || booked <= 0 {
            return self.total;
        }
        let by_rate = self
            .rate_to_come
            .map(|rate| total + rate.0.saturating_mul(nights - booked));
        // Less than nothing: somebody has changed the total since
        let price = by_rate.filter(|price| *price >= 0);
        Cents(price.unwrap_or_else(|| (2 * total * nights + booked) / (2 * booked)))
    }
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
            let booked = nights(1, 1 + before);
            AgreedPrice::upfront(Cents(price), booked).changed(nights(1, 1 + after), None)
        };
        assert_eq!(changed(25_000, 2, 3), Cents(37_500));
        assert_eq!(changed(25_000, 2, 2), Cents(25_000));
        assert_eq!(changed(10_000, 3, 1), Cents(3_333));
        assert_eq!(changed(10_000, 3, 2), Cents(6_667));
        assert_eq!(changed(500, 0, 2), Cents(500));
    }

    #[test]
    fn another_rooms_rate_applies_from_tonight_on() {
        let moved = |slept, to| {
            let agreed = AgreedPrice {
                slept,
                ..AgreedPrice::upfront(Cents(37_500), nights(8, 11))
            };
            agreed.changed(nights(8, to), Some(Cents(16_850)))
        };
        assert_eq!(moved(0, 11), Cents(50_550), "before arrival: all nights");
        assert_eq!(moved(2, 11), Cents(41_850), "two nights slept");
        assert_eq!(moved(2, 12), Cents(58_700), "and one night longer");
        assert_eq!(moved(3, 11), Cents(37_500), "nothing is left to price");
        assert_eq!(moved(3, 10), Cents(25_000), "a shorter stay");
    }

    #[test]
    fn nights_after_a_move_keep_the_rate_of_the_move() {
        let agreed = AgreedPrice {
            total: Cents(41_850),
            nights: nights(8, 11),
            slept: 2,
            rate_to_come: Some(Cents(16_850)),
        };
        let to = |day, rate| agreed.changed(nights(8, day), rate);
        assert_eq!(to(12, None), Cents(58_700), "a night longer");
        assert_eq!(to(10, None), Cents(25_000), "the night is given up");
        assert_eq!(to(11, Some(Cents(9_000))), Cents(34_000), "a third room");
        let edited = AgreedPrice {
            total: Cents(9_000),
            ..agreed
        };
        assert_eq!(edited.changed(nights(8, 10), None), Cents(6_000));
    }

    #[test]
    fn nights_are_slept_once_they_are_over() {
        let booked = nights(8, 11);
        for (today, count) in [(8, 0), (9, 1), (11, 3), (14, 3), (7, 0)] {
            assert_eq!(slept(booked, date(2026, 3, today)), count, "{today}");
        }
    }
}
