//! Drafts survive an expired session, and an emergency is not a request.

use super::{Visitor, bookings::has};

/// Hidden field of a form that identifies the person it was rendered for.
fn reader(page: &str) -> String {
    let (_, rest) = page
        .split_once("name=\"reader\" value=\"")
        .expect("a field");
    rest.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn words_that_an_ended_session_met_are_back_after_the_sign_in() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    let page = visitor.get("/guest/requests").await;
    let reader = reader(&page.text);
    let words = "Two+pillows+and+the+quiet+room+we+spoke+of";
    let ask = format!("kind=Maintenance&priority=High&description={words}&reader={reader}");
    let say = format!("text={words}&reader={reader}&idempotency_token=t");

    visitor.post("sign_out", "").await;
    let page = visitor.post("ask", &ask).await;
    assert!(
        page.location.starts_with("/guest/sign-in"),
        "{}",
        page.location
    );
    visitor.post("concierge_say", &say).await;
    // Neither a wrong code nor the right one loses the drafts
    visitor
        .post("send_code", "email=beth.gibbs%40email.com&next=")
        .await;
    visitor.post("enter_code", "code=1").await;
    visitor.sign_in("beth.gibbs%40email.com").await;
    let page = visitor.get("/guest/requests").await;
    has(
        &page,
        &[
            "You were signed out before this was sent",
            "Two pillows and the quiet room we spoke of",
            "id=\"kind-2\" value=\"Maintenance\" checked",
        ],
    );
    let page = visitor.get("/guest/concierge/new").await;
    has(
        &page,
        &[
            "You were signed out before this was sent",
            "Two pillows and the quiet room we spoke of",
        ],
    );

    // The next person in the same browser doesn't see them
    visitor.post("sign_out", "").await;
    visitor.post("ask", &ask).await;
    visitor.post("concierge_say", &say).await;
    visitor.sign_in("sarah%40example.com").await;
    for place in ["/guest/requests", "/guest/concierge/new"] {
        assert!(
            !visitor.get(place).await.text.contains("pillows"),
            "{place}"
        );
    }
}

#[tokio::test]
async fn danger_in_the_request_form_reaches_people_whatever_is_wrong_with_the_form() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    let page = visitor
        .post(
            "ask",
            "description=There+is+a+fire+in+my+room&idempotency_token=t",
        )
        .await;
    assert_eq!(page.location, "/guest/concierge/cnv_1");
    assert!(
        visitor
            .house
            .calls()
            .iter()
            .all(|call| call.tool != "submit_guest_service_request"),
        "people are told, no request waits in a list"
    );
}
