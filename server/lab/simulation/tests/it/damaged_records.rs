//! W12: an execution with a damaged record is escalated to staff and keeps its claims; all others
//! continue.

use dewy_saga::{ExecutionId, engine::RECORD_UNREADABLE, journal::ATTENTION};

use super::invariants;
use crate::prelude::*;

/// A worker dies with a payment in flight, and then a row of the journal is damaged.
async fn damaged_after_the_payment() -> SimulatedHotel {
    after_the_payment(|hotel, id| hotel.journal.damage_last_row(id, true)).await
}

/// A worker dies with a payment in flight, and then this damages its journal.
async fn after_the_payment(change: fn(&SimulatedHotel, ExecutionId)) -> SimulatedHotel {
    let crash = Crash::once(CrashPoint::AfterSend, "pay", Direction::Forward);
    let hotel = set_up(|s| s.crashes = vec![crash]);
    let call = hotel.check_out("t1");
    let spoil = async {
        while hotel
            .requested_executions()
            .first()
            .is_none_or(|r| r.rows.len() < 3)
        {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        change(&hotel, check_out_of(&hotel).id);
    };
    tokio::join!(call, spoil);
    tokio::time::sleep(Duration::from_secs(600)).await;
    hotel
}

fn reason(record: &ExecutionRecord) -> Option<&str> {
    record
        .labels
        .iter()
        .find(|(name, _)| name == ATTENTION)
        .map(|(_, value)| value.as_str())
}

async fn resolve(hotel: &SimulatedHotel, token: &str, resolution: &str) -> Value {
    let id = check_out_of(hotel).id;
    let input =
        json!({ "execution_id": id, "resolution": resolution, "reason": "the row was looked at" });
    hotel
        .staff("resolve_execution", token, input)
        .await
        .body(Persona::Staff)
}

#[tokio::test(start_paused = true)]
async fn a_damaged_execution_goes_to_staff_and_others_continue() {
    let hotel = damaged_after_the_payment().await;
    let record = check_out_of(&hotel);
    assert_eq!(
        (record.state, reason(&record)),
        (State::NeedsAttention, Some(RECORD_UNREADABLE))
    );
    let held = hotel.journal.claim_holder(&claim(&record)).await.unwrap();
    assert_eq!(held, Some(record.id), "its claims are kept");
    let fence = record.fence;
    let room = json!({ "room_number": "205", "status": "Maintenance" });
    let other = hotel.staff("set_room_status", "r", room).await;
    assert_eq!(other.status(), 200, "{other:?}");
    tokio::time::sleep(DAY).await;
    assert_eq!(check_out_of(&hotel).fence, fence, "nobody takes it again");
}

fn claim(record: &ExecutionRecord) -> String {
    let booking = record.rows.iter().find_map(|row| match &row.event {
        Event::Read { facts } => facts["stay"]["booking"]["id"].as_str(),
        _ => None,
    });
    format!("booking:{}", booking.expect("the facts name the booking"))
}

/// The definition is known, but one event isn't: a newer release wrote it, and must continue it.
#[tokio::test(start_paused = true)]
async fn an_event_of_a_newer_release_waits_for_that_release() {
    let mut hotel = after_the_payment(|hotel, id| hotel.journal.make_newer(id, true)).await;
    let manager = Caller::staff("manager@dewy.example", Role::Manager, Interface::Form);
    let before = check_out_of(&hotel);
    assert_eq!((before.state, &before.worker), (State::Running, &None));
    let room = json!({ "room_number": "205", "status": "Maintenance" });
    let other = hotel.staff("set_room_status", "r", room).await;
    assert_eq!(other.status(), 200, "{other:?}");
    tokio::time::sleep(DAY).await;
    let after = check_out_of(&hotel);
    assert_eq!(
        (&after.rows, after.fence, &after.answer),
        (&before.rows, before.fence, &None),
        "it is neither ended nor taken again"
    );
    let held = hotel.journal.claim_holder(&claim(&before)).await.unwrap();
    assert_eq!(held, Some(before.id));
    let listed = hotel.processes[0].due_elsewhere(&manager).await;
    assert_eq!(listed.len(), 1);
    assert!(
        listed[0].next.contains("event \"dreamed\""),
        "{}",
        listed[0].next
    );
    // The newer release starts.
    hotel.journal.make_newer(before.id, false);
    hotel.start_worker(false);
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(check_out_of(&hotel).state, State::Completed);
    assert_eq!(hotel.processes[0].due_elsewhere(&manager).await, vec![]);
    assert_eq!(invariants::violations(&hotel), Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_person_may_settle_a_damaged_execution_by_hand() {
    let hotel = damaged_after_the_payment().await;
    let answer = resolve(&hotel, "s", "mark_solved").await;
    let record = check_out_of(&hotel);
    assert_eq!(record.state, State::SettledByHand, "{answer}");
    assert_eq!(
        hotel.journal.claim_holder(&claim(&record)).await.unwrap(),
        None
    );
    assert!(hotel.run_until_idle(DAY).await);
}

#[tokio::test(start_paused = true)]
async fn a_restored_record_resumes_where_it_stopped() {
    let hotel = damaged_after_the_payment().await;
    // Too early: it is answered, without effect.
    resolve(&hotel, "early", "retry_now").await;
    assert_eq!(check_out_of(&hotel).state, State::NeedsAttention);
    hotel
        .journal
        .damage_last_row(check_out_of(&hotel).id, false);
    resolve(&hotel, "now", "retry_now").await;
    assert!(hotel.run_until_idle(DAY).await);
    assert_eq!(check_out_of(&hotel).state, State::Completed);
    assert_eq!(invariants::violations(&hotel), Vec::<String>::new());
}
