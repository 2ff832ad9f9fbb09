//! Store reads: lists and checks over many rows must read them in batches.

use dewy_test_kit::memory::Op;

use super::front_desk::lost_payment;
use crate::prelude::*;

/// Reads of the journal that this causes.
async fn reads(hotel: &SimulatedHotel, what: impl Future) -> u64 {
    let count = || hotel.journal.hooks(|hooks| hooks.count(Op::Read));
    let before = count();
    what.await;
    count() - before
}

#[tokio::test(start_paused = true)]
async fn a_folio_costs_as_many_reads_with_ten_charges_as_with_one() {
    let hotel = with(vec![]);
    let mut costs = Vec::new();
    for n in 1..=10 {
        let charge = json!({ "room_number": "302", "amount": 100 + n, "description": format!("Minibar {n}") });
        let posted = hotel.staff("post_charge", &*format!("c{n}"), charge).await;
        assert_eq!(posted.status(), 201, "{posted:?}");
        let cost = reads(&hotel, async {
            let folio = hotel.beth("get_folio", None, json!({})).await;
            let folio = folio.body(Persona::Guest).to_string();
            let described = (1..=n).filter(|n| folio.contains(&format!("\"Minibar {n}\"")));
            assert_eq!(described.count(), n, "{folio}");
        });
        costs.push(cost.await);
    }
    println!("reads by number of charges: {costs:?}");
    assert!(costs[9] <= costs[0] + 1, "{costs:?}");
}

#[tokio::test(start_paused = true)]
async fn an_orphan_check_costs_as_many_reads_with_twelve_payments_as_with_one() {
    let mut costs = Vec::new();
    for payments in [1, 12] {
        let hotel = with(vec![]);
        for n in 0..payments {
            lost_payment(&hotel, 10_000 + n).await;
        }
        tokio::time::sleep(Duration::from_secs(700)).await;
        let cost = reads(&hotel, async {
            let view = hotel.processes[0].check_orphan_payments().await;
            assert_eq!(
                (view.looked_at, view.failed),
                (u32::try_from(payments).unwrap(), 0)
            );
        });
        costs.push(cost.await);
    }
    println!("reads of a sweep with 1 and 12 payments: {costs:?}");
    assert!(costs[1] <= costs[0] + 1, "{costs:?}");
}

#[tokio::test(start_paused = true)]
async fn an_orphan_check_reads_no_journal_for_a_dispute_already_with_staff() {
    let mut costs = Vec::new();
    for needs_a_person in [false, true] {
        let hotel = with(vec![]);
        if needs_a_person {
            let refuse = |system, operation| {
                Fault::new(system, operation, FaultKind::Status)
                    .status(400)
                    .count(0)
            };
            let [crm, refund] = [
                refuse(System::Salesforce, "composite"),
                refuse(System::Stripe, "refund_create"),
            ];
            hotel.fault(crm);
            hotel.fault(refund);
        }
        hotel.check_out("t1").await;
        assert!(hotel.run_until_idle(DAY).await);
        let state = hotel.only().state;
        assert_eq!(state == State::NeedsAttention, needs_a_person, "{state:?}");
        let payment = hotel.ledger().into_keys().next().unwrap();
        hotel.account.dispute(&payment).unwrap();
        assert_eq!(hotel.processes[0].check_orphan_payments().await.flagged, 1);
        let cost = reads(&hotel, async {
            let view = hotel.processes[0].check_orphan_payments().await;
            assert_eq!((view.flagged, view.failed), (0, 0), "{view:?}");
        });
        costs.push(cost.await);
    }
    println!("reads of a sweep, completed and with a person: {costs:?}");
    assert_eq!(costs[1], 2, "the execution's head, and what is known");
}

#[test]
fn what_needs_attention_costs_as_many_reads_with_three_executions_as_with_one() {
    const GUESTS: [&str; 3] = [
        "beth.gibbs@email.com",
        "zoe.mueller@example.com",
        "jose.nunez@example.com",
    ];
    on_virtual_time(async {
        let mut costs = Vec::new();
        for stuck in [1, 3] {
            let world = with(vec![]);
            let refuse = |system, operation| {
                Fault::new(system, operation, FaultKind::Status)
                    .status(400)
                    .count(0)
            };
            world
                .sandbox
                .add_fault(refuse(System::Salesforce, "composite"));
            world
                .sandbox
                .add_fault(refuse(System::Stripe, "refund_create"));
            for email in &GUESTS[..stuck] {
                let guest = json!({ "guest_email": email });
                let folio = world.staff("get_folio", None, guest).await;
                let folio = folio.body(Persona::Staff);
                let paid = json!({
                    "guest_email": email, "amount": folio["data"]["balance"], "payment_method_id": "pm_card_visa",
                });
                world.staff("process_guest_checkout", email, paid).await;
            }
            assert!(world.run_until_idle(DAY).await);
            let cost = reads(&world, async {
                let views = world.processes[0].executions_needing_attention().await;
                let taken = views.iter().filter_map(|view| view.money);
                let taken = taken.filter(|money| money.net().0 > 0).count();
                assert_eq!((views.len(), taken), (stuck, stuck), "{views:?}");
            });
            costs.push(cost.await);
        }
        assert_eq!(costs, [2, 2], "the list, and all journals at once");
    });
}

#[tokio::test(start_paused = true)]
async fn a_list_of_cases_costs_as_many_reads_with_ten_cases_as_with_one() {
    let hotel = with(vec![]);
    for n in 0..10 {
        let request = json!({ "type": "Housekeeping", "description": format!("Towels {n}") });
        let token = format!("r{n}");
        let filed = hotel
            .beth("submit_guest_service_request", &token, request)
            .await;
        assert_eq!(filed.status(), 201, "{filed:?}");
    }
    let mut costs = Vec::new();
    for limit in [1, 10] {
        let before = hotel.key_value_store.reads();
        let list = hotel
            .staff(
                "search_cases_on_behalf_of_staff",
                None,
                json!({ "limit": limit }),
            )
            .await;
        let shown = list.body(Persona::Staff)["data"]["cases"].clone();
        assert_eq!(items(&shown).len(), limit, "{shown}");
        costs.push(hotel.key_value_store.reads() - before);
    }
    println!("reads of 1 and 10 cases: {costs:?}");
    assert!(costs[1] <= costs[0], "{costs:?}");
}
