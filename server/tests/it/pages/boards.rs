//! Staff boards: today, rooms, stays, the tape chart, cases, guests.

use crate::prelude::*;

const BETH: &str = "beth.gibbs%40email.com";

async fn desk(hotel: &TestHotel) -> Browser {
    hotel.browser().staff("frontdesk@dewy.example").await
}

#[tokio::test]
async fn the_board_refuses_what_changed_meanwhile_and_follows_what_takes_longer() {
    let hotel = TestHotel::open().await;
    let desk = desk(&hotel).await;
    let page = desk.open("/staff?show=in-house").await;
    page.has(&["/staff/stays/BK-0042"]);
    page.lacks(&["/staff/stays/BK-0034"]);
    assert_eq!(desk.open("/staff/today").await.to(), "/staff");

    let fields = |token: &str| {
        let booking = "booking_number=BK-0034&guest_email=sarah%40example.com";
        format!("{booking}&back=%2Fstaff&idempotency_token={token}")
    };
    let stranger = hotel.browser().post("desk_check_in", &fields("t0")).await;
    assert_eq!(stranger.to(), "/staff/sign-in?next=%2Fstaff");
    desk.post("desk_check_in", &fields("t2")).await;
    let change = json!({ "Status__c": "Cleaning" });
    hotel.edit("Hotel_Room__c", "Room_Number__c", "205", &change);
    let undo = "booking_number=BK-0034&back=%2Fstaff%2Fstays%2FBK-0034&idempotency_token=u2";
    let page = desk.submit("undo_check_in", undo).await;
    page.has(&[
        "The check-in of Sarah Johnson was not undone",
        "Somebody has changed the room since the check-in.",
    ]);
    // Nobody is asked about nothing to pay; what was charged meanwhile is not overlooked
    let stay = hotel.record("Booking__c", "Name", "BK-0042");
    let free = json!({ "Amount": 0 });
    let owed = stay["Opportunity__c"].as_str().unwrap().to_owned();
    hotel.edit("Opportunity", "Id", &owed, &free);
    let settled = "name=\"booking_number\" value=\"BK-0042\"";
    let page = desk.until("/staff", settled).await;
    page.lacks(&["href=\"/staff/stays/BK-0042/check-out\""]);
    let leave = |token: &str| {
        format!("booking_number=BK-0042&guest_email={BETH}&amount=0&idempotency_token={token}")
    };
    hotel.edit("Opportunity", "Id", &owed, &json!({ "Amount": 250 }));
    let page = desk.submit("desk_check_out", &leave("o1")).await;
    page.has(&["was not checked out", "Charge $250.00 and check out"]);
    let declined = leave("o3").replace("amount=0", "amount=25000");
    let declined = format!("{declined}&payment_method_id=pm_card_visa_chargeDeclined");
    let page = desk.submit("desk_check_out", &declined).await;
    page.has(&["was not checked out", "<span>Declined<"]);
    let mut choices = page
        .text
        .split("<label")
        .map(|rest| rest.split("</label>").next());
    let chosen = choices.find_map(|label| label.filter(|label| label.contains("\" checked")));
    assert!(chosen.unwrap().contains("pm_1BethVisa4242"));
    hotel.edit("Opportunity", "Id", &owed, &free);
    let page = desk.submit("desk_check_out", &leave("o2")).await;
    page.has(&["Beth Gibbs is checked out."]);

    // A wish outlasts its row
    let fields = "booking_number=BK-0037&guest_email=fatima.hassan%40example.com&back=%2Fstaff&idempotency_token=t4";
    let page = desk.submit("desk_check_in", fields).await;
    page.has(&["Fatima Hassan is checked in. The room is 405. Asks for: Crib for a baby"]);

    // What takes longer is followed
    hotel
        .fault("salesforce", "composite", "slow", 1, 4_500)
        .await;
    let fields = "booking_number=BK-0036&guest_email=liam.walsh%40example.com&back=%2Fstaff&idempotency_token=t3";
    let sent = desk.post("desk_check_in", fields).await;
    assert_eq!(sent.to(), "/staff");
    let page = desk.open("/staff").await;
    page.has(&["This takes longer than usual.", "/staff/executions/exe_"]);

    // What waits for the guest does not go on by itself: at their bank, or on their own page
    for (token, booking, amount, card) in [
        ("o4", "BK-0028", 27_900, "pm_card_authenticationRequired"),
        ("o5", "BK-0024", 55_800, ""),
    ] {
        let fields = format!(
            "booking_number={booking}&amount={amount}&payment_method_id={card}&idempotency_token={token}"
        );
        let page = desk.submit("desk_check_out", &fields).await;
        page.has(&["It waits for the guest, who goes on with it on their own page"]);
        page.lacks(&["This takes longer than usual."]);
    }
}

#[tokio::test]
async fn a_late_check_out_is_granted_with_one_click_and_everybody_sees_it() {
    let hotel = TestHotel::open().await;
    let desk = desk(&hotel).await;
    let crew = hotel.browser().staff("housekeeping@dewy.example").await;
    let stay = hotel.record("Booking__c", "Name", "BK-0042");
    let leaves = stay["Check_Out_Date__c"].as_str().unwrap();
    let subject = format!("Late check-out on {leaves} at 14:00");
    let asked = json!({ "type": "Concierge", "subject": subject, "booking_number": "BK-0042", "idempotency_token": "late" });
    let by = hotel.staff_mcp("frontdesk@dewy.example").await;
    by.tool("manage_cases", asked).await;
    hotel.edit(
        "Case",
        "Subject",
        &subject,
        &json!({ "Booking__c": stay["Id"] }),
    );
    let number = hotel.record("Case", "Subject", &subject)["CaseNumber"].clone();
    let number = number.as_str().unwrap();
    let case = format!("/staff/cases/{number}");
    let page = desk.until(&case, "Grant 14:00 free of charge").await;
    page.has(&[", half a night"]);
    crew.open(&case).await.lacks(&["Grant 14:00"]);
    crew.open("/staff").await.lacks(&["until 14:00"]);
    let grant = |fee: u32, token: &str| {
        format!("case_number={number}&fee={fee}&seen=New&idempotency_token={token}")
    };
    let page = crew.submit("grant_late", &grant(6250, "c")).await;
    page.lacks(&["is granted"]);
    // The fee is the hotel's, whatever a form says
    let page = desk.submit("grant_late", &grant(1, "d0")).await;
    page.has(&[
        "The late check-out was not granted, and nothing was posted",
        "The price is $62.50 now, not $0.01.",
    ]);
    let page = desk.submit("grant_late", &grant(6250, "d1")).await;
    page.has(&["Late check-out at 14:00 is granted, for $62.50."]);
    page.lacks(&["Grant 14:00"]);
    let page = desk.submit("grant_late", &grant(6250, "d2")).await;
    page.has(&["It is granted already; nothing was posted now."]);

    let page = desk
        .until("/staff/stays/BK-0042", "Granted until 14:00")
        .await;
    // The second click has posted nothing
    page.has(&["$312.50", ", granted"]);
    page.lacks(&["$375.00"]);
    desk.until("/staff", "Late check-out until 14:00").await;
    desk.until("/staff/rooms/302", "Granted until 14:00").await;
    crew.until("/staff", " until 14:00").await;
}

#[tokio::test]
async fn rooms_have_two_statuses_and_only_allowed_changes() {
    let hotel = TestHotel::open().await;
    let desk = desk(&hotel).await;
    let manager = hotel.browser().staff("manager@dewy.example").await;
    let crew = hotel.browser().staff("housekeeping@dewy.example").await;
    let page = desk.open("/staff/rooms?show=dirty").await;
    page.has(&[
        "/staff/rooms/206\"",
        "Choose room 206",
        "action=\"/staff/bulk/clean\"",
    ]);
    page.lacks(&["/staff/rooms/205\""]);
    let page = desk.sees("/staff/rooms/206", &["Clean, ready"]).await;
    page.lacks(&["Take out of service"]);
    let page = desk.open("/staff/rooms/302").await;
    page.has(&["Occupied: its status changes"]);
    page.lacks(&["/form/set_room"]);
    assert_eq!(desk.open("/staff/rooms/999").await.status, 404);

    let clean = "room_number=206&status=Vacant&seen=Cleaning&back=%2Fstaff%2Frooms%2F206";
    let fields = format!("{clean}&idempotency_token=t1");
    let page = desk.submit("set_room", &fields).await;
    page.has(&["Room 206 is ready."]);
    let page = desk.open("/staff/rooms/206").await;
    page.lacks(&["Room 206 is ready."]);
    // The second of two hears that somebody was faster
    let fields = format!("{clean}&idempotency_token=t2");
    let page = manager.submit("set_room", &fields).await;
    page.has(&[
        "Someone else has already changed room 206",
        "It is Vacant now",
        "frontdesk@dewy.example",
    ]);
    let fields = "room_number=302&status=Vacant&seen=&back=%2Fstaff%2Frooms&idempotency_token=t3";
    let page = desk.submit("set_room", fields).await;
    page.has(&["Room 302 was not changed", "A guest is in room 302."]);
    // A report that can't close its room is kept
    let fields =
        "room_number=302&description=Tap+drips&take_out_of_service=on&idempotency_token=d1";
    let page = desk.submit("report_defect", fields).await;
    page.has(&[
        "The problem was not reported",
        "A guest is in room 302. Nothing was reported yet",
        "Tap drips",
    ]);
    let fields = "room_number=206&back=%2F%2Fevil.example";
    assert_eq!(desk.post("set_room", fields).await.to(), "/staff/rooms");

    // Several rooms are marked clean one by one
    let picks = "pick=201&pick=302&pick=201&pick=999";
    let page = desk.open(&format!("/staff/bulk/clean?{picks}")).await;
    page.has(&[
        "Mark 1 room clean",
        "Room 201",
        "Left out",
        "It is Occupied now.",
        "There is no such room.",
        "value=\"201\"",
    ]);
    let page = desk.open("/staff/bulk/clean?pick=302").await;
    page.has(&["Select at least one item"]);
    page.lacks(&["/form/bulk"]);
    let fields = "act=clean&picks=201&reason=+&idempotency_token=b1";
    let page = desk.submit("bulk", fields).await;
    page.has(&["Say why, in a few words"]);
    let status = |room| hotel.record("Hotel_Room__c", "Room_Number__c", room)["Status__c"].clone();
    assert_eq!(status("201"), "Cleaning", "nothing was asked for");
    let fields = "act=clean&picks=201%2C302&reason=Inspected&idempotency_token=b1";
    for _ in 0..2 {
        let sent = desk.post("bulk", fields).await;
        assert_eq!(sent.to(), "/staff/bulk/clean?done=1");
        let page = desk.open(&sent.to()).await;
        page.has(&[
            "1 of 2 rooms done",
            "1 room could not be changed",
            "A guest is in room 302.",
            "Details",
        ]);
        // Each room has a call and a token of its own: sent again, nothing is done again
        let change = json!({ "Status__c": "Cleaning" });
        assert_eq!(status("309"), "Cleaning");
        if status("201") == "Vacant" {
            hotel.edit("Hotel_Room__c", "Room_Number__c", "201", &change);
        }
    }
    assert_eq!(status("201"), "Cleaning");
    assert_eq!(crew.open("/staff/bulk/retry?pick=exe_1").await.status, 404);
    assert_eq!(crew.open("/staff/bulk/clean?pick=201").await.status, 200);
    assert_eq!(desk.open("/staff/bulk/burn").await.status, 404);
}

#[tokio::test]
async fn a_stay_is_changed_moved_and_ended_as_its_page_says() {
    let hotel = TestHotel::open().await;
    let desk = desk(&hotel).await;
    desk.open("/staff/stays/BK-0027").await.has(&["Void PT-"]);
    // Older than the board
    let page = desk.open("/staff/stays/bk-0001").await;
    page.has(&["This stay has ended", "Carlos Mendes"]);
    for path in ["/staff/stays/BK-9999", "/staff/stays/BK-0042/dance"] {
        assert_eq!(desk.open(path).await.status, 404, "{path}");
    }
    let form = "/staff/stays/BK-0042/check-out";
    desk.sees(form, &["Charge $250.00 and check out", "Visa •••• 4242"])
        .await;
    let fields = "booking_number=BK-0042&amount=1&idempotency_token=t1";
    let sent = desk.post("desk_check_out", fields).await;
    assert_eq!(sent.to(), form);
    desk.sees(form, &["Beth Gibbs was not checked out"]).await;

    // A booking is changed, moved, and ended
    let seen = format!(
        "seen_check_in_date={}&seen_check_out_date={}&seen_number_of_guests=2&seen_special_requests=",
        day(6),
        day(10)
    );
    let now = format!(
        "check_in_date={}&check_out_date={}&number_of_guests=2&special_requests=",
        day(6),
        day(11)
    );
    let fields = format!("booking_number=BK-0046&{now}&{seen}&idempotency_token=t2");
    let sent = desk.post("change_stay", &fields).await;
    assert_eq!(sent.to(), "/staff/stays/BK-0046");
    let booking = |number| hotel.record("Booking__c", "Name", number);
    assert_eq!(booking("BK-0046")["Check_Out_Date__c"], day(11));

    // Two had the form open: the later one reads both versions, and keeps what was typed
    let asks = |seen: &str, text: &str, token: &str| {
        format!(
            "booking_number=BK-0046&seen_special_requests={seen}&special_requests={text}&idempotency_token={token}"
        )
    };
    desk.post("change_stay", &asks("", "Nut+allergy", "a1"))
        .await;
    let page = desk.submit("change_stay", &asks("", "Crib", "a2")).await;
    page.has(&[
        "Someone else has already changed booking BK-0046",
        "What the guest asks for is Nut allergy now",
        "Your page showed: empty.",
        "Crib",
    ]);
    assert_eq!(booking("BK-0046")["Special_Requests__c"], "Nut allergy");
    desk.post("change_stay", &asks("Nut+allergy", "", "a3"))
        .await;
    assert!(booking("BK-0046")["Special_Requests__c"].is_null());

    let page = desk.open("/staff/stays/BK-0034/move").await;
    page.has(&["+$74.97", "/staff/stays/BK-0034/move?room=307"]);
    let page = desk.open("/staff/stays/BK-0034/move?room=307").await;
    page.has(&["From 205 to 307", "$74.97 more", "Keep the agreed price"]);
    // Nobody promises a room under repair, not even for tomorrow
    let page = desk.open("/staff/stays/BK-0041/move?room=108").await;
    page.has(&[
        "has room 303 booked",
        "Room 108 is under repair. Nothing was changed",
    ]);
    page.lacks(&["is in room 303", "From 303 to 108", "Room 409"]);
    page.lacks(&["href=\"/staff/stays/BK-0041/move?room=108\""]);
    let page = desk.open("/staff/stays/BK-0034/move?room=108").await;
    page.has(&["Room 108 is under repair. Nothing was changed"]);
    page.lacks(&["href=\"/staff/stays/BK-0034/move?room=108\""]);
    let fields = "booking_number=BK-0034&room_number=405&idempotency_token=t3";
    let page = desk.submit("move_stay", fields).await;
    page.has(&["BK-0034 was not moved", "Room 405 is taken"]);

    let page = desk.open("/staff/stays/BK-0034/no-show").await;
    // She may still come
    page.has(&["status is now "]);
    let page = desk.open("/staff/tape?from=2090-01-01").await;
    page.has(&[&format!("data-day=\"{}\"", day(27))]);
}

#[tokio::test]
async fn cases_are_queued_by_department() {
    let hotel = TestHotel::open().await;
    let desk = desk(&hotel).await;
    let manager = hotel.browser().staff("manager@dewy.example").await;
    let page = desk.open("/staff/cases").await;
    let place = |words: &str| page.text.find(words).unwrap();
    let (leak, towels) = (place("Ceiling leaks"), place("Extra towels for 104"));
    assert!(leak < towels, "the pressing ones first");
    page.has(&["Choose: Extra towels for 104"]);
    let page = desk
        .open("/staff/cases?queue=housekeeping&assignee=nobody")
        .await;
    page.has(&["Extra towels for 104"]);
    page.lacks(&["Ceiling leaks"]);
    let number = |subject| {
        let case = hotel.record("Case", "Subject", subject);
        case["CaseNumber"].as_str().unwrap().to_owned()
    };
    let towels = number("Extra towels for 104");
    let lamp = number("Lamp flickers in 305");
    let one = format!("/staff/cases/{towels}");
    let page = desk.open(&one).await;
    page.has(&[
        "Two more bath towels, please.",
        "/staff/stays/BK-0024",
        "<option value=\"maintenance@dewy.example\"",
    ]);
    let page = desk.open(&format!("/staff/cases/{lamp}")).await;
    page.has(&["Open again"]);
    assert_eq!(desk.open("/staff/cases/00009999").await.status, 404);

    let change = format!("case_number={towels}&seen_priority=Medium&seen_assignee=");
    let fields = format!("{change}&priority=Medium&comment=");
    let page = desk.submit("case_change", &fields).await;
    page.has(&["#comment"]);
    let fields = format!("{change}&priority=High&comment=On+its+way&idempotency_token=t1");
    let page = desk.submit("case_change", &fields).await;
    page.has(&["On its way"]);
    let case = || hotel.record("Case", "CaseNumber", &towels);
    assert_eq!(case()["Priority"], "High");
    let step = format!(
        "case_number={towels}&status=In+Progress&seen=New&back=%2Fstaff%2Fcases&idempotency_token=t3"
    );
    desk.post("case_step", &step).await;
    assert_eq!(case()["Status"], "In Progress");
    desk.sees(&one, &["frontdesk@dewy.example"]).await;
    // The second of two hears that somebody was faster
    let page = manager.submit("case_step", &step).await;
    page.has(&[
        &format!("Someone else has already changed case {towels}"),
        "It is In Progress now",
        "last changed by frontdesk@dewy.example",
    ]);
    // Who may not read what others did reads who has it
    let crew = hotel.browser().staff("housekeeping@dewy.example").await;
    let page = crew.submit("case_step", &step).await;
    page.has(&["It is In Progress now, and frontdesk@dewy.example has it."]);
    let fields = "type=Maintenance&subject=+&idempotency_token=t2";
    let page = desk.submit("new_case", fields).await;
    page.has(&["#subject", "value=\"t2\""]);

    // Several cases get a colleague
    let fields = format!("act=assign&picks={towels}&reason=Floor+3&assignee=&idempotency_token=b");
    let page = desk.submit("bulk", &fields).await;
    page.has(&["Name a colleague by email"]);
    let fields = format!(
        "act=assign&picks={towels}%2C00009999&reason=Floor+3&assignee=Maintenance%40dewy.example&idempotency_token=b"
    );
    let page = desk.submit("bulk", &fields).await;
    page.has(&["1 of 2 cases done"]);
    let page = desk.open(&one).await;
    page.has(&["Floor 3", "maintenance@dewy.example"]);

    // Nobody takes somebody else's case unawares
    let taxi = number("A taxi to the airport");
    let given = format!("case_number={taxi}&assignee=housekeeping%40dewy.example");
    desk.post("case_change", &format!("{given}&idempotency_token=t5"))
        .await;
    let taxi = format!("/staff/cases/{taxi}");
    let page = desk.open(&taxi).await;
    page.has(&[
        "Take over from housekeeping@dewy.example: A taxi to the airport",
        ">Take over from housekeeping</button>",
    ]);
    crew.open(&taxi).await.has(&[">Start work</button>"]);

    // Fields suggest what the hotel knows, and to each what is theirs
    desk.open("/staff/cases/new").await.has(&[
        "list=\"known-anything\"",
        "list=\"known-rooms\"",
        "list=\"known-guests\"",
        "<option value=\"Sarah Johnson\"",
        "<option value=\"205\"",
    ]);
    let page = crew.sees("/staff/rooms", &["<option value=\"205\""]).await;
    page.lacks(&["<option value=\"Sarah Johnson\""]);
}

#[tokio::test]
async fn guests_are_found_and_booked() {
    let hotel = TestHotel::open().await;
    let desk = desk(&hotel).await;
    let page = desk.open("/staff/guests?query=nobody").await;
    page.has(&["No guest matches “nobody”"]);
    let page = desk.open("/staff/guests?query=beth").await;
    page.has(&[&format!("/staff/guest?email={BETH}")]);
    let page = desk.open(&format!("/staff/guest?email={BETH}")).await;
    page.has(&["DR-10042", "BK-0042", &format!("/staff/book?email={BETH}")]);
    let page = desk.open("/staff/guest?email=x%40y.z").await;
    assert_eq!(page.status, 404);
    let fields = "email=ann&first_name=Ann&last_name=&phone=";
    let page = desk.submit("new_guest", fields).await;
    page.has(&["#email", "#last_name", "value=\"Ann\""]);

    let page = desk
        .open(&format!("/staff/book?{}", nights(302, 300)))
        .await;
    page.has(&["#check_out_date"]);
    // Other dates don't help a party too large for any room
    let many = format!("/staff/book?{}&number_of_guests=12", nights(300, 302));
    let page = desk.open(&many).await;
    page.has(&["No room is large enough for 12 people: the largest free one sleeps 6."]);
    page.lacks(&["No room is free"]);
    let nights = format!("{}&number_of_guests=2", nights(300, 302));
    let page = desk.open(&format!("/staff/book?{nights}")).await;
    page.has(&["$350.00", "room=305"]);
    let page = desk
        .open(&format!("/staff/book?{nights}&room=305&email={BETH}"))
        .await;
    page.has(&["Book room 305", "value=\"beth.gibbs@email.com\""]);
    let guest =
        format!("guest_email={BETH}&guest_first_name=Beth&guest_last_name=Gibbs&guest_phone=");
    // An email that is somebody else's is asked about
    let back = format!("/staff/book?{nights}&room=305").replace('&', "%26");
    let other = guest.replace("=Beth", "=John").replace("=Gibbs", "=Smith");
    let fields = format!("{nights}&room_number=305&{other}&special_requests=A+cot&back={back}");
    let page = desk
        .submit("desk_book", &format!("{fields}&idempotency_token=t0"))
        .await;
    page.has(&[
        "Nothing was booked: this email belongs to Beth Gibbs",
        "value=\"John\"",
        "A cot",
        "name=\"known_first_name\" value=\"Beth\"",
        "Book for Beth Gibbs",
    ]);
    let fields = format!("{nights}&room_number=305&{guest}&idempotency_token=t");
    let sent = desk.post("desk_book", &fields).await;
    let made = hotel.record("Booking__c", "Check_In_Date__c", &day(300));
    assert_eq!(made["Number_of_Guests__c"], 2.0);
    let number = made["Name"].as_str().unwrap();
    assert_eq!(sent.to(), format!("/staff/stays/{number}"));
    let told = format!("Room 305 is booked for Beth Gibbs: {number}.");
    desk.open(&sent.to()).await.has(&[&told]);
}

#[tokio::test]
async fn a_room_booked_twice_and_words_of_the_org_are_shown_before_anybody_arrives() {
    let hotel = TestHotel::open().await;
    let desk = desk(&hotel).await;
    desk.open("/staff").await.lacks(&["Booked twice"]);
    // Another program gives Sarah the room in which Fatima stays as well
    let room = hotel.record("Hotel_Room__c", "Room_Number__c", "405")["Id"].clone();
    let change =
        json!({ "Room__c": room, "Check_In_Date__c": day(1), "Check_Out_Date__c": day(3) });
    hotel.edit("Booking__c", "Name", "BK-0034", &change);
    let told = [
        "Booked twice",
        "Fatima Hassan",
        "href=\"/staff/stays/BK-0037/move\"",
        "Sarah Johnson",
        "href=\"/staff/stays/BK-0034/move\"",
    ];
    let page = desk.until("/staff", "Booked twice").await;
    page.has(&told);
    desk.until("/staff", "1 room is booked twice for one night")
        .await;
    desk.open("/staff/attention").await.has(&told);
    // A status that only the org knows is no reason to forget it
    for (object, name, number, field, word) in [
        ("Booking__c", "Name", "BK-0034", "Status__c", "Waitlisted"),
        (
            "Hotel_Room__c",
            "Room_Number__c",
            "205",
            "Status__c",
            "Deep Clean",
        ),
    ] {
        let id = hotel.record(object, name, number)["Id"].clone();
        let id = id.as_str().unwrap();
        hotel.sandbox().set_word(object, id, field, word).unwrap();
    }
    desk.until("/staff", "Waitlisted").await.has(&told);
    desk.open("/staff/stays/BK-0034")
        .await
        .has(&["Waitlisted", "This status is unknown here"]);
    desk.open("/staff/rooms/205")
        .await
        .has(&["Deep Clean", "This status is unknown here"]);
}
