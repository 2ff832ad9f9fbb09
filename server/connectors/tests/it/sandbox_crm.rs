//! Salesforce connector against the sandbox, in memory and on virtual time.

use dewy_domain::ports::RefundLine;
use dewy_sandbox::Latency;

use crate::prelude::*;

#[tokio::test(start_paused = true)]
async fn a_check_out_and_its_revert() {
    let hotel = hotel();
    let before = hotel.beth().await;
    let after = done(hotel.check_out(&hotel.order(before.clone())).await);
    assert!(after.marker.is_some());
    assert_eq!(
        (
            after.booking.status.as_str(),
            after.room.status.as_str(),
            after.room.current_guest.as_deref()
        ),
        ("Checked Out", "Cleaning", None)
    );
    assert_eq!(
        (
            after.opportunity.stage.as_str(),
            after.opportunity.payment_id.as_deref()
        ),
        ("Closed Won", Some("pi_1"))
    );
    assert_eq!(
        after.opportunity.stamp.by,
        after.marker.as_ref().unwrap().created_by
    );
    assert_eq!(
        dewy_domain::stay::balance(after.opportunity.amount, &after.lines),
        Some(Cents(0))
    );
    assert_eq!(
        hotel.operations(),
        ["token", "query", "composite"],
        "two calls of the quota"
    );
    assert_eq!(
        after,
        hotel.trace(&before).await,
        "the composite's trace is what a look-up finds"
    );

    let order = RevertOrder {
        execution_id: "exe_1".to_owned(),
        booking: Some((after.booking, before.booking.clone())),
        room: Some((after.room, before.room.clone())),
        opportunity: Some((after.opportunity, before.opportunity.clone())),
        opportunity_id: before.opportunity.id.clone(),
        missing_payment: None,
        refund: Some(RefundLine {
            refund_id: "re_1".to_owned(),
            amount: Cents(25_000),
            status: "Completed".into(),
        }),
        unpaid: vec![],
        at: hotel.clock.now(),
    };
    let call = hotel.crm.revert(&order);
    assert_eq!(hotel.crm.send_revert(&call).await, Outcome::Done(()));
    let back = hotel.trace(&before).await;
    assert!(back.marker.is_some() && back.compensated);
    assert_eq!(
        (
            back.booking.status,
            back.room.status,
            back.room.current_guest
        ),
        (
            before.booking.status,
            before.room.status,
            before.room.current_guest
        )
    );
    assert_eq!(
        (
            &back.opportunity.stage,
            back.opportunity.close_date,
            &back.opportunity.payment_id
        ),
        (
            &before.opportunity.stage,
            before.opportunity.close_date,
            &before.opportunity.payment_id
        )
    );
    assert_eq!(
        dewy_domain::stay::balance(back.opportunity.amount, &back.lines),
        Some(Cents(25_000)),
        "owed once"
    );
    assert_eq!(
        arm(&hotel.crm.send_revert(&call).await),
        "refused guard_failed",
        "a straggler of it does no harm"
    );
}

#[tokio::test(start_paused = true)]
async fn a_foreign_edit_fails_the_guard_whatever_it_touched() {
    for (object, field, value) in [
        ("Booking__c", "Special_Requests__c", "late breakfast"),
        ("Booking__c", "Status__c", "Cancelled"),
        ("Hotel_Room__c", "Status__c", "Maintenance"),
        ("Opportunity", "StageName", "Closed Lost"),
    ] {
        for (seconds, arrives) in [(0, false), (5, false), (0, true), (5, true)] {
            let hotel = hotel();
            let stay = if arrives {
                hotel.sarah().await
            } else {
                hotel.beth().await
            };
            let order = hotel.order(stay.clone());
            hotel.pass(seconds).await;
            let id = match object {
                "Booking__c" => &stay.booking.id,
                "Hotel_Room__c" => &stay.room.id,
                _ => &stay.opportunity.id,
            };
            hotel.edit(object, id, field, value);
            let reply = if arrives {
                hotel.check_in(&stay).await
            } else {
                hotel.check_out(&order).await
            };
            let case = format!("{object} {field} {seconds} {arrives}");
            assert_eq!(arm(&reply), "refused guard_failed", "{case}");
            let trace = hotel.trace(&stay).await;
            assert_eq!(trace.marker, None, "{case}");
            assert_eq!(trace.room.current_guest, stay.room.current_guest, "{case}");
            let done = ["Checked Out", "Checked In"][usize::from(arrives)];
            assert_ne!(trace.booking.status.as_str(), done, "{case}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_revert_never_overwrites_a_foreign_edit_of_the_same_second() {
    let hotel = hotel();
    let before = hotel.beth().await;
    let after = done(hotel.check_out(&hotel.order(before.clone())).await);
    let order = RevertOrder {
        execution_id: "exe_1".to_owned(),
        booking: None,
        room: Some((after.room.clone(), before.room.clone())),
        opportunity: None,
        opportunity_id: before.opportunity.id.clone(),
        missing_payment: None,
        refund: None,
        unpaid: vec![],
        at: hotel.clock.now(),
    };
    hotel.edit("Hotel_Room__c", &before.room.id, "Status__c", "Vacant");
    hotel.edit("Hotel_Room__c", &before.room.id, "Status__c", "Cleaning");
    let call = hotel.crm.revert(&order);
    assert_eq!(
        arm(&hotel.crm.send_revert(&call).await),
        "refused guard_failed",
        "equal values, another hand, no time between"
    );
}

#[tokio::test(start_paused = true)]
async fn a_touch_moves_the_stamp_and_fails_stragglers() {
    let hotel = hotel();
    let stay = hotel.beth().await;
    let straggler = hotel.crm.check_out(&hotel.order(stay.clone()));
    let touch = hotel.crm.build_touch(&stay.booking);
    assert_eq!(hotel.crm.send_touch(&touch).await, Outcome::Done(()));
    let touched = hotel.trace(&stay).await.booking;
    assert!(touched.stamp.at > stay.booking.stamp.at && touched.status == stay.booking.status);
    assert_eq!(
        arm(&hotel.crm.send_check_out(&straggler).await),
        "refused guard_failed"
    );
    assert_eq!(
        arm(&hotel.crm.send_touch(&touch).await),
        "refused guard_failed"
    );
}

#[tokio::test(start_paused = true)]
async fn lines_alone_are_one_call_and_idempotent() {
    let hotel = hotel();
    let stay = hotel.beth().await;
    let order = RevertOrder {
        execution_id: "exe_1".to_owned(),
        booking: None,
        room: None,
        opportunity: None,
        opportunity_id: stay.opportunity.id.clone(),
        missing_payment: hotel.order(stay.clone()).payment,
        refund: Some(RefundLine {
            refund_id: "re_1".to_owned(),
            amount: Cents(25_000),
            status: "Pending".into(),
        }),
        unpaid: vec![],
        at: hotel.clock.now(),
    };
    let call = hotel.crm.revert(&order);
    assert_eq!(hotel.crm.send_revert(&call).await, Outcome::Done(()));
    let trace = hotel.trace(&stay).await;
    assert!(trace.compensated && trace.marker.is_none());
    assert_eq!(
        dewy_domain::stay::balance(trace.opportunity.amount, &trace.lines),
        Some(Cents(25_000))
    );
    assert_eq!(hotel.operations(), ["token", "query", "upsert", "query"]);
    assert_eq!(
        arm(&hotel.crm.send_revert(&call).await),
        "refused guard_failed",
        "the second time it is void"
    );
    assert_eq!(hotel.trace(&stay).await.lines, trace.lines);
}

#[tokio::test(start_paused = true)]
async fn every_fault_maps_as_documented() {
    for (kind, expected, applied) in [
        (FaultKind::TimeoutBeforeEffect, "unknown timeout", false),
        (FaultKind::TimeoutAfterEffect, "unknown timeout", true),
        (FaultKind::ResetBeforeEffect, "unknown broken", false),
        (FaultKind::ResetAfterEffect, "unknown broken", true),
        (FaultKind::GarbageBody, "unknown garbage", true),
        (
            FaultKind::UnableToLockRow,
            "try_later UNABLE_TO_LOCK_ROW",
            false,
        ),
        (
            FaultKind::RequestLimit,
            "try_later REQUEST_LIMIT_EXCEEDED",
            false,
        ),
        (FaultKind::ExpiredSession, "done", true),
    ] {
        let hotel = hotel();
        let stay = hotel.beth().await;
        hotel.fault("composite", kind);
        let began = hotel.clock.now();
        assert_eq!(
            arm(&hotel.check_out(&hotel.order(stay.clone())).await),
            expected,
            "{kind:?}"
        );
        assert!(
            hotel.clock.now().duration_since(began).as_secs() <= 5,
            "{kind:?}"
        );
        assert_eq!(
            hotel.trace(&stay).await.marker.is_some(),
            applied,
            "{kind:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn concurrent_calls_with_an_expired_session_request_one_token() {
    let hotel = hotel();
    hotel.sandbox.set_latency(Latency::reference());
    hotel.beth().await;
    hotel.fault("query", FaultKind::ExpiredSession);
    let (one, two) = futures::join!(
        hotel.stays("beth.gibbs@email.com"),
        hotel.stays("wei.chen@example.com")
    );
    assert_eq!((one.len(), two.len()), (1, 2));
    let tokens = hotel
        .operations()
        .iter()
        .filter(|operation| *operation == "token")
        .count();
    let refused = hotel
        .sandbox
        .calls()
        .iter()
        .filter(|call| call.status == Some(401))
        .count();
    assert_eq!(refused, 2, "both were answered with 401");
    assert_eq!(
        tokens,
        2,
        "the first one and one refresh: {:?}",
        hotel.operations()
    );
}

#[tokio::test(start_paused = true)]
async fn without_a_token_a_call_has_no_unknown_outcome() {
    let hotel = hotel();
    hotel
        .sandbox
        .add_fault(Fault::new(System::Salesforce, "token", FaultKind::TimeoutAfterEffect).count(0));
    let call = hotel.crm.check_out(&crate::example_check_out::check_out());
    assert_eq!(
        arm(&hotel.crm.send_check_out(&call).await),
        "try_later timeout"
    );
    assert!(!hotel.operations().contains(&"composite".to_owned()));
}
