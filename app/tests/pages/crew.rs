//! Pages of housekeeping and maintenance.

use axum::http::StatusCode;
use serde_json::json;

use super::Visitor;

async fn crew(who: &str) -> Visitor {
    let visitor = Visitor::new();
    visitor
        .sign_in_staff(&format!("{who}%40dewy.example"))
        .await;
    visitor
}

#[tokio::test]
async fn housekeeping_has_rooms_to_clean_and_one_tap_each() {
    let crew = crew("housekeeping").await;
    let page = crew.get("/staff").await;
    for words in [
        "Rooms to clean",
        "Clean, ready: room 101",
        "A guest arrives today",
        "Two more towels",
        "Start work",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
    for words in [
        "The ceiling leaks",
        "/staff/tape",
        "/staff/guests",
        "/staff/executions",
        "Expected room revenue",
        "$",
    ] {
        assert!(!page.text.contains(words), "{words}");
    }
    let fields = "room_number=101&status=Vacant&seen=Cleaning&back=%2Fstaff&idempotency_token=t";
    let page = crew.post("set_room", fields).await;
    assert_eq!(page.location, "/staff?done=101&was=Cleaning");
    let call = crew.house.calls().pop().unwrap();
    assert_eq!(
        call.input,
        json!({ "room_number": "101", "status": "Vacant" })
    );
    assert!(crew.get("/staff").await.text.contains("Room 101 is ready."));
}

#[tokio::test]
async fn a_room_is_taken_back_only_while_it_is_as_it_was_left() {
    let crew = crew("housekeeping").await;
    let page = crew.get("/staff?done=205&was=Cleaning").await;
    assert!(page.text.contains("Undo: room 205") && page.text.contains("Clean, ready: room 101"));
    // Not cleaned at all, in use, a status that cannot follow, no such room
    for query in [
        "done=101&was=Cleaning",
        "done=302&was=Cleaning",
        "done=205&was=Occupied",
        "done=999&was=Cleaning",
        "done=205",
    ] {
        let page = crew.get(&format!("/staff?{query}")).await;
        assert!(!page.text.contains("Undo"), "{query}");
    }
    let fields = "room_number=205&status=Cleaning&seen=Vacant&back=%2Fstaff%3Froom%3D205&idempotency_token=t";
    assert_eq!(
        crew.post("set_room", fields).await.location,
        "/staff?room=205"
    );
    let call = crew.house.calls().pop().unwrap();
    assert_eq!(
        call.input,
        json!({ "room_number": "205", "status": "Cleaning" })
    );
}

#[tokio::test]
async fn maintenance_has_what_cannot_be_let() {
    let crew = crew("maintenance").await;
    let page = crew.get("/staff").await;
    assert!(
        page.text.contains("Repaired, ready: room 102") && page.text.contains("The ceiling leaks")
    );
    assert!(!page.text.contains("Clean, ready") && !page.text.contains("Two more towels"));
    let page = crew.get("/staff/rooms/205").await;
    assert!(page.text.contains("Something is broken"));
    let fields = "room_number=205&description=No+hot+water&type=Maintenance&priority=High&take_out_of_service=on&idempotency_token=t";
    assert_eq!(
        crew.post("report_defect", fields).await.location,
        "/staff/rooms/205"
    );
    let call = crew.house.calls().pop().unwrap();
    assert_eq!(call.tool, "submit_maintenance_request");
    assert_eq!(call.input["take_out_of_service"], json!(true));
    assert!(
        crew.get("/staff/rooms/205")
            .await
            .text
            .contains("Case 00001009 is open for room 205.")
    );
}

#[tokio::test]
async fn the_desks_boards_are_not_theirs() {
    let crew = crew("housekeeping").await;
    for path in [
        "/staff/tape",
        "/staff/guests",
        "/staff/book",
        "/staff/stays/BK-0042",
        "/staff/guest?email=a%40b.c",
    ] {
        assert_eq!(crew.get(path).await.status, StatusCode::FORBIDDEN, "{path}");
    }
    assert!(
        !crew
            .get("/staff/cases/00001001")
            .await
            .text
            .contains("Beth Gibbs")
    );
}
