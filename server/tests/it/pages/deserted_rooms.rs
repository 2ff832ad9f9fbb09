//! Rooms that are Occupied where nobody lives.

use crate::prelude::*;

async fn desk(hotel: &TestHotel) -> Browser {
    hotel.browser().staff("frontdesk@dewy.example").await
}

/// The stay of a room was moved by others: the page of the room frees it.
#[tokio::test]
async fn a_deserted_room_is_freed_from_its_page() {
    let hotel = TestHotel::open().await;
    let desk = desk(&hotel).await;
    let empty = hotel.record("Hotel_Room__c", "Status__c", "Vacant");
    let (number, id) = (empty["Room_Number__c"].as_str().unwrap(), &empty["Id"]);
    let beth = hotel.record("Contact", "Email", "beth.gibbs@email.com");
    let occupied = json!({ "Status__c": "Occupied", "Current_Guest__c": beth["Id"] });
    hotel.edit("Hotel_Room__c", "Room_Number__c", number, &occupied);
    let path = format!("/staff/rooms/{number}");
    let page = desk.open(&path).await;
    page.has(&[
        "Nobody is checked in to this room",
        &format!("id=\"set-{number}-cleaning\""),
        &format!("id=\"set-{number}-vacant\""),
    ]);
    let fields = format!(
        "room_number={number}&status=Cleaning&seen=Occupied&back=%2Fstaff%2Frooms%2F{number}&idempotency_token=f1"
    );
    let page = desk.submit("set_room", &fields).await;
    page.has(&["is Cleaning now", &format!("id=\"set-{number}-vacant\"")]);
    page.lacks(&["Nobody is checked in to this room"]);
    let freed = hotel.record("Hotel_Room__c", "Id", id.as_str().unwrap());
    assert_eq!(freed["Status__c"], "Cleaning");
    assert!(freed["Current_Guest__c"].is_null(), "{freed}");
    // Where somebody lives there are no such buttons
    let page = desk.open("/staff/rooms/302").await;
    page.lacks(&["Nobody is checked in to this room", "id=\"set-302-"]);
}
