//! Payment reconciliation on virtual time: each way in which the three ledgers can agree or differ.

use dewy_domain::{
    ports::{Discrepancy, PaymentReconciliation, ReconciliationRow, ReconciliationView},
    vocabulary::ExecutionState,
};
use jiff::civil::{Date, date};

use crate::{
    front_desk::{LOST, paid_elsewhere},
    prelude::*,
};

/// First day of simulated worlds.
const TODAY: Date = date(2026, 3, 10);
const HOUR: Duration = Duration::from_secs(3600);

fn front_desk() -> Caller {
    Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Form)
}

async fn sandbox_ledger(hotel: &SimulatedHotel) -> ReconciliationView {
    hotel.processes[0]
        .payments(&front_desk(), TODAY, TODAY)
        .await
        .unwrap()
}

async fn only(hotel: &SimulatedHotel) -> ReconciliationRow {
    let mut rows = sandbox_ledger(hotel).await.rows;
    assert_eq!(rows.len(), 1, "{rows:?}");
    rows.remove(0)
}

/// The line written by the check-out.
fn our_line(hotel: &SimulatedHotel) -> Value {
    let of_ours = |line: &Value| {
        line["External_ID__c"]
            .as_str()
            .is_some_and(|id| id.starts_with("exe_"))
    };
    hotel
        .records("Payment_Transaction__c")
        .into_iter()
        .find(of_ours)
        .unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_completed_check_out_agrees_in_all_three() {
    let hotel = with(vec![]);
    assert!(hotel.check_out("a").await.error().is_none());
    assert!(hotel.run_until_idle(HOUR).await);
    let row = only(&hotel).await;
    assert_eq!(row.discrepancy, Discrepancy::None);
    let (taken, written, known) = (
        row.processor.unwrap(),
        row.crm.unwrap(),
        row.journal.unwrap(),
    );
    assert_eq!(
        (taken.status.as_str(), taken.captured, taken.refunded),
        ("succeeded", Cents(25000), Cents(0))
    );
    assert_eq!(
        (written.paid, written.refunded, written.numbers.len()),
        (Cents(25000), Cents(0), 1)
    );
    assert_eq!(
        (&known.state, known.captured, known.refunded),
        (&ExecutionState::Completed, Cents(25000), Cents(0))
    );
    assert_eq!(row.booking_number.as_deref(), Some("BK-0042"));
    assert_eq!(row.guest_email.as_deref(), Some("beth.gibbs@email.com"));
    assert!(row.at.is_some());
}

/// The three agree; a person still has to answer.
#[tokio::test(start_paused = true)]
async fn a_disputed_payment_leads_to_its_review() {
    let hotel = with(vec![]);
    assert!(hotel.check_out("a").await.error().is_none());
    assert!(hotel.run_until_idle(HOUR).await);
    let before = only(&hotel).await;
    assert_eq!(before.waiting, None);
    let payment = before.payment_intent_id;
    hotel.account.dispute(payment.as_str()).unwrap();
    let seen = hotel.processes[0].check_payment(&payment, "webhook").await;
    assert_eq!(seen.unwrap(), 1);
    assert!(hotel.run_until_idle(HOUR).await);
    let row = only(&hotel).await;
    assert_eq!(row.discrepancy, Discrepancy::None);
    let waiting = row.waiting.unwrap();
    assert_ne!(waiting, row.journal.unwrap().execution_id);
}

#[tokio::test(start_paused = true)]
async fn a_compensated_one_agrees_as_well() {
    let faults = vec![composite(FaultKind::Status).status(400).count(0)];
    let hotel = set_up(|s| s.faults = faults);
    assert!(hotel.check_out("a").await.error().is_some());
    hotel.sandbox.clear_faults();
    assert!(hotel.run_until_idle(HOUR * 30).await);
    let row = only(&hotel).await;
    assert_eq!(row.discrepancy, Discrepancy::None, "{row:?}");
    assert_eq!(
        row.processor.as_ref().map(|t| (t.captured, t.refunded)),
        Some((Cents(25000), Cents(25000)))
    );
    assert_eq!(
        row.crm.as_ref().map(|w| (w.paid, w.refunded)),
        Some((Cents(25000), Cents(25000)))
    );
    assert_eq!(
        row.journal.as_ref().map(|k| (k.captured, k.refunded)),
        Some((Cents(25000), Cents(25000)))
    );
}

#[tokio::test(start_paused = true)]
async fn running_check_outs_are_not_reconciled() {
    let faults = vec![composite(FaultKind::TimeoutBeforeEffect).count(0)];
    let hotel = set_up(|s| s.faults = faults);
    let (row, _) = tokio::join!(
        async {
            hotel.clock.sleep(Duration::from_secs(8)).await;
            only(&hotel).await
        },
        hotel.check_out("a")
    );
    assert_eq!(row.discrepancy, Discrepancy::UnderWay);
    assert!(
        row.processor
            .is_some_and(|taken| taken.captured == Cents(25000))
            && row.crm.is_none()
    );
}

#[tokio::test(start_paused = true)]
async fn other_programs_payments_are_not_reconciled() {
    let hotel = with(vec![]);
    paid_elsewhere(&hotel, 4200, &[]).await;
    paid_elsewhere(
        &hotel,
        4300,
        &[
            ("installation_id", "ins_of_somebody_else"),
            ("execution_id", LOST),
        ],
    )
    .await;
    let shown = sandbox_ledger(&hotel).await;
    assert_eq!(
        (shown.rows.len(), shown.foreign),
        (0, 2),
        "counted, and nothing else"
    );
    hotel.clock.sleep(HOUR).await;
    hotel.processes[0].check_orphan_payments().await;
    assert!(hotel.run_until_idle(HOUR).await);
    assert_eq!(sandbox_ledger(&hotel).await.foreign, 2);
    assert!(
        hotel.journal.snapshot().is_empty(),
        "none of them is a case"
    );
}

#[tokio::test(start_paused = true)]
async fn an_orphan_has_no_booking_until_refunded() {
    let hotel = with(vec![]);
    let installation = hotel.installation.to_string();
    let of = [
        ("installation_id", installation.as_str()),
        ("execution_id", LOST),
        ("booking_number", "BK-0042"),
    ];
    paid_elsewhere(&hotel, 5000, &of).await;
    let row = only(&hotel).await;
    assert_eq!(
        (row.discrepancy, row.booking_number.as_deref()),
        (Discrepancy::MoneyWithoutBooking, Some("BK-0042"))
    );
    assert_eq!((row.crm, row.journal), (None, None));
    hotel.clock.sleep(HOUR).await;
    hotel.processes[0].check_orphan_payments().await;
    assert!(hotel.run_until_idle(HOUR * 30).await);
    let row = only(&hotel).await;
    assert_eq!(row.discrepancy, Discrepancy::None, "{row:?}");
    assert_eq!(row.processor.map(|taken| taken.refunded), Some(Cents(5000)));
}

#[tokio::test(start_paused = true)]
async fn missing_payments_and_edited_lines_are_discrepancies() {
    let hotel = with(vec![]);
    assert!(hotel.check_out("a").await.error().is_none());
    assert!(hotel.run_until_idle(HOUR).await);
    let line = our_line(&hotel);
    hotel.edit("Payment_Transaction__c", &line, json!({ "Amount__c": 200 }));
    let row = only(&hotel).await;
    assert_eq!(
        (row.discrepancy, row.crm.map(|w| w.paid)),
        (Discrepancy::Amounts, Some(Cents(20000)))
    );

    hotel.edit(
        "Payment_Transaction__c",
        &line,
        json!({ "Amount__c": 250, "Stripe_Transaction_ID__c": "pi_nobody_has" }),
    );
    let view = sandbox_ledger(&hotel).await;
    let of = |drift| {
        view.rows
            .iter()
            .find(|row| row.discrepancy == drift)
            .unwrap_or_else(|| panic!("{drift:?} in {view:?}"))
    };
    let missing = of(Discrepancy::BookingWithoutMoney);
    assert_eq!(
        (missing.payment_intent_id.as_str(), &missing.processor),
        ("pi_nobody_has", &None)
    );
    assert_eq!(missing.guest_email.as_deref(), Some("beth.gibbs@email.com"));
    of(Discrepancy::MoneyWithoutBooking);
    assert_eq!((view.rows.len(), view.cut), (2, false));
}

#[tokio::test(start_paused = true)]
async fn a_payment_of_yesterday_is_matched_to_todays_line() {
    let hotel = with(vec![]);
    assert!(hotel.check_out("a").await.error().is_none());
    assert!(hotel.run_until_idle(HOUR).await);
    let tomorrow = TODAY.tomorrow().unwrap();
    let line = our_line(&hotel);
    hotel.edit(
        "Payment_Transaction__c",
        &line,
        json!({ "Transaction_Date__c": "2026-03-11T08:00:00Z" }),
    );
    let view = hotel.processes[0]
        .payments(&front_desk(), tomorrow, tomorrow)
        .await
        .unwrap();
    assert_eq!(
        view.rows
            .iter()
            .map(|row| row.discrepancy)
            .collect::<Vec<_>>(),
        [Discrepancy::None],
        "asked for by its number"
    );
    let later = tomorrow.tomorrow().unwrap();
    assert_eq!(
        hotel.processes[0]
            .payments(&front_desk(), later, later)
            .await
            .unwrap()
            .rows,
        []
    );
    assert_eq!(
        hotel.processes[0]
            .payments(&front_desk(), later, TODAY)
            .await
            .unwrap()
            .rows,
        [],
        "days in the wrong order"
    );
}

#[tokio::test(start_paused = true)]
async fn only_the_front_desk_reconciles_and_outages_are_reported() {
    let hotel = with(vec![]);
    let process = &hotel.processes[0];
    let staff = |role| Caller::staff("somebody@dewy.example", role, Interface::Form);
    for caller in [
        staff(Role::Housekeeping),
        staff(Role::Maintenance),
        Caller::guest("a@example.com", Interface::Form),
    ] {
        assert_eq!(
            process.payments(&caller, TODAY, TODAY).await,
            Err(ErrorCode::UnknownTool)
        );
    }
    assert_eq!(
        process
            .payments(&staff(Role::Manager), TODAY, TODAY)
            .await
            .map(|view| view.rows),
        Ok(Vec::new())
    );
    hotel.fault(
        stripe("payment_intent_list", FaultKind::Status)
            .status(500)
            .count(0),
    );
    assert_eq!(
        process.payments(&front_desk(), TODAY, TODAY).await,
        Err(ErrorCode::UpstreamUnavailable)
    );
}
