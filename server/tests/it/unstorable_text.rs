//! Text that the store can't hold is refused by every interface with the field's name, and reaches
//! nothing behind it.

use crate::prelude::*;

const ANN: &str = "frontdesk@dewy.example";

fn fields(body: &Value) -> Vec<&str> {
    let problems = body["details"]["problems"].as_array().expect("problems");
    problems
        .iter()
        .filter_map(|problem| problem["field"].as_str())
        .collect()
}

#[tokio::test]
async fn nul_is_refused_by_every_tool_interface() {
    let hotel = TestHotel::open().await;
    let rest = Rest::new(
        &hotel.url(""),
        "guest",
        &hotel.token(Persona::Guest, BETH).await,
    );
    let answer = rest
        .call("get_folio", None, &json!({ "booking_number": "BK\0" }))
        .await;
    assert_eq!(
        (
            answer.status_and_code(),
            fields(&answer.body).contains(&"booking_number")
        ),
        ((400, "VALIDATION_FAILED"), true)
    );
    let request = json!({ "description": "towels", "idempotency_token": "a\0b" });
    let answer = rest
        .call("submit_guest_service_request", None, &request)
        .await;
    assert!(
        answer.status == 400 && fields(&answer.body).contains(&"idempotency_token"),
        "{answer:?}"
    );
    let answer = rest
        .call("get_execution", None, &json!({ "execution_id": "exe_\0" }))
        .await;
    assert!(
        answer.status == 400 && fields(&answer.body).contains(&"execution_id"),
        "{answer:?}"
    );
    let answer = rest.call("get_folio", None, &json!({ "a\0": 1 })).await;
    assert!(
        answer.status == 400 && fields(&answer.body).contains(&"a\u{fffd}"),
        "{answer:?}"
    );
    let unpaired = rest
        .post("get_folio")
        .header("content-type", "application/json")
        .body(r#"{"booking_number":"\ud800"}"#);
    assert_eq!(unpaired.send().await.unwrap().status(), 400, "no Unicode");
    let staff = Rest::new(
        &hotel.url(""),
        "staff",
        &hotel.token(Persona::Staff, ANN).await,
    );
    let answer = staff
        .call(
            "search_executions",
            None,
            &json!({ "guest_email": "a\0@b" }),
        )
        .await;
    assert!(
        answer.status == 400 && fields(&answer.body).contains(&"guest_email"),
        "{answer:?}"
    );
    let mcp: Mcp = hotel.guest_mcp(BETH).await;
    let answer = mcp
        .call(Era::Modern, "get_folio", json!({ "booking_number": "\0" }))
        .await;
    assert!(answer.to_string().contains("NUL character"), "{answer}");
}

#[tokio::test]
async fn nul_is_refused_in_urls_and_forms() {
    let hotel = TestHotel::open().await;
    for (path, named) in [
        ("/?next=%00", "next contains a NUL"),
        ("/staff/executions?q=a%00b", "q contains a NUL"),
        ("/executions/exe_%00", "path contains a NUL"),
    ] {
        let answer = hotel.get(path).await;
        let (status, text) = (answer.status(), answer.text().await.unwrap());
        assert!(
            status == 400 && text.contains(named),
            "{path}: {status} {text}"
        );
    }
    let answer = hotel.get("/api/guest/get_folio%00").await;
    assert_eq!(
        (
            answer.status().as_u16(),
            answer.headers()["content-type"].as_bytes()
        ),
        (400, &b"application/json"[..])
    );
    let browser = hotel.browser();
    browser.open("/sign-in").await;
    let page = browser
        .send("/sign-in", &[("email", "a\0@b.example")])
        .await;
    assert_eq!(page.status, 400, "{}", page.text);
    page.has(&["email contains a NUL"]);
    assert_eq!(hotel.get("/readyz").await.status(), 200);
}
