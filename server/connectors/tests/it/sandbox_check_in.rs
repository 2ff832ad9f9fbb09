//! Check-ins against the sandbox: two calls forward, one back.

use crate::replies::{arm, done};
use dewy_domain::{
    ports::{Clock, Crm, RevertOrder, StayQuery},
    stay::Stay,
    upstream_request::Reply,
};

use crate::sandbox_hotel::{Hotel, arriving, hotel};

fn facts(stay: &Stay) -> (&str, &str, Option<&str>, &str) {
    (
        stay.booking.status.as_str(),
        stay.room.status.as_str(),
        stay.room.current_guest.as_deref(),
        stay.opportunity.stage.as_str(),
    )
}

fn back(hotel: &Hotel, before: &Stay, after: dewy_domain::ports::CheckOutRecords) -> RevertOrder {
    RevertOrder {
        execution_id: "exe_1".to_owned(),
        booking: Some((after.booking, before.booking.clone())),
        room: Some((after.room, before.room.clone())),
        opportunity: Some((after.opportunity, before.opportunity.clone())),
        opportunity_id: before.opportunity.id.clone(),
        missing_payment: None,
        refund: None,
        at: hotel.clock.now(),
    }
}

#[tokio::test(start_paused = true)]
async fn a_check_in_is_two_calls_and_brings_its_after_images() {
    let hotel = hotel();
    let before = hotel.sarah().await;
    assert_eq!(
        facts(&before),
        ("Reserved", "Vacant", None, "Booking Confirmed")
    );
    assert_eq!(before.room.number, "205");
    let after = done(hotel.check_in(&before).await);
    assert_eq!(
        hotel.operations(),
        ["token", "query", "composite"],
        "two calls of the quota"
    );
    assert_eq!(after.marker, None);
    assert_eq!(
        (after.booking.status.as_str(), after.room.status.as_str()),
        ("Checked In", "Occupied")
    );
    assert_eq!(
        after.room.current_guest.as_ref(),
        Some(&before.booking.guest_id)
    );
    assert_eq!(after.opportunity.stage.as_str(), "Checked In");
    assert_eq!(
        after,
        hotel.trace(&before).await,
        "the composite's trace is what a look-up finds"
    );
    let now = hotel.sarah().await;
    assert_eq!(
        now.booking, after.booking,
        "who asks again is found in the house"
    );
}

#[tokio::test(start_paused = true)]
async fn a_check_in_and_its_revert_write_no_lines() {
    let hotel = hotel();
    let before = hotel.sarah().await;
    let after = done(hotel.check_in(&before).await);
    let call = hotel.crm.revert(&back(&hotel, &before, after));
    assert_eq!(hotel.crm.send_revert(&call).await, Reply::Done(()));
    let now = hotel.sarah().await;
    assert_eq!(facts(&now), facts(&before));
    assert_eq!(
        (now.lines.len(), now.opportunity.close_date),
        (0, before.opportunity.close_date)
    );
    assert_eq!(
        arm(&hotel.crm.send_revert(&call).await),
        "refused guard_failed",
        "a straggler of it does no harm"
    );
    assert_eq!(
        arm(&hotel.check_in(&before).await),
        "refused guard_failed",
        "nor does one of the check-in"
    );
    assert_eq!(
        arm(&hotel.check_in(&now).await),
        "done",
        "read again it goes"
    );
}

#[tokio::test(start_paused = true)]
async fn a_room_assigned_to_another_guest_is_not_assigned_again() {
    let hotel = hotel();
    let (one, other) = (hotel.sarah().await, hotel.sarah().await);
    let (first, second) = futures::join!(hotel.check_in(&one), hotel.check_in(&other));
    let mut arms = [arm(&first), arm(&second)];
    arms.sort_unstable();
    assert_eq!(arms, ["done", "refused guard_failed"]);
}

#[tokio::test(start_paused = true)]
async fn an_opportunity_in_another_stage_stays_in_it() {
    let hotel = hotel();
    let stay = hotel.sarah().await;
    hotel.edit(
        "Opportunity",
        &stay.opportunity.id,
        "StageName",
        "Negotiation/Review",
    );
    let stay = hotel.sarah().await;
    hotel.edit("Opportunity", &stay.opportunity.id, "Amount", "1.00");
    let after = done(hotel.check_in(&stay).await);
    assert_eq!(
        (
            after.booking.status.as_str(),
            after.opportunity.stage.as_str()
        ),
        ("Checked In", "Negotiation/Review")
    );
    assert_ne!(
        after.opportunity.stamp.by, after.booking.stamp.by,
        "it was not written"
    );
}

#[tokio::test(start_paused = true)]
async fn arrivals_are_reserved_and_checked_in_bookings() {
    let hotel = hotel();
    let read = async |query: StayQuery| match hotel.crm.stays(&query).await {
        Reply::Done(stays) => stays
            .into_iter()
            .map(|s| (s.room.number, s.booking.status))
            .collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    let reserved = [("205".into(), "Reserved".into())];
    assert_eq!(read(arriving("sarah@example.com")).await, reserved);
    assert_eq!(
        read(StayQuery {
            wanted: dewy_domain::ports::StaySelection::InHouse,
            ..arriving("sarah@example.com")
        })
        .await,
        []
    );
    assert_eq!(read(arriving("wei.chen@example.com")).await.len(), 2);
    assert_eq!(
        read(StayQuery {
            room_number: Some("205".into()),
            ..arriving("sarah@example.com")
        })
        .await,
        reserved
    );
    assert_eq!(
        read(StayQuery {
            room_number: Some("206".into()),
            ..arriving("sarah@example.com")
        })
        .await,
        []
    );
}
