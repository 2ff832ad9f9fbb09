//! Payment reconciliation of the double: one row of each kind.

use async_trait::async_trait;
use dewy_domain::{
    caller::{Caller, Role},
    error_code::ErrorCode,
    money::Cents,
    ports::{
        CrmRecord, Discrepancy, JournalRecord, PaymentReconciliation, ProcessorRecord,
        ReconciliationRow, ReconciliationView,
    },
};
use jiff::civil::Date;

use super::{House, USD, born};

type Pair = Option<(i64, i64)>;

fn row(
    n: u8,
    drift: Discrepancy,
    taken: Pair,
    written: Pair,
    known: Option<(i64, i64, &str)>,
) -> ReconciliationRow {
    let guests = [
        "beth.gibbs@email.com",
        "wei.chen@example.com",
        "nora.o'brien@example.com",
        "tom.reed@example.com",
    ];
    let waiting = known
        .filter(|(.., state)| *state == "needs_attention")
        .map(|_| format!("exe_{n:032x}"));
    ReconciliationRow {
        payment_intent_id: format!("pi_3Tdewy{n:02}0000000000000000"),
        at: Some(born() - jiff::SignedDuration::from_mins(37 * i64::from(n))),
        taken: taken.map(|(captured, refunded)| ProcessorRecord {
            status: "succeeded".to_owned(),
            captured: Cents(captured),
            refunded: Cents(refunded),
        }),
        written: written.map(|(paid, refunded)| CrmRecord {
            paid: Cents(paid),
            refunded: Cents(refunded),
            numbers: if refunded > 0 {
                vec![format!("PT-000{n:02}"), format!("PT-000{:02}", n + 40)]
            } else {
                vec![format!("PT-000{n:02}")]
            },
        }),
        known: known.map(|(captured, refunded, state)| JournalRecord {
            execution_id: format!("exe_{n:032x}"),
            state: state.to_owned(),
            captured: Cents(captured),
            refunded: Cents(refunded),
        }),
        booking_number: (drift != Discrepancy::Foreign).then(|| format!("BK-00{}", 41 + n)),
        guest_email: guests
            .get(usize::from(n) % 5)
            .map(|email| (*email).to_owned()),
        drift,
        waiting,
    }
}

#[async_trait]
impl PaymentReconciliation for House {
    async fn payments(
        &self,
        caller: &Caller,
        _: Date,
        _: Date,
    ) -> Result<ReconciliationView, ErrorCode> {
        if !matches!(caller.role, Some(Role::FrontDesk | Role::Manager)) {
            return Err(ErrorCode::UnknownTool);
        }
        let paid = Some((25_000, 0));
        let back = Some((25_000, 25_000));
        Ok(ReconciliationView {
            rows: vec![
                row(
                    0,
                    Discrepancy::UnderWay,
                    paid,
                    None,
                    Some((25_000, 0, "running")),
                ),
                row(
                    1,
                    Discrepancy::None,
                    Some((31_250, 0)),
                    Some((31_250, 0)),
                    Some((31_250, 0, "completed")),
                ),
                row(
                    2,
                    Discrepancy::MoneyWithoutBooking,
                    Some((18_900, 0)),
                    None,
                    Some((18_900, 0, "needs_attention")),
                ),
                row(
                    3,
                    Discrepancy::None,
                    back,
                    back,
                    Some((25_000, 25_000, "compensated")),
                ),
                row(
                    4,
                    Discrepancy::BookingWithoutMoney,
                    None,
                    Some((9_900, 0)),
                    None,
                ),
                row(
                    5,
                    Discrepancy::Amounts,
                    paid,
                    Some((20_000, 0)),
                    Some((25_000, 0, "completed")),
                ),
                row(
                    6,
                    Discrepancy::Journal,
                    back,
                    back,
                    Some((25_000, 0, "completed")),
                ),
                row(7, Discrepancy::Foreign, Some((4_200, 0)), None, None),
            ],
            foreign: 7,
            unreadable: 0,
            currency: USD,
            as_of: born(),
            cut: false,
        })
    }
}
