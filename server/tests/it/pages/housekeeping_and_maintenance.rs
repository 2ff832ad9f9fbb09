//! Pages of housekeeping and maintenance, and what is not theirs.

use crate::{browser::Browser, test_hotel::TestHotel};

async fn crew(hotel: &TestHotel, role: &str) -> Browser {
    hotel.browser().staff(&format!("{role}@dewy.example")).await
}

#[tokio::test]
async fn housekeeping_undoes_its_own_changes_and_sees_no_page_of_the_desk() {
    let hotel = TestHotel::open().await;
    let crew = crew(&hotel, "housekeeping").await;
    let fields = "room_number=206&status=Vacant&seen=Cleaning&back=%2Fstaff&idempotency_token=t1";
    let sent = crew.post("set_room", fields).await;
    crew.sees(&sent.to(), &["Undo: room 206"]).await;
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
    let page = crew.sees("/staff/tokens", &["These are yours"]).await;
    page.lacks(&["name=\"email\""]);
}
