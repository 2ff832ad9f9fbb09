//! Price of a change of dates or room, shown before it is submitted. The orchestrator decides when
//! it runs; the rule is the same.

use dewy_domain::stay_price::AgreedPrice;

use crate::pages::prelude::*;

/// Price of the stay before and after a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangePrice {
    pub before: Cents,
    pub after: Cents,
}

impl ChangePrice {
    /// Before the arrival, another room's own rate applies to all nights.
    pub fn of(before: Cents, booked: Nights, wanted: Nights, new_rate: Option<Cents>) -> Self {
        Self {
            before,
            after: AgreedPrice::upfront(before, booked).changed(wanted, new_rate),
        }
    }

    /// Price difference; negative when it costs less.
    pub fn difference(self) -> Cents {
        self.after - self.before
    }
}

/// Added nights: before the booked ones, and after them. The room can be kept if it is available
/// for these.
pub fn added(booked: Nights, wanted: Nights) -> Vec<Nights> {
    if !booked.overlap(wanted) {
        return vec![wanted];
    }
    let earlier = Nights {
        from: wanted.from,
        to: booked.from,
    };
    let later = Nights {
        from: booked.to,
        to: wanted.to,
    };
    [earlier, later]
        .into_iter()
        .filter(|nights| nights.count() > 0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nights(from: &str, to: &str) -> Nights {
        Nights {
            from: from.parse().unwrap(),
            to: to.parse().unwrap(),
        }
    }

    #[test]
    fn added_nights_cost_the_booked_rate_and_another_room_its_own_rate() {
        let booked = nights("2026-11-20", "2026-11-22");
        let longer = nights("2026-11-20", "2026-11-23");
        let price = ChangePrice::of(Cents(25_000), booked, longer, None);
        assert_eq!(
            (price.after, price.difference()),
            (Cents(37_500), Cents(12_500))
        );
        assert_eq!(
            ChangePrice::of(Cents(25_000), booked, longer, Some(Cents(10_000))).difference(),
            Cents(5_000)
        );
    }

    #[test]
    fn only_added_nights_are_searched() {
        let booked = nights("2026-11-20", "2026-11-22");
        assert_eq!(added(booked, nights("2026-11-20", "2026-11-21")), []);
        assert_eq!(
            added(booked, nights("2026-11-20", "2026-11-23")),
            [nights("2026-11-22", "2026-11-23")]
        );
        assert_eq!(added(booked, nights("2026-11-18", "2026-11-24")).len(), 2);
        assert_eq!(
            added(booked, nights("2026-12-01", "2026-12-03")),
            [nights("2026-12-01", "2026-12-03")]
        );
    }
}
