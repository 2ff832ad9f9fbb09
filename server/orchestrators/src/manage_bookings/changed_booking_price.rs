//! Price of a changed booking: the booked rate stays, unless the room changes.

use dewy_domain::{money::Cents, nights::Nights, reservation::Reservation};

/// The opportunity's amount after the change.
pub(super) fn amount(there: &Reservation, nights: Nights, new_rate: Option<Cents>) -> Cents {
    let share = there.share();
    let new_share = match new_rate {
        Some(rate) => Cents(rate.0 * nights.count()),
        None => at_booked_rate(share, there.nights().count(), nights.count()),
    };
    there.stay.opportunity.amount - share + new_share
}

/// The same rate for another number of nights, to the nearest cent.
fn at_booked_rate(share: Cents, nights: i64, new_nights: i64) -> Cents {
    if nights == new_nights || nights <= 0 {
        return share;
    }
    Cents((2 * share.0 * new_nights + nights) / (2 * nights))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_booked_rate_stays_to_the_cent() {
        assert_eq!(at_booked_rate(Cents(25_000), 2, 3), Cents(37_500));
        assert_eq!(at_booked_rate(Cents(25_000), 2, 2), Cents(25_000));
        assert_eq!(at_booked_rate(Cents(10_000), 3, 1), Cents(3_333));
        assert_eq!(at_booked_rate(Cents(10_000), 3, 2), Cents(6_667));
        assert_eq!(at_booked_rate(Cents(500), 0, 2), Cents(500));
    }
}
