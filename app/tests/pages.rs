//! The pages over the stand-in: what a browser without scripts sees, status by status.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test says so by failing")]

#[path = "../examples/preview/double.rs"]
mod double;
#[path = "../examples/preview/serve.rs"]
mod serve;

use std::{path::PathBuf, sync::Arc};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, StatusCode, header},
};
use double::House;
use tower::ServiceExt;

struct Visitor {
    house: Arc<House>,
    router: Router,
}

struct Page {
    status: StatusCode,
    location: String,
    text: String,
}

impl Visitor {
    fn new() -> Self {
        let house = Arc::new(House::new(true));
        Self { router: serve::router(house.clone(), PathBuf::from("/nowhere")), house }
    }

    async fn send(&self, request: Request<Body>) -> Page {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let location =
            response.headers().get(header::LOCATION).map(|l| l.to_str().unwrap().to_owned()).unwrap_or_default();
        let status = response.status();
        let bytes = to_bytes(response.into_body(), 1 << 20).await.unwrap();
        Page { status, location, text: String::from_utf8_lossy(&bytes).into_owned() }
    }

    async fn get(&self, path: &str) -> Page {
        self.send(Request::get(path).header(header::ACCEPT, "text/html").body(Body::empty()).unwrap()).await
    }

    async fn post(&self, form: &str, fields: &str) -> Page {
        let request = Request::post(format!("/form/{form}"))
            .header(header::ACCEPT, "text/html")
            .header(header::REFERER, "http://127.0.0.1/guest/elsewhere")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(fields.to_owned())).unwrap()).await
    }

    async fn sign_in(&self, email: &str) {
        self.post("send_code", &format!("email={email}&next=")).await;
        assert_eq!(self.post("enter_code", "code=123456").await.location, "/guest/folio");
    }
}

#[tokio::test]
async fn a_stranger_is_sent_to_the_door_and_comes_back() {
    let visitor = Visitor::new();
    let page = visitor.get("/guest/check-out?booking=BK-0042").await;
    assert_eq!(
        (page.status, page.location.as_str()),
        (StatusCode::SEE_OTHER, "/guest/sign-in?next=%2Fguest%2Fcheck-out%3Fbooking%3DBK-0042")
    );
    let page =
        visitor.post("send_code", "email=Beth.Gibbs%40email.com&next=%2Fguest%2Fcheck-out%3Fbooking%3DBK-0042").await;
    assert_eq!((page.status, page.location.as_str()), (StatusCode::SEE_OTHER, "/guest/sign-in/code"));
    let page = visitor.get("/guest/sign-in/code").await;
    assert!(
        page.text.contains("beth.gibbs@email.com")
            && page.text.contains("123456")
            && page.text.contains("autocomplete=\"one-time-code\"")
    );
    assert_eq!(visitor.post("enter_code", "code=123+456").await.location, "/guest/check-out?booking=BK-0042");
}

#[tokio::test]
async fn a_sign_in_never_leads_out_of_the_house() {
    let visitor = Visitor::new();
    visitor.post("send_code", "email=beth.gibbs%40email.com&next=%2F%2Fevil.example").await;
    assert_eq!(visitor.post("enter_code", "code=123456").await.location, "/guest/folio");
}

#[tokio::test]
async fn a_form_that_failed_is_shown_again_once() {
    let visitor = Visitor::new();
    let page = visitor.post("send_code", "email=%3Cscript%3E").await;
    assert_eq!((page.status, page.location.as_str()), (StatusCode::SEE_OTHER, "/guest/sign-in"));
    let page = visitor.get("/guest/sign-in").await;
    assert!(
        page.text.contains("role=\"alert\"")
            && page.text.contains("href=\"#email\"")
            && page.text.contains("&lt;script&gt;")
    );
    assert!(!page.text.contains("<script>&lt;") && !page.text.contains("value=\"<script"));
    assert!(!visitor.get("/guest/sign-in").await.text.contains("role=\"alert\""));
}

#[tokio::test]
async fn a_wrong_code_keeps_the_email_and_not_the_code() {
    let visitor = Visitor::new();
    visitor.post("send_code", "email=beth.gibbs%40email.com").await;
    assert_eq!(visitor.post("enter_code", "code=999999").await.location, "/guest/sign-in/code");
    let page = visitor.get("/guest/sign-in/code").await;
    assert!(
        page.text.contains("did not match")
            && page.text.contains("beth.gibbs@email.com")
            && !page.text.contains("999999")
    );
}

#[tokio::test]
async fn the_folio_shows_lines_balance_and_cards() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    let page = visitor.get("/guest/folio").await;
    for words in
        ["Room", "302", "$250.00", "-$12.00", "(cancelled)", "Visa •••• 4242", "/guest/check-out?booking=BK-0042"]
    {
        assert!(page.text.contains(words), "{words}");
    }
}

#[tokio::test]
async fn stays_none_several_and_systems_that_are_down() {
    let visitor = Visitor::new();
    visitor.sign_in("wei.chen%40example.com").await;
    let page = visitor.get("/guest/folio").await;
    assert!(page.text.contains("booking=BK-0010") && page.text.contains("booking=BK-0011"));
    assert_eq!(visitor.get("/guest/check-out").await.location, "/guest/folio");
    visitor.sign_in("nobody%40example.com").await;
    assert!(visitor.get("/guest/folio").await.text.contains("no stay with us"));
    visitor.sign_in("down%40example.com").await;
    let page = visitor.get("/guest/folio").await;
    assert_eq!(page.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(page.text.contains("You were not charged") && page.text.contains("Try again"));
}

#[tokio::test]
async fn a_check_out_carries_its_token_and_goes_to_its_execution() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    let page = visitor.get("/guest/check-out").await;
    assert!(page.text.contains("value=\"token-0\"") && page.text.contains("Pay $250.00 and check out"));
    let page = visitor
        .post(
            "check_out",
            "booking_number=BK-0042&amount=25000&payment_method_id=pm_card_visa&idempotency_token=token-0",
        )
        .await;
    assert_eq!(page.status, StatusCode::SEE_OTHER);
    assert!(page.location.starts_with("/guest/execution/exe_"), "{}", page.location);
    let call = visitor.house.calls().pop().unwrap();
    assert_eq!(call.idempotency_token.as_deref(), Some("token-0"));
    assert_eq!(
        call.input,
        serde_json::json!({ "booking_number": "BK-0042", "amount": 25000, "payment_method_id": "pm_card_visa" })
    );
    assert_eq!(call.wait, Some(std::time::Duration::ZERO));
    let page = visitor.get(&page.location).await;
    assert!(page.text.contains("You are checked out") && page.text.contains("/guest/receipt/exe_"));
    assert!(!page.text.contains("http-equiv=\"refresh\""));
}

#[tokio::test]
async fn a_check_out_that_is_refused_at_once_keeps_what_was_entered() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    let page = visitor
        .post(
            "check_out",
            "booking_number=BK-0042&amount=25000&payment_method_id=pm_card_discover&idempotency_token=token-9",
        )
        .await;
    assert_eq!(page.location, "/guest/check-out?booking=BK-0042");
    let page = visitor.get(&page.location).await;
    assert!(
        page.text.contains("Something is already being done") && page.text.contains("href=\"/guest/execution/exe_0\"")
    );
    assert!(!page.text.contains("token-9"));
    let page = visitor.post("check_out", "booking_number=BK-0042&amount=25000&idempotency_token=token-9").await;
    let page = visitor.get(&page.location).await;
    assert!(page.text.contains("Choose a card to pay with") && page.text.contains("token-9"));
}

#[tokio::test]
async fn every_end_is_told_honestly() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    for (id, card, words) in [
        ("exe_1", "pm_card_visa_chargeDeclined", ["Nothing was charged", "Try another card"]),
        ("exe_2", "pm_card_mastercard", ["Your payment was refunded in full", "You are still checked in"]),
        ("exe_3", "pm_card_amex", ["Our front desk is looking into it", "please do not pay a second time"]),
        ("exe_4", "pm_card_authenticationRequired", ["Go on at your bank", "http-equiv=\"refresh\""]),
    ] {
        visitor.house.plant(id, card);
        let page = visitor.get(&format!("/guest/execution/{id}")).await;
        assert!(words.iter().all(|w| page.text.contains(w)), "{id}: {}", page.text);
        assert_eq!(visitor.get(&format!("/guest/receipt/{id}")).await.location, format!("/guest/execution/{id}"));
    }
    assert_eq!(visitor.get("/guest/execution/exe_none").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn staff_see_the_record_and_guests_do_not() {
    let visitor = Visitor::new();
    visitor.house.plant("exe_3", "pm_card_amex");
    visitor.sign_in("beth.gibbs%40email.com").await;
    assert_eq!(
        visitor.get("/staff/executions/exe_3").await.location,
        "/staff/sign-in?next=%2Fstaff%2Fexecutions%2Fexe_3"
    );
    visitor.post("sign_out", "").await;
    assert_eq!(
        visitor.post("enter_password", "email=manager%40dewy.example&password=no&next=").await.location,
        "/staff/sign-in"
    );
    assert!(visitor.get("/staff/sign-in").await.text.contains("do not match"));
    let page = visitor
        .post("enter_password", "email=manager%40dewy.example&password=dewy-demo&next=%2Fstaff%2Fexecutions%2Fexe_3")
        .await;
    assert_eq!(page.location, "/staff/executions/exe_3");
    let page = visitor.get(&page.location).await;
    for words in ["Left as found", "Status__c", "FOREIGN_EDIT", "refund:pi_1:0", "Event 7"] {
        assert!(page.text.contains(words), "{words}");
    }
    assert!(visitor.get("/staff/executions?state=needs_attention").await.text.contains("exe_3"));
    assert!(visitor.get("/staff/executions?state=retrying").await.text.contains("No execution is in the state"));
}

#[tokio::test]
async fn what_is_not_there_is_404() {
    let page = Visitor::new().get("/guest/nowhere").await;
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    assert!(page.text.contains("We could not find that page"));
}
