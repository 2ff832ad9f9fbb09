//! Comparison of one payment in three systems; pure.

use dewy_domain::{
    money::Cents,
    ports::{Drift, KnownView, TakenView, WrittenView},
};

/// One payment in all systems.
#[derive(Clone, Copy, Debug)]
pub(super) struct Three<'a> {
    /// Stripe.
    pub taken: Option<&'a TakenView>,
    /// Salesforce.
    pub written: Option<&'a WrittenView>,
    /// Our journal.
    pub known: Option<&'a KnownView>,
    /// One of our executions created it.
    pub ours: bool,
    /// One of our executions is still working on it.
    pub moving: bool,
}

/// Classifies the difference. Work in progress may still converge, and payments of others are not
/// compared; of several differences, one that costs someone money comes first.
pub(super) fn drift(three: Three<'_>) -> Drift {
    let Three {
        taken,
        written,
        known,
        ours,
        moving,
    } = three;
    if taken.is_some() && !ours {
        return Drift::Foreign;
    }
    if moving {
        return Drift::UnderWay;
    }
    let (captured, back) = taken.map_or((Cents(0), Cents(0)), |taken| {
        (taken.captured, taken.refunded)
    });
    let (paid, refunded) = written.map_or((Cents(0), Cents(0)), |written| {
        (written.paid, written.refunded)
    });
    let held = captured - back;
    if held.0 > 0 && paid.0 == 0 {
        return Drift::MoneyWithoutBooking;
    }
    if captured.0 == 0 && paid.0 > 0 {
        return Drift::BookingWithoutMoney;
    }
    // A fully refunded payment need not be on a folio; if it is, both lines are.
    let unwritten = held.0 == 0 && paid.0 == 0 && refunded.0 == 0;
    if !unwritten && (paid, refunded) != (captured, back) {
        return Drift::Amounts;
    }
    match known {
        Some(known) if (known.captured, known.refunded) != (captured, back) => Drift::Journal,
        _ => Drift::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pair = Option<(i64, i64)>;

    fn of(ours: bool, moving: bool, taken: Pair, written: Pair, known: Pair) -> Drift {
        let taken = taken.map(|(captured, refunded)| TakenView {
            status: "succeeded".to_owned(),
            captured: Cents(captured),
            refunded: Cents(refunded),
        });
        let written = written.map(|(paid, refunded)| WrittenView {
            paid: Cents(paid),
            refunded: Cents(refunded),
            numbers: Vec::new(),
        });
        let known = known.map(|(captured, refunded)| KnownView {
            execution_id: String::new(),
            state: String::new(),
            captured: Cents(captured),
            refunded: Cents(refunded),
        });
        drift(Three {
            taken: taken.as_ref(),
            written: written.as_ref(),
            known: known.as_ref(),
            ours,
            moving,
        })
    }

    #[test]
    fn every_row_of_the_table() {
        const PAID: Pair = Some((250, 0));
        const BACK: Pair = Some((250, 250));
        let still = [
            (PAID, PAID, PAID, Drift::None, "a completed check-out"),
            (
                PAID,
                PAID,
                None,
                Drift::None,
                "the same, after the journal was lost",
            ),
            (BACK, BACK, BACK, Drift::None, "a compensated one"),
            (
                BACK,
                None,
                BACK,
                Drift::None,
                "given back before anything was written",
            ),
            (None, None, None, Drift::None, "nothing"),
            (Some((0, 0)), None, Some((0, 0)), Drift::None, "declined"),
            (PAID, None, None, Drift::MoneyWithoutBooking, "an orphan"),
            (
                PAID,
                None,
                PAID,
                Drift::MoneyWithoutBooking,
                "an orphan the journal knows",
            ),
            (
                PAID,
                Some((0, 250)),
                BACK,
                Drift::MoneyWithoutBooking,
                "a refund that came back",
            ),
            (
                Some((250, 100)),
                None,
                None,
                Drift::MoneyWithoutBooking,
                "half of it is still held",
            ),
            (
                None,
                PAID,
                None,
                Drift::BookingWithoutMoney,
                "a line of a payment that is not there",
            ),
            (
                Some((0, 0)),
                PAID,
                PAID,
                Drift::BookingWithoutMoney,
                "cancelled at the bank, and written as paid",
            ),
            (PAID, Some((200, 0)), PAID, Drift::Amounts, "edited by hand"),
            (
                BACK,
                PAID,
                PAID,
                Drift::Amounts,
                "refunded by hand at Stripe",
            ),
            (
                PAID,
                BACK,
                PAID,
                Drift::Amounts,
                "a refund that only the folio has",
            ),
            (
                BACK,
                Some((0, 250)),
                BACK,
                Drift::Amounts,
                "a refund without its payment: the folio owes twice",
            ),
            (
                PAID,
                PAID,
                Some((300, 0)),
                Drift::Journal,
                "the journal has another amount",
            ),
            (
                BACK,
                BACK,
                PAID,
                Drift::Journal,
                "the journal does not know of the refund",
            ),
            (None, None, PAID, Drift::Journal, "only the journal has it"),
        ];
        for (taken, written, known, verdict, what) in still {
            assert_eq!(of(true, false, taken, written, known), verdict, "{what}");
            let moving = of(true, true, taken, written, known);
            assert_eq!(moving, Drift::UnderWay, "{what}, while it moves");
        }
        assert_eq!(of(false, false, PAID, None, None), Drift::Foreign);
        assert_eq!(
            of(false, false, PAID, None, PAID),
            Drift::Foreign,
            "the sweep has flagged it"
        );
        assert_eq!(
            of(false, false, PAID, PAID, None),
            Drift::Foreign,
            "another program's check-out"
        );
        assert_eq!(
            of(false, false, None, PAID, None),
            Drift::BookingWithoutMoney,
            "whoever wrote it"
        );
    }
}
