//! Comparison of one payment in three systems; pure.

use dewy_domain::{
    money::Cents,
    ports::{CrmRecord, Discrepancy, JournalRecord, ProcessorRecord},
};

#[derive(Clone, Copy, Debug)]
pub(super) struct PaymentRecords<'a> {
    /// Stripe.
    pub taken: Option<&'a ProcessorRecord>,
    /// Salesforce.
    pub written: Option<&'a CrmRecord>,
    /// Our journal.
    pub known: Option<&'a JournalRecord>,
    /// One of our executions created it.
    pub ours: bool,
    /// One of our executions is still working on it.
    pub in_progress: bool,
}

/// Classifies the difference. Work in progress may still converge, and payments of others are not
/// compared; of several differences, one that costs someone money comes first.
pub(super) fn discrepancy(three: PaymentRecords<'_>) -> Discrepancy {
    let PaymentRecords {
        taken,
        written,
        known,
        ours,
        in_progress: moving,
    } = three;
    if taken.is_some() && !ours {
        return Discrepancy::Foreign;
    }
    if moving {
        return Discrepancy::UnderWay;
    }
    let (captured, back) = taken.map_or((Cents(0), Cents(0)), |taken| {
        (taken.captured, taken.refunded)
    });
    let (paid, refunded) = written.map_or((Cents(0), Cents(0)), |written| {
        (written.paid, written.refunded)
    });
    let held = captured - back;
    if held.0 > 0 && paid.0 == 0 {
        return Discrepancy::MoneyWithoutBooking;
    }
    if captured.0 == 0 && paid.0 > 0 {
        return Discrepancy::BookingWithoutMoney;
    }
    // A fully refunded payment need not be on a folio; if it is, both lines are.
    let unwritten = held.0 == 0 && paid.0 == 0 && refunded.0 == 0;
    if !unwritten && (paid, refunded) != (captured, back) {
        return Discrepancy::Amounts;
    }
    match known {
        Some(known) if (known.captured, known.refunded) != (captured, back) => Discrepancy::Journal,
        _ => Discrepancy::None,
    }
}

#[cfg(test)]
mod tests {
    use dewy_domain::vocabulary::ExecutionState;

    use super::*;

    type Pair = Option<(i64, i64)>;

    fn of(ours: bool, moving: bool, taken: Pair, written: Pair, known: Pair) -> Discrepancy {
        let taken = taken.map(|(captured, refunded)| ProcessorRecord {
            status: "succeeded".to_owned(),
            captured: Cents(captured),
            refunded: Cents(refunded),
        });
        let written = written.map(|(paid, refunded)| CrmRecord {
            paid: Cents(paid),
            refunded: Cents(refunded),
            numbers: Vec::new(),
        });
        let known = known.map(|(captured, refunded)| JournalRecord {
            execution_id: String::new(),
            state: ExecutionState::default(),
            captured: Cents(captured),
            refunded: Cents(refunded),
        });
        discrepancy(PaymentRecords {
            taken: taken.as_ref(),
            written: written.as_ref(),
            known: known.as_ref(),
            ours,
            in_progress: moving,
        })
    }

    #[test]
    fn every_row_of_the_table() {
        const PAID: Pair = Some((250, 0));
        const BACK: Pair = Some((250, 250));
        let still = [
            (PAID, PAID, PAID, Discrepancy::None, "a completed check-out"),
            (
                PAID,
                PAID,
                None,
                Discrepancy::None,
                "the same, after the journal was lost",
            ),
            (BACK, BACK, BACK, Discrepancy::None, "a compensated one"),
            (
                BACK,
                None,
                BACK,
                Discrepancy::None,
                "given back before anything was written",
            ),
            (None, None, None, Discrepancy::None, "nothing"),
            (
                Some((0, 0)),
                None,
                Some((0, 0)),
                Discrepancy::None,
                "declined",
            ),
            (
                PAID,
                None,
                None,
                Discrepancy::MoneyWithoutBooking,
                "an orphan",
            ),
            (
                PAID,
                None,
                PAID,
                Discrepancy::MoneyWithoutBooking,
                "an orphan the journal knows",
            ),
            (
                PAID,
                Some((0, 250)),
                BACK,
                Discrepancy::MoneyWithoutBooking,
                "a refund that came back",
            ),
            (
                Some((250, 100)),
                None,
                None,
                Discrepancy::MoneyWithoutBooking,
                "half of it is still held",
            ),
            (
                None,
                PAID,
                None,
                Discrepancy::BookingWithoutMoney,
                "a line of a payment that is not there",
            ),
            (
                Some((0, 0)),
                PAID,
                PAID,
                Discrepancy::BookingWithoutMoney,
                "cancelled at the bank, and written as paid",
            ),
            (
                PAID,
                Some((200, 0)),
                PAID,
                Discrepancy::Amounts,
                "edited by hand",
            ),
            (
                BACK,
                PAID,
                PAID,
                Discrepancy::Amounts,
                "refunded by hand at Stripe",
            ),
            (
                PAID,
                BACK,
                PAID,
                Discrepancy::Amounts,
                "a refund that only the folio has",
            ),
            (
                BACK,
                Some((0, 250)),
                BACK,
                Discrepancy::Amounts,
                "a refund without its payment: the folio owes twice",
            ),
            (
                PAID,
                PAID,
                Some((300, 0)),
                Discrepancy::Journal,
                "the journal has another amount",
            ),
            (
                BACK,
                BACK,
                PAID,
                Discrepancy::Journal,
                "the journal does not know of the refund",
            ),
            (
                None,
                None,
                PAID,
                Discrepancy::Journal,
                "only the journal has it",
            ),
        ];
        for (taken, written, known, verdict, what) in still {
            assert_eq!(of(true, false, taken, written, known), verdict, "{what}");
            let moving = of(true, true, taken, written, known);
            assert_eq!(moving, Discrepancy::UnderWay, "{what}, while it moves");
        }
        assert_eq!(of(false, false, PAID, None, None), Discrepancy::Foreign);
        assert_eq!(
            of(false, false, PAID, None, PAID),
            Discrepancy::Foreign,
            "the sweep has flagged it"
        );
        assert_eq!(
            of(false, false, PAID, PAID, None),
            Discrepancy::Foreign,
            "another program's check-out"
        );
        assert_eq!(
            of(false, false, None, PAID, None),
            Discrepancy::BookingWithoutMoney,
            "whoever wrote it"
        );
    }
}
