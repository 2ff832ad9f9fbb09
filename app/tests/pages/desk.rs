//! What the front desk does with several records, undoes, and keeps for itself.

use serde_json::json;

use super::Visitor;

async fn desk() -> Visitor {
    let visitor = Visitor::new();
    visitor.sign_in_staff("frontdesk%40dewy.example").await;
    visitor
}

#[tokio::test]
async fn a_check_in_is_undone_where_it_was_made() {
    let desk = desk().await;
    let fields = "booking_number=BK-0043&guest_email=sarah.johnson%40example.com&back=%2Fstaff&idempotency_token=at-once";
    assert_eq!(desk.post("desk_check_in", fields).await.location, "/staff");
    let page = desk.get("/staff").await;
    assert!(
        page.text
            .contains("Sarah Johnson is checked in. The room is 205.")
    );
    assert!(
        page.text.contains("Undo the check-in of Sarah Johnson")
            && page.text.contains("/form/undo_check_in")
    );
    let fields = "booking_number=BK-0043&back=%2Fstaff&idempotency_token=u1";
    assert_eq!(desk.post("undo_check_in", fields).await.location, "/staff");
    let call = desk.house.calls().pop().unwrap();
    assert_eq!(
        (call.tool.as_str(), &call.input),
        ("undo_check_in", &json!({ "booking_number": "BK-0043" }))
    );
    assert_eq!(call.idempotency_token.as_deref(), Some("u1"));
    let page = desk.get("/staff").await;
    assert!(
        page.text
            .contains("The check-in of Sarah Johnson is undone. Room 205 is Vacant again.")
    );
    let refused = "booking_number=BK-0042&back=%2Fstaff%2Fstays%2FBK-0042&idempotency_token=u2";
    assert_eq!(
        desk.post("undo_check_in", refused).await.location,
        "/staff/stays/BK-0042"
    );
    let page = desk.get("/staff/stays/BK-0042").await;
    assert!(
        page.text
            .contains("The check-in of Beth Gibbs was not undone")
    );
    assert!(
        page.text
            .contains("Somebody has changed the room since the check-in.")
    );
    let page = desk.get("/staff/stays/BK-0042/undo-check-in").await;
    assert!(page.text.contains("The booking becomes Reserved again"));
}

#[tokio::test]
async fn several_rooms_are_marked_clean_one_by_one() {
    let desk = desk().await;
    let page = desk.get("/staff/rooms?show=dirty").await;
    assert!(
        page.text.contains("Choose room 101") && page.text.contains("action=\"/staff/bulk/clean\"")
    );
    let page = desk
        .get("/staff/bulk/clean?pick=101&pick=302&pick=101&pick=999")
        .await;
    for words in [
        "Mark 1 room clean",
        "Room 101",
        "Left out",
        "It is Occupied now.",
        "There is no such room.",
        "value=\"101\"",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
    let page = desk.get("/staff/bulk/clean?pick=302").await;
    assert!(page.text.contains("Nothing is chosen") && !page.text.contains("/form/bulk"));

    let before = desk.house.calls().len();
    let page = desk
        .post("bulk", "act=clean&picks=101&reason=+&idempotency_token=b1")
        .await;
    assert_eq!(page.location, "/staff/bulk/clean?pick=101");
    assert!(
        desk.get(&page.location)
            .await
            .text
            .contains("Say why, in a few words")
    );
    assert_eq!(desk.house.calls().len(), before, "nothing was asked for");

    let page = desk
        .post(
            "bulk",
            "act=clean&picks=101%2C302&reason=Inspected&idempotency_token=b1",
        )
        .await;
    assert_eq!(page.location, "/staff/bulk/clean?done=1");
    let calls = desk.house.calls();
    let sent: Vec<_> = calls[before..]
        .iter()
        .map(|call| {
            (
                call.tool.as_str(),
                call.input.clone(),
                call.idempotency_token.clone(),
            )
        })
        .collect();
    let call = |room: &str| {
        let input = json!({ "room_number": room, "status": "Vacant", "reason": "Inspected" });
        ("set_room_status", input, Some(format!("b1-{room}")))
    };
    assert_eq!(sent, [call("101"), call("302")]);
    for _ in 0..2 {
        let page = desk.get("/staff/bulk/clean?done=1").await;
        for words in [
            "1 of 2 rooms done",
            "1 room could not be changed",
            "A guest is in room 302.",
            "Details",
        ] {
            assert!(page.text.contains(words), "{words}");
        }
    }
}

#[tokio::test]
async fn several_cases_get_a_colleague_and_the_crew_retries_nothing() {
    let desk = desk().await;
    let page = desk.get("/staff/cases").await;
    assert!(page.text.contains("Choose: Two more towels"));
    let page = desk
        .post(
            "bulk",
            "act=assign&picks=00001001&reason=Floor+3&assignee=&idempotency_token=b2",
        )
        .await;
    assert!(
        desk.get(&page.location)
            .await
            .text
            .contains("Name a colleague by email")
    );
    desk.post("bulk", "act=assign&picks=00001001%2C00001002&reason=Floor+3&assignee=Maintenance%40dewy.example&idempotency_token=b2").await;
    let call = &desk.house.calls()[desk.house.calls().len() - 2];
    assert_eq!(
        call.input,
        json!({ "case_number": "00001001", "assignee": "maintenance@dewy.example", "comment": "Floor 3" })
    );
    let page = desk.get("/staff/bulk/assign?done=1").await;
    assert!(
        page.text.contains("1 of 2 cases done")
            && page.text.contains("somebody has changed it meanwhile")
    );
    let crew = Visitor::new();
    crew.sign_in_staff("housekeeping%40dewy.example").await;
    assert_eq!(crew.get("/staff/bulk/retry?pick=exe_1").await.status, 404);
    assert_eq!(crew.get("/staff/bulk/clean?pick=101").await.status, 200);
    assert_eq!(desk.get("/staff/bulk/burn").await.status, 404);
}

#[tokio::test]
async fn filters_are_saved_under_a_name() {
    let desk = desk().await;
    assert!(
        !desk
            .get("/staff/executions")
            .await
            .text
            .contains("Save this view")
    );
    let page = desk.get("/staff/executions?state=retrying").await;
    assert!(page.text.contains("Save this view") && page.text.contains("value=\"state=retrying\""));
    let fields = "page=%2Fstaff%2Fexecutions&query=state%3Dretrying&view_name=";
    let location = desk.post("save_view", fields).await.location;
    assert_eq!(location, "/staff/executions?state=retrying");
    assert!(desk.get(&location).await.text.contains("Write a name"));
    desk.post("save_view", &format!("{fields}Slow+ones")).await;
    let page = desk.get("/staff/executions").await;
    assert!(page.text.contains("Saved views") && page.text.contains("Slow ones"));
    assert!(
        !desk.get("/staff/payments").await.text.contains("Slow ones"),
        "of its own list"
    );
    let fields = "page=%2Fstaff%2Fexecutions&name=Slow+ones&back=%2Fstaff%2Fexecutions";
    desk.post("delete_view", fields).await;
    assert!(
        !desk
            .get("/staff/executions")
            .await
            .text
            .contains("Slow ones")
    );
    let elsewhere = desk
        .post(
            "save_view",
            "page=https%3A%2F%2Fevil.example&query=&view_name=x",
        )
        .await;
    assert_eq!(elsewhere.location, "/staff");
}

#[tokio::test]
async fn fields_suggest_what_the_hotel_knows() {
    let desk = desk().await;
    let page = desk.get("/staff/cases/new").await;
    for words in [
        "list=\"known-anything\"",
        "list=\"known-rooms\"",
        "list=\"known-guests\"",
        "<option value=\"Sarah Johnson\"",
        "<option value=\"205\"",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
    let page = desk.get("/staff/cases/00001001").await;
    assert!(
        page.text
            .contains("<option value=\"maintenance@dewy.example\"")
    );
    let crew = Visitor::new();
    crew.sign_in_staff("housekeeping%40dewy.example").await;
    let page = crew.get("/staff/rooms").await;
    assert!(
        page.text.contains("<option value=\"205\"")
            && !page.text.contains("<option value=\"Sarah Johnson\"")
    );
}
