//! Pages of housekeeping and maintenance, and what is not theirs.

use crate::{browser::Browser, test_hotel::TestHotel};

async fn crew(hotel: &TestHotel, role: &str) -> Browser {
    hotel.browser().staff(&format!("{role}@dewy.example")).await
}

#[tokio::test]
async fn housekeeping_marks_a_room_clean_with_one_tap() {
    let hotel = TestHotel::open().await;
    let crew = crew(&hotel, "housekeeping").await;
    let page = crew.open("/staff").await;
    page.has(&[
        "Rooms to clean",
        "Clean, ready: room 206",
        "A guest arrives today",
        "Extra towels for 104",
        "Start work",
    ]);
    page.lacks(&[
        "Ceiling leaks",
        "/staff/tape",
        "/staff/guests",
        "/staff/executions",
        "Expected room revenue",
        "$",
    ]);
    let fields = "room_number=206&status=Vacant&seen=Cleaning&back=%2Fstaff&idempotency_token=t1";
    let sent = crew.post("set_room", fields).await;
    assert_eq!(sent.to(), "/staff?done=206&was=Cleaning");
    let page = crew.open(&sent.to()).await;
    page.has(&[
        "Room 206 is ready.",
        "Undo: room 206",
        "Clean, ready: room 201",
    ]);
    // Not cleaned at all, in use, a status that cannot follow, no such room
    for query in [
        "done=201&was=Cleaning",
        "done=302&was=Cleaning",
        "done=206&was=Occupied",
        "done=999&was=Cleaning",
        "done=206",
    ] {
        crew.open(&format!("/staff?{query}")).await.lacks(&["Undo"]);
    }
    let fields = "room_number=206&status=Cleaning&seen=Vacant&back=%2Fstaff%3Froom%3D206&idempotency_token=t2";
    let sent = crew.post("set_room", fields).await;
    assert_eq!(sent.to(), "/staff?room=206");
    let room = hotel.record("Hotel_Room__c", "Room_Number__c", "206");
    assert_eq!(room["Status__c"], "Cleaning");

    // The desk's pages are not theirs
    for path in [
        "/staff/tape",
        "/staff/guests",
        "/staff/book",
        "/staff/stays/BK-0042",
        "/staff/guest?email=a%40b.c",
        "/staff/executions",
        "/staff/attention",
        "/staff/compensations",
        "/staff/refund",
        "/staff/charges",
        "/staff/audit",
    ] {
        let page = crew.open(path).await;
        assert_eq!(page.status, 403, "{path}");
        page.lacks(&["aria-label=\"Desk\""]);
    }
    assert_eq!(crew.open("/staff/account").await.status, 200);
    assert_eq!(crew.open("/staff/conversations").await.status, 404);
    let towels = hotel.record("Case", "Subject", "Extra towels for 104");
    let number = towels["CaseNumber"].as_str().unwrap();
    let page = crew.open(&format!("/staff/cases/{number}")).await;
    assert_eq!(page.status, 200);
    page.lacks(&["Nora", "O'Brien"]);
    let page = crew.open("/staff/tokens").await;
    page.has(&["These are yours"]);
    page.lacks(&["name=\"email\""]);
    hotel.close().await;
}

#[tokio::test]
async fn maintenance_sees_rooms_out_of_order() {
    let hotel = TestHotel::open().await;
    let crew = crew(&hotel, "maintenance").await;
    let page = crew.open("/staff").await;
    page.has(&["Repaired, ready: room 108", "Ceiling leaks"]);
    page.lacks(&["Clean, ready", "Extra towels for 104"]);
    let page = crew.open("/staff/rooms/400").await;
    page.has(&["Something is broken"]);
    let fields = "room_number=400&description=No+hot+water&type=Maintenance&priority=High&take_out_of_service=on&idempotency_token=t";
    let sent = crew.post("report_defect", fields).await;
    assert_eq!(sent.to(), "/staff/rooms/400");
    let case = hotel.record("Case", "Description", "No hot water");
    let number = case["CaseNumber"].as_str().unwrap();
    let page = crew.open(&sent.to()).await;
    page.has(&[&format!("Case {number} is open for room 400.")]);
    let room = hotel.record("Hotel_Room__c", "Room_Number__c", "400");
    assert_ne!(room["Status__c"], "Vacant");
    hotel.close().await;
}
