//! Confirmation before money moves, for MCP clients that support elicitation.

use std::sync::atomic::Ordering;

use dewy_sandbox::ExternalPayment;

use crate::{fake_dispatcher::mcp_over_fake, prelude::*};

/// Call by a client with these elicitation capabilities.
async fn call(mcp: &Mcp, tool: &str, arguments: &Value, can: Value, round: Value) -> Value {
    let mut params = json!({ "name": tool, "arguments": arguments,
        "_meta": { "io.modelcontextprotocol/clientCapabilities": { "elicitation": can } } });
    params
        .as_object_mut()
        .unwrap()
        .extend(round.as_object().unwrap().clone());
    mcp.send(Era::Modern, "tools/call", params).await.1
}

async fn ask(mcp: &Mcp, tool: &str, arguments: &Value) -> (String, String) {
    let asked = call(mcp, tool, arguments, json!({}), json!({})).await;
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    let question = &asked["result"]["inputRequests"]["confirm"];
    assert_eq!(question["method"], "elicitation/create", "{asked}");
    assert_eq!(
        question["params"]["requestedSchema"]["properties"]["confirm"]["type"], "boolean",
        "{asked}"
    );
    let state = asked["result"]["requestState"].as_str().unwrap().to_owned();
    (
        question["params"]["message"].as_str().unwrap().to_owned(),
        state,
    )
}

fn answered(state: &str, answer: Value) -> Value {
    json!({ "requestState": state, "inputResponses": { "confirm": answer } })
}

fn yes(state: &str) -> Value {
    answered(
        state,
        json!({ "action": "accept", "content": { "confirm": true } }),
    )
}

fn check_out(token: &str) -> Value {
    json!({ "amount": 25000, "idempotency_token": token })
}

const TOOL: &str = "process_guest_checkout";

#[tokio::test]
async fn a_confirmation_is_required_and_valid_once() {
    let (base, seen) = mcp_over_fake().await;
    seen.price.store(250, Ordering::SeqCst);
    let beth = Mcp::new(&base, "guest", "beth");
    let order = check_out("t");
    let (question, state) = ask(&beth, TOOL, &order).await;
    assert_eq!(question, "Charge $250?");
    assert_eq!(
        seen.begun.load(Ordering::SeqCst),
        0,
        "asked, and nothing done"
    );
    let done = call(&beth, TOOL, &order, json!({}), yes(&state)).await;
    assert_eq!(done["result"]["isError"], false, "{done}");
    assert_eq!(done["result"]["resultType"], "complete");
    let again = call(&beth, TOOL, &order, json!({}), yes(&state)).await;
    assert_eq!(again["error"]["code"], -32602, "{again}");
    assert_eq!(seen.begun.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_refusal_does_nothing_and_is_final() {
    let (base, seen) = mcp_over_fake().await;
    seen.price.store(250, Ordering::SeqCst);
    let beth = Mcp::new(&base, "guest", "beth");
    for no in [
        json!({ "action": "decline" }),
        json!({ "action": "cancel" }),
        json!({ "action": "accept", "content": { "confirm": false } }),
    ] {
        let (_, state) = ask(&beth, TOOL, &check_out("t")).await;
        let refused = call(
            &beth,
            TOOL,
            &check_out("t"),
            json!({}),
            answered(&state, no),
        )
        .await;
        assert_eq!(refused["result"]["isError"], true, "{refused}");
        assert_eq!(
            refused["result"]["structuredContent"]["error_code"],
            "NOT_CONFIRMED"
        );
        assert!(
            refused["result"]["content"][0]["text"]
                .as_str()
                .unwrap()
                .contains("nothing was done")
        );
        let turned = call(&beth, TOOL, &check_out("t"), json!({}), yes(&state)).await;
        assert_eq!(turned["error"]["code"], -32602, "{turned}");
    }
    // What is no answer is asked for again.
    let (_, state) = ask(&beth, TOOL, &check_out("t")).await;
    for none in [
        json!(7),
        json!({}),
        json!({ "action": "accept" }),
        json!({ "action": "accept", "content": { "confirm": "yes" } }),
    ] {
        let asked = call(
            &beth,
            TOOL,
            &check_out("t"),
            json!({}),
            answered(&state, none),
        )
        .await;
        assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    }
    assert_eq!(seen.begun.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_confirmation_is_bound_to_its_caller_call_and_time() {
    let (base, seen) = mcp_over_fake().await;
    seen.price.store(250, Ordering::SeqCst);
    let (beth, sarah) = (
        Mcp::new(&base, "guest", "beth"),
        Mcp::new(&base, "guest", "sarah"),
    );
    let (_, state) = ask(&beth, TOOL, &check_out("t")).await;
    let mut forged = state.clone();
    forged.replace_range(6..8, "zz");
    for (mcp, arguments, state) in [
        (&sarah, check_out("t"), state.as_str()),
        (&beth, check_out("u"), state.as_str()),
        (
            &beth,
            json!({ "amount": 25001, "idempotency_token": "t" }),
            state.as_str(),
        ),
        (&beth, check_out("t"), forged.as_str()),
        (&beth, check_out("t"), "nonsense"),
        (&beth, check_out("t"), ""),
    ] {
        let refused = call(mcp, TOOL, &arguments, json!({}), yes(state)).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
    }
    seen.ahead.store(301, Ordering::SeqCst);
    let late = call(&beth, TOOL, &check_out("t"), json!({}), yes(&state)).await;
    assert_eq!(late["error"]["code"], -32602, "{late}");
    seen.ahead.store(0, Ordering::SeqCst);
    seen.price.store(300, Ordering::SeqCst);
    let dearer = call(&beth, TOOL, &check_out("t"), json!({}), yes(&state)).await;
    let message = &dearer["result"]["inputRequests"]["confirm"]["params"]["message"];
    assert_eq!(
        message, "Charge $300?",
        "what was agreed to is no longer what would be done: {dearer}"
    );
    assert_eq!(seen.begun.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn clients_without_elicitation_and_reads_need_no_confirmation() {
    let (base, seen) = mcp_over_fake().await;
    seen.price.store(250, Ordering::SeqCst);
    let beth = Mcp::new(&base, "guest", "beth");
    for era in crate::mcp::ERAS {
        assert_eq!(beth.call(era, TOOL, check_out("t")).await["isError"], false);
    }
    let only_urls = call(
        &beth,
        TOOL,
        &check_out("t"),
        json!({ "url": {} }),
        json!({}),
    )
    .await;
    assert_eq!(only_urls["result"]["isError"], false, "{only_urls}");
    let forms = call(
        &beth,
        TOOL,
        &check_out("t"),
        json!({ "form": {}, "url": {} }),
        json!({}),
    )
    .await;
    assert_eq!(forms["result"]["resultType"], "input_required", "{forms}");
    let read = call(&beth, "get_folio", &json!({}), json!({}), yes("whatever")).await;
    assert_eq!(read["result"]["isError"], false, "{read}");
    assert_eq!(seen.begun.load(Ordering::SeqCst), 3);
    // A panic before the dispatcher is answered as well.
    let planted = json!({ "amount": 1, "idempotency_token": "t", "booking_number": "BK-6667" });
    let fault = call(&beth, TOOL, &planted, json!({}), json!({})).await;
    let content = &fault["result"]["structuredContent"];
    assert_eq!(content["error_code"], "INTERNAL", "{fault}");
    assert!(!fault.to_string().contains("planted"), "{fault}");
}

#[tokio::test]
async fn the_confirmation_text_uses_the_hotels_data() {
    let hotel = TestHotel::open().await;
    let beth = hotel.guest_mcp(BETH).await;
    let (question, state) = ask(&beth, TOOL, &check_out("real")).await;
    for fact in ["room 302", "$250.00", "BK-", "visa", "4242"] {
        assert!(question.contains(fact), "{fact} in {question}");
    }
    let unknown = beth
        .call(
            Era::Modern,
            "get_execution",
            json!({ "idempotency_token": "real" }),
        )
        .await;
    assert_eq!(
        unknown["structuredContent"]["error_code"], "EXECUTION_NOT_FOUND",
        "{unknown}"
    );
    // What would be refused is refused without bothering anybody.
    let other = json!({ "amount": 24999, "idempotency_token": "x" });
    let mismatch = call(&beth, TOOL, &other, json!({}), json!({})).await;
    assert_eq!(
        mismatch["result"]["structuredContent"]["error_code"], "AMOUNT_MISMATCH",
        "{mismatch}"
    );
    let faulty = call(
        &beth,
        TOOL,
        &json!({ "idempotency_token": "x" }),
        json!({}),
        json!({}),
    )
    .await;
    assert_eq!(
        faulty["result"]["structuredContent"]["details"]["problems"][0]["field"], "amount",
        "{faulty}"
    );

    let staff = hotel.staff_mcp("frontdesk@dewy.example").await;
    let for_beth = json!({ "guest_email": BETH, "amount": 25000, "idempotency_token": "desk" });
    let (question, _) = ask(&staff, TOOL, &for_beth).await;
    assert!(question.contains(BETH), "{question}");

    let done = call(&beth, TOOL, &check_out("real"), json!({}), yes(&state)).await;
    assert_eq!(
        done["result"]["structuredContent"]["data"]["booking_status"], "Checked Out",
        "{done}"
    );
    // The answer was lost on the way: the same request again is replayed, not refused and not asked
    // about.
    let again = call(&beth, TOOL, &check_out("real"), json!({}), yes(&state)).await;
    assert_eq!(
        again["result"]["structuredContent"]["replayed"], true,
        "{again}"
    );
}

#[tokio::test]
async fn a_refund_confirmation_names_the_payments_amount() {
    let hotel = TestHotel::open().await;
    let installation = hotel.server.store.known_installation().await.unwrap();
    let metadata = json!({
        "installation_id": installation.unwrap().to_string(),
        "execution_id": "exe_00000000000070008000000000000000",
        "booking_number": "BK-0042",
    });
    let payment = ExternalPayment {
        amount: 25000,
        customer_email: Some(BETH.to_owned()),
        metadata: metadata.as_object().unwrap().clone(),
        ..ExternalPayment::default()
    };
    let payment = hotel.sandbox().pay_elsewhere(&payment).unwrap();
    let staff = hotel.staff_mcp("manager@dewy.example").await;
    let order =
        json!({ "payment_intent_id": payment, "guest_email": BETH, "idempotency_token": "back" });
    let (question, state) = ask(&staff, "compensate_checkout_failure", &order).await;
    for fact in ["$250.00", payment.as_str(), BETH, "4242", "BK-"] {
        assert!(question.contains(fact), "{fact} in {question}");
    }
    let no = answered(&state, json!({ "action": "decline" }));
    let refused = call(&staff, "compensate_checkout_failure", &order, json!({}), no).await;
    assert_eq!(
        refused["result"]["structuredContent"]["error_code"], "NOT_CONFIRMED",
        "{refused}"
    );
    let unknown = json!({ "payment_intent_id": "pi_nobody", "guest_email": BETH, "idempotency_token": "none" });
    let unknown = call(
        &staff,
        "compensate_checkout_failure",
        &unknown,
        json!({}),
        json!({}),
    )
    .await;
    assert_eq!(
        unknown["result"]["structuredContent"]["error_code"], "PAYMENT_NOT_FOUND",
        "{unknown}"
    );
    assert!(
        hotel.state()["stripe"]["refunds"]
            .as_array()
            .unwrap()
            .is_empty()
    );
}
