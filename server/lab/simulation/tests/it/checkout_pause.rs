//! Check-outs are paused when the CRM keeps refusing the write after the payment, so that guests
//! aren't charged and refunded one after another.

use crate::prelude::*;

/// Number of check-outs that were charged, refunded or not.
fn charged(hotel: &SimulatedHotel) -> usize {
    hotel
        .ledger()
        .values()
        .filter(|(taken, _, owner)| owner.is_some() && *taken > 0)
        .count()
}

/// Salesforce refuses each check-out's write with a message.
async fn refusing() -> SimulatedHotel {
    let hotel = with(vec![]);
    hotel.fault(composite(FaultKind::Status).status(400).skip(0).count(3));
    for token in ["t1", "t2", "t3"] {
        hotel.check_out(token).await;
        settle(&hotel).await;
    }
    hotel.fault(composite(FaultKind::Status).status(400).count(0));
    assert_eq!(charged(&hotel), 3);
    hotel
}

/// Waits until everything is at rest, except for rechecks due later.
async fn settle(hotel: &SimulatedHotel) {
    while hotel
        .requested_executions()
        .iter()
        .any(|record| !record.state.has_ended())
    {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

fn paused(answer: &ToolAnswer) -> bool {
    answer.error() == Some(ErrorCode::CheckoutPaused)
}

#[tokio::test(start_paused = true)]
async fn three_refused_check_outs_pause_the_fourth_before_it_is_charged() {
    let hotel = refusing().await;
    let fourth = hotel.check_out("t4").await;
    assert!(paused(&fourth), "{fourth:?}");
    let body = fourth.body(Persona::Guest);
    assert_eq!(
        (
            fourth.status(),
            &body["retry_safe"],
            &body["details"]["charged"]
        ),
        (503, &true.into(), &false.into())
    );
    assert!(
        body["details"]["retry_after_seconds"]
            .as_i64()
            .is_some_and(|seconds| (5..=60).contains(&seconds))
    );
    assert_eq!(charged(&hotel), 3);
    assert!(
        hotel.processes[0]
            .checkout_pause()
            .await
            .unwrap()
            .is_some_and(|pause| pause.failures == 3)
    );
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn one_probe_at_a_time_goes_through_and_its_success_lifts_the_pause() {
    let hotel = refusing().await;
    tokio::time::sleep(Duration::from_secs(61)).await;
    let probe = hotel.check_out("t4").await;
    assert!(
        !paused(&probe),
        "a minute later one is let through: {probe:?}"
    );
    settle(&hotel).await;
    assert_eq!(charged(&hotel), 4);
    tokio::time::sleep(Duration::from_secs(61)).await;
    assert!(paused(&hotel.check_out("t5").await), "the pause doubles");
    hotel.sandbox.clear_faults();
    tokio::time::sleep(Duration::from_secs(60)).await;
    let done = hotel.check_out("t5").await;
    assert_eq!(done.status(), 200, "the very same request: {done:?}");
    assert_eq!(hotel.processes[0].checkout_pause().await.unwrap(), None);
    hotel.ends_sound().await;
}

#[tokio::test(start_paused = true)]
async fn a_manager_lifts_the_pause() {
    let hotel = refusing().await;
    hotel.sandbox.clear_faults();
    assert!(paused(&hotel.check_out("t4").await));
    tokio::time::sleep(Duration::from_secs(1)).await;
    hotel.processes[0]
        .lift_checkout_pause("staff:manager@dewy.example")
        .await
        .unwrap();
    assert_eq!(hotel.check_out("t4").await.status(), 200);
    assert!(hotel.run_until_idle(DAY).await);
    let states: Vec<_> = hotel
        .requested_executions()
        .iter()
        .map(|record| record.state)
        .collect();
    assert_eq!(
        states
            .iter()
            .filter(|state| **state == State::Completed)
            .count(),
        1
    );
    assert_sound(&hotel);
}

/// A probe that completed with an open balance keeps its claims until a person has seen it. It
/// must not keep later probes from running.
#[tokio::test(start_paused = true)]
async fn a_probe_that_waits_for_a_person_does_not_stop_the_next_episodes_probes() {
    let mut hotel = refusing().await;
    hotel.sandbox.clear_faults();
    tokio::time::sleep(Duration::from_secs(61)).await;
    // Another program posts a charge while the probe's payment is on its way.
    let slow = stripe("payment_intent_create", FaultKind::Slow);
    hotel.fault(slow.ms(8_000));
    let charge = async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        foreign_charge(&hotel, &hotel.booking("BK-0042")["Opportunity__c"]).await;
    };
    futures::join!(hotel.check_out("probe"), charge);
    settle(&hotel).await;
    let probe = hotel.requested_executions();
    let probe = probe.iter().find(|r| r.token.as_deref() == Some("probe"));
    assert_eq!(probe.unwrap().state, State::NeedsAttention);
    // Days later, three other guests.
    hotel.stop_worker(0).await;
    tokio::time::sleep(2 * DAY).await;
    hotel.start_worker(false);
    let refused = composite(FaultKind::Status).status(400);
    hotel.fault(refused.count(0));
    let guests = in_house(&hotel);
    for (email, room, owed) in guests.iter().take(3) {
        check_out_of(&hotel, email, room, *owed).await;
        settle(&hotel).await;
    }
    assert_eq!(charged(&hotel), 7);
    hotel.sandbox.clear_faults();
    tokio::time::sleep(Duration::from_secs(61)).await;
    let (email, room, owed) = &guests[3];
    let next = check_out_of(&hotel, email, room, *owed).await;
    assert_eq!(next.status(), 200, "{next:?}");
}

/// Two failures and their repair are two failures, and the cause is named.
#[tokio::test(start_paused = true)]
async fn repairing_a_failed_check_out_is_not_another_failure() {
    for refund_refused in [true, false] {
        let hotel = with(vec![]);
        let refused = composite(FaultKind::Status);
        hotel.fault(refused.status(400).count(0));
        let no_refund = stripe("refund_create", FaultKind::Status);
        let guests = in_house(&hotel);
        for (place, (email, room, owed)) in guests.iter().take(2).enumerate() {
            if place == 1 && refund_refused {
                hotel.fault(no_refund.clone().status(400).count(0));
            }
            check_out_of(&hotel, email, room, *owed).await;
            settle(&hotel).await;
        }
        hotel.sandbox.clear_faults();
        let stuck = hotel.requested_executions();
        let stuck = stuck.iter().find(|r| r.state == State::NeedsAttention);
        assert_eq!(stuck.is_some(), refund_refused);
        if let Some(stuck) = stuck {
            let again = json!({ "execution_id": stuck.id, "resolution": "retry_now",
                    "reason": "the refund is possible now" });
            let decided = hotel.staff("resolve_execution", "again", again).await;
            assert_eq!(decided.status(), 200, "{decided:?}");
            settle(&hotel).await;
        }
        let pause = hotel.processes[0].checkout_pause().await.unwrap();
        assert_eq!(pause, None, "two check-outs failed");
        let (email, room, owed) = &guests[2];
        hotel.fault(refused_again().count(1));
        let third = check_out_of(&hotel, email, room, *owed).await;
        assert!(!paused(&third), "{third:?}");
        settle(&hotel).await;
        let pause = hotel.processes[0].checkout_pause().await.unwrap().unwrap();
        assert_eq!(pause.failures, 3);
        assert_eq!(pause.cause, "INVALID_FIELD");
        hotel.ends_sound().await;
    }
}

/// What a person makes go forward again, and Salesforce refuses again, is still one failure.
#[tokio::test(start_paused = true)]
async fn an_execution_counts_once_however_often_it_is_resumed() {
    let hotel = with(vec![]);
    hotel.fault(refused_again().count(0));
    let no_refund = stripe("refund_create", FaultKind::Status);
    hotel.fault(no_refund.status(400).count(0));
    let guests = in_house(&hotel);
    for (email, room, owed) in guests.iter().take(2) {
        check_out_of(&hotel, email, room, *owed).await;
        settle(&hotel).await;
    }
    for round in 0..2 {
        for stuck in hotel.requested_executions() {
            if stuck.saga != "process_guest_checkout" || stuck.state != State::NeedsAttention {
                continue;
            }
            let forward = json!({ "execution_id": stuck.id, "resolution": "finish_forward",
                    "reason": "try once more" });
            let token = format!("forward {round} {}", stuck.id);
            let decided = hotel.staff("resolve_execution", &token, forward).await;
            assert_eq!(decided.status(), 200, "{decided:?}");
            settle(&hotel).await;
        }
    }
    let pause = hotel.processes[0].checkout_pause().await.unwrap();
    assert_eq!(pause, None, "two check-outs failed, however often");
}

fn refused_again() -> Fault {
    composite(FaultKind::Status).status(400)
}

/// Guests with a single stay and a balance, except Beth: email, room, balance.
pub fn in_house(hotel: &SimulatedHotel) -> Vec<(String, String, i64)> {
    let ledger = hotel.sandbox_ledger();
    let stays = ledger.rows("Booking__c").iter();
    let stays: Vec<_> = stays.filter(|b| b["Status__c"] == "Checked In").collect();
    let mut found = Vec::new();
    for stay in &stays {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let alone = |field: &str| stays.iter().filter(|s| s[field] == stay[field]).count() == 1;
        let guest = ledger.row("Contact", "Id", &text(&stay["Primary_Guest__c"]));
        let room = ledger.row("Hotel_Room__c", "Id", &text(&stay["Room__c"]));
        let owed = ledger.balance(&text(&stay["Opportunity__c"]));
        if alone("Primary_Guest__c") && alone("Opportunity__c") && owed > 50 {
            found.push((text(&guest["Email"]), text(&room["Room_Number__c"]), owed));
        }
    }
    found.retain(|(email, ..)| email != BETH);
    found
}

pub async fn check_out_of(
    hotel: &SimulatedHotel,
    email: &str,
    room: &str,
    amount: i64,
) -> ToolAnswer {
    let caller = Caller::guest(email, Interface::Mcp);
    let input = json!({
        "amount": amount, "room_number": room, "payment_method_id": "pm_card_visa",
    });
    let token = Some("out");
    let newest = hotel.processes.len() - 1;
    hotel
        .call_at(newest, &caller, "process_guest_checkout", token, input)
        .await
}
