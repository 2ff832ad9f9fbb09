//! Sign-in and sign-out: redirects, restored drafts, and the session list.

use crate::prelude::*;

#[tokio::test]
async fn anonymous_visitors_sign_in_and_return() {
    let hotel = TestHotel::open().await;
    let visitor = hotel.browser();
    let wanted = "/guest/check-out?booking=BK-0042";
    let page = visitor.open(wanted).await;
    assert_eq!(
        (page.status, page.to().as_str()),
        (
            303,
            "/guest/sign-in?next=%2Fguest%2Fcheck-out%3Fbooking%3DBK-0042"
        )
    );
    let code = visitor
        .code_on_the_way("Beth.Gibbs@email.com", wanted)
        .await;
    // Only who has chosen a room is told that it is kept
    let bookings = visitor
        .open("/guest/sign-in?next=%2Fguest%2Fbookings")
        .await;
    bookings.lacks(&["Your room and dates are saved"]);
    let page = visitor.open("/guest/sign-in/code").await;
    page.has(&[BETH, &code, "autocomplete=\"one-time-code\""]);
    let wrong = if code == "000000" { "111111" } else { "000000" };
    assert_eq!(visitor.enter(wrong).await.to(), "/guest/sign-in/code");
    let page = visitor.open("/guest/sign-in/code").await;
    page.has(&["did not match", BETH]);
    page.lacks(&[&format!("value=\"{wrong}\"")]);
    let spaced = format!("{} {}", &code[..3], &code[3..]);
    assert_eq!(visitor.enter(&spaced).await.to(), wanted);

    // A sign-in never leads out of the house
    let visitor = hotel.browser();
    let code = visitor.code_on_the_way(BETH, "//evil.example").await;
    assert_eq!(visitor.enter(&code).await.to(), "/guest/folio");

    // A form that failed is shown again, once
    let visitor = hotel.browser();
    let page = visitor.submit("send_code", "email=%3Cscript%3E").await;
    page.has(&["role=\"alert\"", "href=\"#email\"", "&lt;script&gt;"]);
    page.lacks(&["<script>&lt;", "value=\"<script"]);
    visitor.misses("/guest/sign-in", &["role=\"alert\""]).await;
}

/// Hidden field of a form that identifies the person it was rendered for.
fn reader(page: &Page) -> String {
    let (_, rest) = page.text.split_once("name=\"reader\" value=\"").unwrap();
    rest.split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn drafts_of_an_expired_session_return_after_sign_in() {
    let hotel = TestHotel::open().await;
    let browser = hotel.browser().guest(BETH).await;
    let reader = reader(&browser.open("/guest/requests").await);
    let words = "Two+pillows+and+the+quiet+room+we+spoke+of";
    let ask = format!("kind=Maintenance&priority=High&description={words}&reader={reader}");
    let say = format!("text={words}&reader={reader}&idempotency_token=t");
    let send_both = async |browser: &Browser| {
        browser.post("sign_out", "").await;
        let page = browser.post("ask", &ask).await;
        assert!(page.to().starts_with("/guest/sign-in"), "{}", page.to());
        browser.post("concierge_say", &say).await;
    };
    send_both(&browser).await;
    // Neither a wrong code nor the right one loses the drafts
    browser.code_for(BETH).await.unwrap();
    browser.enter("1").await;
    let browser = browser.guest(BETH).await;
    let page = browser.open("/guest/requests").await;
    page.has(&[
        "You were signed out before this was sent",
        "Two pillows and the quiet room we spoke of",
        "id=\"kind-2\" value=\"Maintenance\" checked",
    ]);
    let page = browser.open("/guest/concierge/new").await;
    page.has(&[
        "You were signed out before this was sent",
        "Two pillows and the quiet room we spoke of",
    ]);

    // The next person in the same browser doesn't see them
    send_both(&browser).await;
    let browser = browser.guest("sarah@example.com").await;
    for place in ["/guest/requests", "/guest/concierge/new"] {
        browser.open(place).await.lacks(&["pillows"]);
    }
}
