//! An execution without progress is escalated to staff and doesn't block others.

use dewy_domain::vocabulary::{AttentionReason, Resolution};
use dewy_saga::journal::Journal;

use crate::prelude::*;

pub fn crash(point: CrashPoint, step: &'static str, direction: Direction, times: u32) -> Crash {
    Crash {
        point,
        step,
        direction,
        skip: Mutex::new(0),
        times: Mutex::new(times),
    }
}

/// Holder of the claim on Beth's booking.
async fn holder(hotel: &SimulatedHotel) -> Option<dewy_saga::ExecutionId> {
    let booking = hotel.booking("BK-0042");
    hotel
        .journal
        .claim_holder(&format!("booking:{}", booking["Id"].as_str().unwrap()))
        .await
        .unwrap()
}

/// A check-out that was brought to a person for this reason, with its claim; then a person retries
/// it, and it completes.
async fn comes_to_a_person_and_goes_on(hotel: &SimulatedHotel, case: &str) {
    assert!(hotel.run_until_idle(DAY).await, "{case}");
    let record = hotel.only();
    assert_eq!(record.state, State::NeedsAttention, "{case}: {record:?}");
    assert!(
        record
            .labels
            .contains(&("attention".to_owned(), "STUCK".to_owned())),
        "{case}: {:?}",
        record.labels
    );
    assert_eq!(
        record.answer.as_ref().unwrap()["details"]["reason"],
        "STUCK",
        "{case}"
    );
    let manager = Caller::staff("manager@dewy.example", Role::Manager, Interface::Form);
    let page = hotel.processes[0]
        .execution(&manager, &record.id.to_string())
        .await
        .unwrap();
    assert_eq!(page.reason, Some(AttentionReason::Stuck), "{case}");
    assert!(
        page.acts
            .iter()
            .any(|act| act.resolution == Resolution::RetryNow && act.barred.is_none()),
        "{case}: {page:?}"
    );
    let input = json!({ "execution_id": record.id, "resolution": "retry_now", "reason": "the fault was mended" });
    hotel.staff("resolve_execution", "r1", input).await;
    assert!(hotel.run_until_idle(DAY).await, "{case}");
    let record = hotel
        .requested_executions()
        .into_iter()
        .find(|r| r.id == record.id)
        .unwrap();
    assert!(
        matches!(record.state, State::Completed | State::Compensated),
        "{case}: {record:?}"
    );
    assert_eq!(violations(hotel), Vec::<String>::new(), "{case}");
}

#[tokio::test(start_paused = true)]
async fn three_lost_workers_without_progress_mark_an_execution_stuck() {
    for (point, step) in [
        (CrashPoint::AfterIntent, "pay"),
        (CrashPoint::AfterSend, "pay"),
        (CrashPoint::AfterSend, "move"),
    ] {
        let crashes = vec![crash(point, step, Direction::Forward, 4)];
        let hotel = SimulatedHotel::new(Setup {
            workers: 2,
            crashes,
            ..Setup::default()
        });
        hotel.check_out("t1").await;
        assert!(hotel.run_until_idle(DAY).await);
        let case = format!("{step} {point:?}");
        let record = hotel.only();
        if record.state == State::NeedsAttention {
            assert_eq!(
                record.fence,
                record.rows[record.rows.len() - 2].fence + 3,
                "{case}: {record:?}"
            );
            assert_eq!(
                holder(&hotel).await,
                Some(record.id),
                "{case}: the claim stays"
            );
            hotel.probe.crashes.lock().unwrap().clear();
            comes_to_a_person_and_goes_on(&hotel, &case).await;
        } else {
            // The next worker rechecked, and made progress that way.
            assert_ne!(point, CrashPoint::AfterIntent, "{case}: {record:?}");
            assert_eq!(violations(&hotel), Vec::<String>::new(), "{case}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_panic_goes_to_staff_at_once() {
    let steps = [
        ("pay", Direction::Forward),
        ("move", Direction::Forward),
        ("read", Direction::Forward),
        ("pay", Direction::Back),
    ];
    for (step, direction) in steps {
        let point = if step == "read" {
            CrashPoint::BeforeIntent
        } else {
            CrashPoint::AfterSend
        };
        let step = if step == "read" { "pay" } else { step };
        let faults = match direction {
            Direction::Forward => vec![],
            Direction::Back => {
                vec![composite(FaultKind::TimeoutBeforeEffect).count(0)]
            }
        };
        let crashes = vec![crash(point, step, direction, 1)];
        let hotel = SimulatedHotel::new(Setup {
            workers: 2,
            crashes,
            faults,
            panics: true,
            ..Setup::default()
        });
        hotel.check_out("t1").await;
        tokio::time::sleep(Duration::from_secs(120)).await;
        assert_eq!(
            *hotel.probe.ended.lock().unwrap(),
            1,
            "{step} {direction:?}"
        );
        assert_eq!(
            hotel.only().state,
            State::NeedsAttention,
            "{step} {direction:?}: nobody else ran into it"
        );
        hotel.sandbox.clear_faults();
        comes_to_a_person_and_goes_on(&hotel, &format!("{step} {direction:?} {point:?}")).await;
    }
}

/// A refund whose workers die, or that panics, is on the staff's list of compensations as what it
/// is.
#[tokio::test(start_paused = true)]
async fn a_stuck_refund_is_recorded_for_staff() {
    for (panics, point, times) in [
        (false, CrashPoint::AfterIntent, 4),
        (true, CrashPoint::AfterSend, 1),
    ] {
        let down = composite(FaultKind::TimeoutBeforeEffect);
        let hotel = SimulatedHotel::new(Setup {
            workers: 2,
            crashes: vec![crash(point, "pay", Direction::Back, times)],
            faults: vec![down.count(0)],
            panics,
            ..Setup::default()
        });
        hotel.check_out("t1").await;
        assert!(hotel.run_until_idle(DAY).await, "panics: {panics}");
        let record = hotel.only();
        assert_eq!(
            record.answer.as_ref().unwrap()["details"]["reason"],
            "STUCK",
            "panics: {panics}"
        );
        let payment = hotel.ledger().into_keys().next().unwrap();
        let row = hotel.journal.projection_row("compensation", &payment).await;
        let body = row.unwrap().unwrap().body;
        assert_eq!(
            body["status"], "needs_attention",
            "panics: {panics}: {body}"
        );
    }
}

/// Hanging calls take every slot for new work; a due refund is made anyway.
#[tokio::test(start_paused = true)]
async fn many_new_calls_do_not_block_a_refund() {
    let faults = vec![
        composite(FaultKind::TimeoutBeforeEffect).count(3),
        stripe("refund_create", FaultKind::Status)
            .status(429)
            .count(6),
    ];
    let hotel = SimulatedHotel::new(Setup {
        slots: 2,
        faults,
        ..Setup::default()
    });
    let refunded = || {
        hotel
            .ledger()
            .values()
            .any(|(taken, back, owner)| owner.is_some() && *taken > 0 && taken == back)
    };
    let owed = hotel.check_out("t1");
    let crowd = async {
        // The refund is refused temporarily, and its execution waits for its next attempt.
        tokio::time::sleep(Duration::from_secs(30)).await;
        assert!(!refunded(), "the refund was to be due later");
        hotel.fault(salesforce("query", FaultKind::Slow).ms(4_500).count(0));
        let calls = (0..6).map(|caller| {
            let hotel = &hotel;
            async move {
                for n in 0..120_000 {
                    let input = json!({ "room_number": "101", "status": "Cleaning" });
                    hotel
                        .staff("set_room_status", &*format!("c{caller}-{n}"), input)
                        .await;
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            }
        });
        let until_refunded = async {
            for _ in 0..300 {
                tokio::time::sleep(Duration::from_secs(1)).await;
                if refunded() {
                    return true;
                }
            }
            false
        };
        tokio::select! {
            done = until_refunded => assert!(done, "new calls kept the refund out for five minutes"),
            _ = futures::future::join_all(calls) => panic!("the crowd went home"),
        }
    };
    let _ = futures::join!(owed, crowd);
}

/// An execution taken while a new call used the last slot is released before its lease expires.
#[tokio::test(start_paused = true)]
async fn executions_claimed_without_a_slot_are_released_at_once() {
    let salesforce = |operation, kind| salesforce(operation, kind);
    let slow = |operation| salesforce(operation, FaultKind::Slow).ms(4_500).count(0);
    // The first three writes have to be retried, and everything is slow.
    let later = salesforce("composite", FaultKind::UnableToLockRow).count(3);
    let hotel = SimulatedHotel::new(Setup {
        workers: 2,
        slots: 3,
        faults: vec![later, slow("query"), slow("composite")],
        ..Setup::default()
    });
    let desk = Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Mcp);
    let calls = |process: usize, rooms: [&'static str; 3]| {
        let (hotel, desk) = (&hotel, &desk);
        futures::future::join_all(rooms.map(|room| async move {
            let input = json!({ "room_number": room, "status": "Maintenance" });
            hotel
                .call_at(process, desk, "set_room_status", room, input)
                .await
        }))
    };
    let handed_over = || {
        let all = hotel.journal.snapshot();
        all.len() == 3 && all.iter().all(|record| record.worker.is_none())
    };
    let saga_request = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        // While the other process polls for due work, new calls take all of its slots except
        // the two reserved for recovery.
        let delay = Duration::from_millis(200);
        hotel.journal.hooks(|hooks| hooks.delay = delay);
        let leave = hotel.stop_worker(0);
        let arrive = async {
            while !handed_over() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            // Suspects are looked for first; the calls come while others are being taken.
            tokio::time::sleep(delay).await;
            calls(1, ["201", "206", "309"]).await;
        };
        let look = async {
            while !handed_over() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
            let taken = hotel
                .journal
                .snapshot()
                .into_iter()
                .filter(|r| r.fence == 2);
            let held: Vec<bool> = taken.map(|record| record.worker.is_some()).collect();
            assert_eq!(held.len(), 3, "all three were taken");
            assert_eq!(
                held.iter().filter(|held| **held).count(),
                2,
                "and one given back"
            );
        };
        futures::join!(leave, arrive, look)
    };
    futures::join!(calls(0, ["101", "109", "110"]), saga_request);
    hotel.ends_sound().await;
}

/// When a process dies, all its executions are interrupted, but only the one that caused it is
/// escalated to staff.
#[tokio::test(start_paused = true)]
async fn a_crashing_execution_affects_no_other() {
    // Nobody gets further before the next process is dead.
    let slow = |operation: &str| salesforce(operation, FaultKind::Slow);
    let faults = ["query", "composite"].map(|name| slow(name).ms(4_000).count(0));
    let mut hotel = SimulatedHotel::new(Setup {
        crashes: vec![crash(
            CrashPoint::AfterIntent,
            "pay",
            Direction::Forward,
            u32::MAX,
        )],
        faults: faults.to_vec(),
        deadly: true,
        ..Setup::default()
    });
    let ledger = hotel.sandbox_ledger();
    let occupied = ledger.rows("Hotel_Room__c").iter();
    let rooms: Vec<_> = occupied
        .filter(|room| room["Status__c"] == "Occupied" && room["Room_Number__c"] != "302")
        .map(|room| room["Room_Number__c"].clone())
        .take(9)
        .collect();
    assert_eq!(rooms.len(), 9);
    let ask = |caller: Caller, tool: &str, input: Value| {
        let call = ToolCall {
            tool: tool.to_owned(),
            idempotency_token: Some(input.to_string()),
            input,
            wait: None,
        };
        let process = Arc::clone(&hotel.processes[0]);
        // Its process dies before it can answer.
        tokio::spawn(async move { process.dispatch(&caller, call).await });
    };
    let desk = || Caller::staff("manager@dewy.example", Role::Manager, Interface::Mcp);
    for room in &rooms {
        let input = json!({ "room_number": room, "amount": 5000, "description": "Spa" });
        ask(desk(), "post_charge", input);
    }
    let beth = Caller::guest(BETH, Interface::Mcp);
    ask(beth, "process_guest_checkout", json!({ "amount": 25000 }));
    let mut died = 0;
    for _ in 0..600 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        if hotel.is_dead() {
            died += 1;
            hotel.start_worker(false);
        }
    }
    assert_eq!(died, 3, "the fourth process gives it to a person");
    assert!(hotel.run_until_idle(DAY).await);
    let (poison, others): (Vec<_>, Vec<_>) = hotel
        .requested_executions()
        .into_iter()
        .partition(|record| record.saga == "process_guest_checkout");
    assert_eq!(others.len(), 9);
    for record in others {
        assert_eq!(record.state, State::Completed, "{record:?}");
    }
    let stuck = ("attention".to_owned(), "STUCK".to_owned());
    assert_eq!(poison[0].state, State::NeedsAttention);
    assert!(poison[0].labels.contains(&stuck), "{:?}", poison[0].labels);
    assert_sound(&hotel);
}
