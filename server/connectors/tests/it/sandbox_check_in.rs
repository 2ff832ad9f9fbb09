//! Check-ins against the sandbox: two calls forward, one back.

use crate::{prelude::*, sandbox_hotel::arriving};

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
async fn arrivals_are_reserved_and_checked_in_bookings() {
    let hotel = hotel();
    let read = async |query: StayQuery| match hotel.crm.stays(&query).await {
        Outcome::Done(stays) => stays
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
