//! Staff boards: today, rooms, stays, cases, guests, the tape chart.

use axum::http::StatusCode;
use serde_json::json;

use super::Visitor;

async fn desk() -> Visitor {
    let visitor = Visitor::new();
    visitor.sign_in_staff("frontdesk%40dewy.example").await;
    visitor
}

#[tokio::test]
async fn today_counts_what_is_left_and_says_what_is_in_the_way() {
    let desk = desk().await;
    let page = desk.get("/staff").await;
    for words in [
        "to go · 0 done",
        "Room 101 is being cleaned",
        "See room 101",
        "Expected yesterday",
        "/staff/stays/BK-0046/no-show",
        "$250.00 to pay",
        "/staff/stays/BK-0042/check-out",
        "rooms are taken tonight",
        "Expected room revenue",
        "data-events=\"/staff/board/events\"",
        "Check in: Sarah Johnson",
        // A late guest has either arrived or isn't coming
        "Check in: Late Lucy",
        "Mark no-show: Late Lucy",
        "/staff/stays/BK-0047/no-show",
        "Back office",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
    assert!(
        !page.text.contains("Check in: Ann Lee"),
        "her room is not ready"
    );
    let page = desk.get("/staff?show=in-house").await;
    assert!(
        page.text.contains("/staff/stays/BK-0042") && !page.text.contains("/staff/stays/BK-0043")
    );
    assert_eq!(desk.get("/staff/today").await.location, "/staff");
}

#[tokio::test]
async fn a_check_in_from_the_board_is_followed_or_told() {
    let desk = desk().await;
    let fields = "booking_number=BK-0043&guest_email=sarah.johnson%40example.com&back=%2Fstaff&idempotency_token=t1";
    let page = desk.post("desk_check_in", fields).await;
    assert!(
        page.location.starts_with("/staff/executions/exe_"),
        "what takes longer is followed"
    );
    let call = desk.house.calls().pop().unwrap();
    assert_eq!(call.tool, "check_in_guest");
    assert_eq!(
        call.input,
        json!({ "guest_email": "sarah.johnson@example.com", "booking_number": "BK-0043" })
    );
    assert_eq!(call.idempotency_token.as_deref(), Some("t1"));
    assert_eq!(
        Visitor::new().post("desk_check_in", fields).await.location,
        "/staff/sign-in?next=%2Fstaff"
    );
}

#[tokio::test]
async fn rooms_have_two_axes_and_only_the_moves_that_are_allowed() {
    let desk = desk().await;
    let page = desk.get("/staff/rooms").await;
    for words in [
        "Needs cleaning",
        "Under repair",
        "In use",
        "Arrives today",
        "Leaves today",
        "Floor 3",
        "show=dirty",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
    let page = desk.get("/staff/rooms?show=dirty").await;
    assert!(page.text.contains("/staff/rooms/101\"") && !page.text.contains("/staff/rooms/205\""));
    let page = desk.get("/staff/rooms/101").await;
    assert!(page.text.contains("Clean, ready") && !page.text.contains("Take out of service"));
    let page = desk.get("/staff/rooms/302").await;
    assert!(
        page.text.contains("Occupied: its status changes") && !page.text.contains("/form/set_room")
    );
    assert_eq!(
        desk.get("/staff/rooms/999").await.status,
        StatusCode::NOT_FOUND
    );

    let fields = "room_number=101&status=Vacant&seen=Cleaning&back=%2Fstaff%2Frooms%2F101&idempotency_token=t2";
    let page = desk.post("set_room", fields).await;
    assert_eq!(page.location, "/staff/rooms/101");
    assert!(
        desk.get("/staff/rooms/101")
            .await
            .text
            .contains("Room 101 is ready.")
    );
    assert!(
        !desk
            .get("/staff/rooms/101")
            .await
            .text
            .contains("Room 101 is ready."),
        "once"
    );
    desk.post(
        "set_room",
        "room_number=302&status=Vacant&seen=&back=%2Fstaff%2Frooms&idempotency_token=t3",
    )
    .await;
    let page = desk.get("/staff/rooms").await;
    assert!(
        page.text.contains("Room 302 was not changed")
            && page.text.contains("A guest is in room 302.")
    );
    assert_eq!(
        desk.post("set_room", "room_number=101&back=%2F%2Fevil.example")
            .await
            .location,
        "/staff/rooms"
    );
}

#[tokio::test]
async fn the_second_of_two_hears_that_somebody_was_faster() {
    let desk = desk().await;
    let fields =
        "room_number=101&status=Cleaning&seen=Vacant&back=%2Fstaff%2Frooms&idempotency_token=t2";
    desk.post("set_room", fields).await;
    let page = desk.get("/staff/rooms").await;
    assert!(
        page.text
            .contains("Someone else has already changed room 101")
            && page.text.contains("It is already Cleaning.")
    );
    assert!(
        desk.house
            .calls()
            .iter()
            .all(|call| call.tool != "set_room_status")
    );
    desk.post(
        "case_step",
        "case_number=00001003&status=In+Progress&seen=New&back=%2Fstaff%2Fcases",
    )
    .await;
    let page = desk.get("/staff/cases").await;
    assert!(
        page.text
            .contains("Someone else has already changed case 00001003")
    );
    assert!(
        page.text.contains("It is In Progress now")
            && page.text.contains("maintenance@dewy.example has it")
    );
}

#[tokio::test]
async fn a_stay_has_everything_in_one_place() {
    let desk = desk().await;
    let page = desk.get("/staff/stays/BK-0042").await;
    for words in [
        "Beth Gibbs",
        "$250.00",
        "Void PT-0008",
        "Two more towels",
        "+1 555 010 0001",
        "Post a charge",
        "New request",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
    assert!(
        !page.text.contains("Cancel the booking"),
        "she is in the house"
    );
    let page = desk.get("/staff/stays/bk-0001").await;
    assert!(
        page.text.contains("This stay has ended") && page.text.contains("2026"),
        "older than the board"
    );
    assert_eq!(
        desk.get("/staff/stays/BK-9999").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        desk.get("/staff/stays/BK-0042/dance").await.status,
        StatusCode::NOT_FOUND
    );

    // A check-out in progress is shown in place of a second form
    desk.house.plant("exe_w", "pm_card_authenticationRequired");
    let page = desk.get("/staff/stays/BK-0042/check-out").await;
    for part in ["has been under way since", "/staff/executions/exe_w"] {
        assert!(page.text.contains(part), "{part}");
    }
    assert!(!page.text.contains("and check out"), "no second form");
    desk.house.plant("exe_w", "pm_card_visa");
    let page = desk.get("/staff/stays/BK-0042/check-out").await;
    assert!(
        page.text.contains("Charge $250.00 and check out") && page.text.contains("Visa •••• 4242")
    );
    let fields = "guest_email=beth.gibbs%40example.com&booking_number=BK-0042&amount=25000";
    let page = desk
        .post(
            "desk_check_out",
            &format!("{fields}&payment_method_id=pm_card_visa&idempotency_token=t4"),
        )
        .await;
    assert!(page.location.starts_with("/staff/executions/exe_"));
    let call = desk.house.calls().pop().unwrap();
    assert_eq!(call.input["amount"], json!(25000));
    let page = desk
        .post(
            "desk_check_out",
            "booking_number=BK-0042&amount=1&idempotency_token=t5",
        )
        .await;
    assert_eq!(page.location, "/staff/stays/BK-0042/check-out");
    assert!(
        desk.get(&page.location)
            .await
            .text
            .contains("Beth Gibbs was not checked out")
    );
}

#[tokio::test]
async fn a_booking_is_changed_moved_and_ended() {
    let desk = desk().await;
    let seen = "seen_check_in_date=2026-11-25&seen_check_out_date=2026-11-28&seen_number_of_guests=2&seen_special_requests=";
    let now =
        "check_in_date=2026-11-25&check_out_date=2026-11-29&number_of_guests=2&special_requests=";
    let page = desk
        .post(
            "change_stay",
            &format!("booking_number=BK-0045&{now}&{seen}&idempotency_token=t"),
        )
        .await;
    assert_eq!(page.location, "/staff/stays/BK-0045");
    let call = desk.house.calls().pop().unwrap();
    assert_eq!(
        call.input,
        json!({ "booking_number": "BK-0045", "check_out_date": "2026-11-29" })
    );

    let page = desk.get("/staff/stays/BK-0044/move").await;
    assert!(
        page.text.contains("+$100.00") && page.text.contains("/staff/stays/BK-0044/move?room=410")
    );
    let page = desk.get("/staff/stays/BK-0044/move?room=205").await;
    assert!(page.text.contains("From 101 to 205") && page.text.contains("$100.00 more"));
    let page = desk
        .post(
            "move_stay",
            "booking_number=BK-0044&room_number=410&idempotency_token=t",
        )
        .await;
    let page = desk.get(&page.location).await;
    assert!(page.text.contains("BK-0044 was not moved") && page.text.contains("Room 410 is taken"));

    let page = desk.get("/staff/stays/BK-0046/no-show").await;
    assert!(
        page.text.contains("Mark as no-show?") && page.text.contains("can be booked by others")
    );
    desk.post(
        "end_stay",
        "booking_number=BK-0046&action=no_show&idempotency_token=t",
    )
    .await;
    let call = desk.house.calls().pop().unwrap();
    assert_eq!(
        call.input,
        json!({ "booking_number": "BK-0046", "action": "no_show" })
    );
    assert!(
        desk.get("/staff/stays/BK-0043/no-show")
            .await
            .text
            .contains("does not allow this"),
        "she may still come"
    );
}

#[tokio::test]
async fn cases_are_queued_by_who_does_them() {
    let desk = desk().await;
    let page = desk.get("/staff/cases").await;
    let (leak, towels) = (
        page.text.find("The ceiling leaks").unwrap(),
        page.text.find("Two more towels").unwrap(),
    );
    assert!(leak < towels, "the pressing ones first");
    let page = desk
        .get("/staff/cases?queue=housekeeping&assignee=nobody")
        .await;
    assert!(page.text.contains("Two more towels") && !page.text.contains("The ceiling leaks"));
    let page = desk.get("/staff/cases/00001001").await;
    assert!(
        page.text.contains("The plumber is booked.") && page.text.contains("/staff/stays/BK-0042")
    );
    assert!(
        desk.get("/staff/cases/00001002")
            .await
            .text
            .contains("Open again")
    );
    assert_eq!(
        desk.get("/staff/cases/00009999").await.status,
        StatusCode::NOT_FOUND
    );

    let fields = "case_number=00001001&seen_priority=Medium&seen_assignee=";
    let page = desk
        .post("case_change", &format!("{fields}&priority=Medium&comment="))
        .await;
    assert!(desk.get(&page.location).await.text.contains("#comment"));
    desk.post(
        "case_change",
        &format!("{fields}&priority=High&comment=On+its+way&idempotency_token=t"),
    )
    .await;
    let call = desk.house.calls().pop().unwrap();
    assert_eq!(
        call.input,
        json!({ "case_number": "00001001", "comment": "On its way", "priority": "High" })
    );
    desk.post(
        "case_step",
        "case_number=00001001&status=In+Progress&seen=New&back=%2Fstaff%2Fcases",
    )
    .await;
    let call = desk.house.calls().pop().unwrap();
    assert_eq!(call.input["assignee"], json!("frontdesk@dewy.example"));
    let page = desk
        .post("new_case", "type=Maintenance&subject=+&idempotency_token=t")
        .await;
    let page = desk.get(&page.location).await;
    assert!(page.text.contains("#subject") && page.text.contains("value=\"t\""));
}

#[tokio::test]
async fn guests_are_found_and_booked() {
    let desk = desk().await;
    assert!(
        desk.get("/staff/guests?query=nobody")
            .await
            .text
            .contains("No guest matches “nobody”")
    );
    let page = desk.get("/staff/guests?query=beth").await;
    assert!(
        page.text
            .contains("/staff/guest?email=beth.gibbs%40example.com")
    );
    let page = desk
        .get("/staff/guest?email=beth.gibbs%40example.com")
        .await;
    for words in [
        "DR-10042",
        "BK-0001",
        "Two more towels",
        "/staff/book?email=beth.gibbs%40example.com",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
    assert_eq!(
        desk.get("/staff/guest?email=x%40y.z").await.status,
        StatusCode::NOT_FOUND
    );
    let page = desk
        .post("new_guest", "email=ann&first_name=Ann&last_name=&phone=")
        .await;
    let page = desk.get(&page.location).await;
    assert!(
        page.text.contains("#email")
            && page.text.contains("#last_name")
            && page.text.contains("value=\"Ann\"")
    );

    let nights = "check_in_date=2026-12-01&check_out_date=2026-12-03&number_of_guests=2";
    assert!(
        desk.get("/staff/book?check_in_date=2026-12-03&check_out_date=2026-12-01")
            .await
            .text
            .contains("#check_out_date")
    );
    let page = desk.get(&format!("/staff/book?{nights}")).await;
    assert!(page.text.contains("$350.00") && page.text.contains("room=205"));
    let page = desk
        .get(&format!(
            "/staff/book?{nights}&room=205&email=beth.gibbs%40example.com"
        ))
        .await;
    assert!(
        page.text.contains("Book room 205")
            && page.text.contains("value=\"beth.gibbs@example.com\"")
    );
    let guest = "guest_email=beth.gibbs%40example.com&guest_first_name=Beth&guest_last_name=Gibbs&guest_phone=";
    let page = desk
        .post(
            "desk_book",
            &format!("{nights}&room_number=205&{guest}&idempotency_token=t"),
        )
        .await;
    assert!(page.location.starts_with("/staff/executions/exe_"));
    let call = desk.house.calls().pop().unwrap();
    assert_eq!(call.input["number_of_guests"], json!(2));
    assert!(call.input.get("guest_phone").is_none());
}

#[tokio::test]
async fn the_tape_chart_is_a_table_and_a_list() {
    let desk = desk().await;
    let page = desk.get("/staff/tape").await;
    for words in [
        "data-booking=\"BK-0042\"",
        "data-day=\"2026-11-26\"",
        "Under repair",
        "Move Sarah Johnson to…",
        "scope=\"row\"",
        "/staff/tape?from=2026-11-26",
        "aria-label=\"Room 205\"",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
    assert!(
        desk.get("/staff/tape?from=2030-01-01")
            .await
            .text
            .contains("data-day=\"2026-12-17\"")
    );
}

#[tokio::test]
async fn the_board_on_the_wall_names_nobody() {
    let desk = desk().await;
    let page = desk.get("/staff/wall").await;
    for words in [
        "data-events=\"/staff/board/events\"",
        "data-condition=\"dirty\"",
        "To arrive",
        "arrives today",
        "leaves today",
        "Open cases",
        "No connection.",
        "<noscript><p class=\"by-hand\">",
    ] {
        assert!(page.text.contains(words), "{words}");
    }
    // No guest, nothing a guest wrote, no money, nothing to send
    for words in [
        "Beth",
        "Gibbs",
        "Sarah",
        "@example.com",
        "towels",
        "BK-",
        "$",
        "/form/set_room",
        "<nav",
    ] {
        assert!(!page.text.contains(words), "{words}");
    }
    let nobody = Visitor::new().get("/staff/wall").await;
    assert_eq!(nobody.location, "/staff/sign-in?next=%2Fstaff%2Fwall");
}
