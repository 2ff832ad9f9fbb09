//! Each kind of injected fault, on virtual time.

use dewy_domain::ports::Transport as _;
use tokio::time::Instant;

use crate::{
    prelude::*,
    sandbox_client::{intents, json as body, salesforce, salesforce_fault, token},
};

const PATH: &str = "/v1/payment_intents";

fn order(sandbox: &Sandbox, kind: FaultKind) {
    sandbox.add_fault(payment_fault(kind));
}

fn request() -> dewy_domain::ports::HttpRequest {
    stripe("POST", PATH, Some("k"), &payment("pm_card_visa"))
}

async fn within(sandbox: &Sandbox, seconds: u64) -> Result<u16, TransportError> {
    sandbox
        .send(request(), Duration::from_secs(seconds))
        .await
        .map(|response| response.status)
}

#[tokio::test(start_paused = true)]
async fn timeout_before_effect_applies_nothing() {
    let sandbox = sandbox();
    order(&sandbox, FaultKind::TimeoutBeforeEffect);
    assert_eq!(within(&sandbox, 10).await, Err(TransportError::Timeout));
    pass(3600).await;
    assert_eq!(intents(&sandbox), 0);
    assert_eq!(
        (last(&sandbox).status, last(&sandbox).effect.as_str()),
        (None, "none")
    );
    assert_eq!(within(&sandbox, 10).await, Ok(200));
}

#[tokio::test(start_paused = true)]
async fn a_held_connection_is_dropped_after_its_delay() {
    let sandbox = sandbox();
    sandbox.add_fault(payment_fault(FaultKind::TimeoutBeforeEffect).ms(4000));
    let began = Instant::now();
    assert!(matches!(
        within(&sandbox, 60).await,
        Err(TransportError::Broken(_))
    ));
    assert_eq!(began.elapsed().as_secs(), 4);
}

#[tokio::test(start_paused = true)]
async fn timeout_after_effect_applies_at_once_and_the_retry_is_a_replay() {
    let sandbox = sandbox();
    order(&sandbox, FaultKind::TimeoutAfterEffect);
    let began = Instant::now();
    assert_eq!(within(&sandbox, 10).await, Err(TransportError::Timeout));
    assert_eq!(began.elapsed().as_secs(), 10);
    assert_eq!(intents(&sandbox), 1);
    assert_eq!(
        (last(&sandbox).status, last(&sandbox).effect.as_str()),
        (None, "applied")
    );
    assert_eq!(within(&sandbox, 10).await, Ok(200));
    assert_eq!(
        (intents(&sandbox), last(&sandbox).effect.as_str()),
        (1, "replayed")
    );
}

#[tokio::test(start_paused = true)]
async fn a_late_effect_applies_a_minute_after_arrival() {
    let sandbox = sandbox();
    order(&sandbox, FaultKind::LateEffect);
    assert_eq!(within(&sandbox, 10).await, Err(TransportError::Timeout));
    pass(49).await;
    assert_eq!(intents(&sandbox), 0);
    assert_eq!(last(&sandbox).effect, "pending");
    pass(1).await;
    assert_eq!(intents(&sandbox), 1);
    assert_eq!(
        (last(&sandbox).status, last(&sandbox).effect.as_str()),
        (None, "late")
    );
    let created = sandbox.state()["stripe"]["payment_intents"][0]["created"].as_i64();
    assert_eq!(created, Some(1_773_144_000 + 60));
}

#[tokio::test(start_paused = true)]
async fn a_late_effect_uses_the_idempotency_keys_of_its_time() {
    let sandbox = sandbox();
    order(&sandbox, FaultKind::LateEffect);
    assert_eq!(within(&sandbox, 10).await, Err(TransportError::Timeout));
    // The first copy holds no key while it is delayed: the retry is the one that runs.
    assert_eq!(within(&sandbox, 10).await, Ok(200));
    pass(3600).await;
    assert_eq!(intents(&sandbox), 1);
    assert_eq!(sandbox.calls()[0].effect, "replayed");
}

#[tokio::test(start_paused = true)]
async fn a_late_composite_checks_guards_when_it_applies() {
    for (edited, status, effect) in [(false, "Cleaning", "late"), (true, "Maintenance", "none")] {
        let sandbox = sandbox();
        let token = token(&sandbox).await;
        let room = || {
            let state = sandbox.state();
            let rooms = items(&state["salesforce"]["Hotel_Room__c"]);
            rooms
                .iter()
                .find(|room| room["Room_Number__c"] == "205")
                .unwrap()
                .clone()
        };
        let id = text_of(&room()["Id"]);
        assert_eq!(room()["Status__c"], "Vacant");
        let write = json!({"allOrNone": true, "collateSubrequests": false, "compositeRequest": [{
            "method": "PATCH", "url": format!("/services/data/v62.0/sobjects/Hotel_Room__c/{id}"), "referenceId": "room",
            "httpHeaders": {"If-Unmodified-Since": "Tue, 10 Mar 2026 12:00:00 GMT"}, "body": {"Status__c": "Cleaning"},
        }]});
        sandbox.add_fault(salesforce_fault("composite", FaultKind::LateEffect));
        let call = salesforce(&token, "POST", "/composite", &write);
        assert_eq!(
            sandbox.send(call, Duration::from_secs(5)).await,
            Err(TransportError::Timeout)
        );
        if edited {
            let fields =
                serde_json::Map::from_iter([("Status__c".to_owned(), json!("Maintenance"))]);
            sandbox.edit("Hotel_Room__c", &id, &fields).unwrap();
        }
        pass(120).await;
        assert_eq!(
            (room()["Status__c"].as_str(), last(&sandbox).effect.as_str()),
            (Some(status), effect)
        );
    }
}

fn line(folio: &str) -> Value {
    json!({"Opportunity__c": folio, "External_ID__c": "exe_1", "Transaction_Type__c": "Charge", "Amount__c": 50})
}

fn folio(sandbox: &Sandbox) -> String {
    text_of(&sandbox.state()["salesforce"]["Opportunity"][0]["Id"])
}

fn lines(sandbox: &Sandbox) -> usize {
    let state = sandbox.state();
    let lines = items(&state["salesforce"]["Payment_Transaction__c"]);
    lines
        .iter()
        .filter(|line| line["External_ID__c"] == "exe_1")
        .count()
}

#[tokio::test(start_paused = true)]
async fn a_request_delivered_twice_applies_twice_without_a_key() {
    for (latency, second_answer) in [(false, false), (false, true), (true, false), (true, true)] {
        let sandbox = sandbox();
        if latency {
            sandbox.set_latency(Latency::reference());
        }
        let token = token(&sandbox).await;
        let fault = salesforce_fault("create", FaultKind::DeliveredTwice);
        sandbox.add_fault(if second_answer {
            fault.second_answer()
        } else {
            fault
        });
        let write = salesforce(
            &token,
            "POST",
            "/sobjects/Payment_Transaction__c",
            &line(&folio(&sandbox)),
        );
        let answer = body(&send(&sandbox, write).await.unwrap());
        assert_eq!(lines(&sandbox), 2);
        let rows = sandbox.state()["salesforce"]["Payment_Transaction__c"].clone();
        let ours: Vec<_> = items(&rows)
            .iter()
            .filter(|line| line["External_ID__c"] == "exe_1")
            .collect();
        assert_eq!(answer["id"], ours[usize::from(second_answer)]["Id"]);
        let again = last(&sandbox);
        assert_eq!(
            (again.replay_of, again.effect.as_str()),
            (Some(again.seq - 1), "applied")
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_key_protects_a_payment_delivered_twice() {
    for latency in [Latency::none(), Latency::reference()] {
        let sandbox = sandbox();
        sandbox.set_latency(latency.clone());
        let fault = payment_fault(FaultKind::DeliveredTwice);
        sandbox.add_fault(fault.second_answer());
        // While the first one is processed, the second is rejected; after that it gets the same
        // response.
        let expected = if latency == Latency::none() { 200 } else { 409 };
        assert_eq!(within(&sandbox, 60).await, Ok(expected));
        assert_eq!(within(&sandbox, 60).await, Ok(200));
        assert_eq!(intents(&sandbox), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_replay_applies_by_the_state_of_its_time_and_has_no_response() {
    let sandbox = sandbox();
    let token = token(&sandbox).await;
    sandbox.add_fault(salesforce_fault("create", FaultKind::ReplayedLater).ms(90_000));
    let write = salesforce(
        &token,
        "POST",
        "/sobjects/Payment_Transaction__c",
        &line(&folio(&sandbox)),
    );
    assert_eq!(send(&sandbox, write).await.unwrap().status, 201);
    pass(89).await;
    assert_eq!(
        (lines(&sandbox), last(&sandbox).effect.as_str()),
        (1, "pending")
    );
    pass(1).await;
    assert_eq!(
        (
            lines(&sandbox),
            last(&sandbox).effect.as_str(),
            last(&sandbox).status
        ),
        (2, "late", None)
    );

    // A key is valid for a day.
    for (ms, count) in [(23 * 3_600_000, 1), (25 * 3_600_000, 3)] {
        sandbox.add_fault(payment_fault(FaultKind::ReplayedLater).ms(ms));
        let key = format!("k{ms}");
        let _ = pay(&sandbox, Some(&key), "pm_card_visa").await;
        pass(ms / 1000 + 1).await;
        assert_eq!(intents(&sandbox), count);
    }
}

#[tokio::test(start_paused = true)]
async fn resets_break_before_or_after() {
    for (kind, count, effect) in [
        (FaultKind::ResetBeforeEffect, 0, "none"),
        (FaultKind::ResetAfterEffect, 1, "applied"),
    ] {
        let sandbox = sandbox();
        order(&sandbox, kind);
        assert!(matches!(
            within(&sandbox, 10).await,
            Err(TransportError::Broken(_))
        ));
        assert_eq!(
            (
                intents(&sandbox),
                last(&sandbox).effect.as_str(),
                last(&sandbox).status
            ),
            (count, effect, None)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn garbage_is_applied_and_unreadable() {
    let sandbox = sandbox();
    order(&sandbox, FaultKind::GarbageBody);
    let response = send(&sandbox, request()).await.unwrap();
    assert_eq!(response.status, 200);
    assert!(serde_json::from_slice::<Value>(&response.body).is_err());
    assert_eq!(intents(&sandbox), 1);
    let again = send(&sandbox, request()).await.unwrap();
    assert_eq!(body(&again)["status"], "succeeded");
}

#[tokio::test(start_paused = true)]
async fn a_slow_response_is_otherwise_normal() {
    let sandbox = sandbox();
    sandbox.set_latency(Latency::reference());
    sandbox.add_fault(payment_fault(FaultKind::Slow).ms(10_000));
    let began = Instant::now();
    assert_eq!(within(&sandbox, 60).await, Ok(200));
    assert_eq!(began.elapsed().as_millis(), 12_700);
}

#[tokio::test(start_paused = true)]
async fn the_reference_figures() {
    let sandbox = sandbox();
    sandbox.set_latency(Latency::reference());
    let took = async |request| {
        let began = Instant::now();
        let response = send(&sandbox, request).await.unwrap();
        (began.elapsed().as_millis(), response)
    };
    let (ms, answer) = took(request()).await;
    assert_eq!(ms, 2700);
    let intent = text_of(&body(&answer)["id"]);
    assert_eq!(
        took(stripe(
            "POST",
            PATH,
            None,
            &[("amount", "99"), ("currency", "usd")]
        ))
        .await
        .0,
        700
    );
    assert_eq!(took(stripe("GET", PATH, None, &[])).await.0, 300);
    assert_eq!(took(stripe("GET", "/v1/customers", None, &[])).await.0, 600);
    assert_eq!(
        took(stripe(
            "POST",
            "/v1/refunds",
            None,
            &[("payment_intent", &intent)]
        ))
        .await
        .0,
        800
    );
    let began = Instant::now();
    let token = token(&sandbox).await;
    assert_eq!(began.elapsed().as_millis(), 300);
    let query = salesforce(
        &token,
        "GET",
        "/query?q=SELECT%20Id%20FROM%20Hotel_Room__c",
        &Value::Null,
    );
    let (ms, answer) = took(query).await;
    assert_eq!((ms, answer.status), (850, 200));
    assert_eq!(body(&answer)["totalSize"], 44);
}

#[tokio::test(start_paused = true)]
async fn salesforce_errors_use_its_codes_and_messages() {
    let sandbox = sandbox();
    let token_one = token(&sandbox).await;
    let query = |token: &str| {
        salesforce(
            token,
            "GET",
            "/query?q=SELECT%20Id%20FROM%20Hotel_Room__c",
            &Value::Null,
        )
    };
    for (fault, status, code) in [
        (
            salesforce_fault("query", FaultKind::UnableToLockRow),
            400,
            "UNABLE_TO_LOCK_ROW",
        ),
        (
            salesforce_fault("query", FaultKind::RequestLimit),
            403,
            "REQUEST_LIMIT_EXCEEDED",
        ),
        (
            salesforce_fault("query", FaultKind::Status).status(503),
            503,
            "SERVER_UNAVAILABLE",
        ),
        (
            salesforce_fault("query", FaultKind::Status).status(500),
            500,
            "UNKNOWN_EXCEPTION",
        ),
        (
            salesforce_fault("query", FaultKind::ExpiredSession),
            401,
            "INVALID_SESSION_ID",
        ),
    ] {
        sandbox.add_fault(fault);
        let response = send(&sandbox, query(&token_one)).await.unwrap();
        assert_eq!(
            (response.status, body(&response)[0]["errorCode"].as_str()),
            (status, Some(code))
        );
    }
    // The old token stays invalid; a new one works.
    assert_eq!(send(&sandbox, query(&token_one)).await.unwrap().status, 401);
    let token_two = token(&sandbox).await;
    assert_eq!(send(&sandbox, query(&token_two)).await.unwrap().status, 200);
}

#[tokio::test(start_paused = true)]
async fn faults_apply_by_count_skip_and_order() {
    let sandbox = sandbox();
    let fault = |status| Fault::new(System::Stripe, "customers", FaultKind::Status).status(status);
    sandbox.add_fault(fault(429).skip(1).count(2));
    sandbox.add_fault(fault(503).count(1));
    sandbox.add_fault(Fault::new(System::Stripe, "refund_create", FaultKind::Status).status(500));
    let mut seen = Vec::new();
    for _ in 0..5 {
        seen.push(get(&sandbox, "/v1/customers", &[]).await.0);
    }
    assert_eq!(seen, [503, 429, 429, 200, 200]);
    assert_eq!(sandbox.faults().len(), 1);
    sandbox.add_fault(fault(429).count(0));
    for _ in 0..4 {
        assert_eq!(get(&sandbox, "/v1/customers", &[]).await.0, 429);
    }
    sandbox.clear_faults();
    assert_eq!(get(&sandbox, "/v1/customers", &[]).await.0, 200);
}

#[tokio::test(start_paused = true)]
async fn concurrent_calls_cause_lock_timeouts() {
    let sandbox = sandbox();
    order(&sandbox, FaultKind::LockTimeout);
    let (ordered, answer) = pay(&sandbox, None, "pm_card_visa").await;
    assert_eq!(
        (ordered.status, ordered.header("stripe-should-retry")),
        (429, Some("true"))
    );
    assert_eq!(answer["error"]["code"], "lock_timeout");
    let (_, intent) = post(
        &sandbox,
        PATH,
        None,
        &[("amount", "100"), ("currency", "usd")],
    )
    .await;
    let path = format!("{PATH}/{}/cancel", id_of(&intent));
    sandbox.set_latency(Latency::reference());
    let (one, two) = tokio::join!(
        post(&sandbox, &path, Some("a"), &[]),
        post(&sandbox, &path, Some("b"), &[])
    );
    assert_eq!((one.0.status, two.0.status), (200, 429));
    assert_eq!(two.1["error"]["code"], "lock_timeout");
}

#[tokio::test(start_paused = true)]
async fn equal_seeds_give_equal_runs() {
    async fn run() -> (Value, Value) {
        let sandbox = sandbox();
        sandbox.set_latency(Latency::reference());
        order(&sandbox, FaultKind::LateEffect);
        let requests = (0..5).map(|place| {
            let key = format!("k{}", place % 3);
            let request = stripe("POST", PATH, Some(&key), &payment("pm_card_pendingRefund"));
            let sandbox = sandbox.clone();
            async move { drop(sandbox.send(request, Duration::from_secs(place)).await) }
        });
        futures::future::join_all(requests).await;
        pass(300).await;
        (sandbox.state(), json!(sandbox.calls()))
    }
    let first = run().await;
    assert_eq!(first, run().await);
}

#[tokio::test(start_paused = true)]
async fn an_injected_error_can_have_any_retry_delay() {
    for (kind, system, operation) in [
        (FaultKind::Status, System::Stripe, "payment_intent_create"),
        (
            FaultKind::LockTimeout,
            System::Stripe,
            "payment_intent_create",
        ),
        (FaultKind::Status, System::Salesforce, "query"),
        (FaultKind::RequestLimit, System::Salesforce, "query"),
        (FaultKind::UnableToLockRow, System::Salesforce, "query"),
    ] {
        let sandbox = sandbox();
        let fault = Fault::new(system, operation, kind).status(503);
        sandbox.add_fault(fault.retry_after(u64::MAX));
        let call = match system {
            System::Stripe => request(),
            _ => {
                let query = "/query?q=SELECT+Id+FROM+Contact";
                salesforce(&token(&sandbox).await, "GET", query, &Value::Null)
            }
        };
        let answer = send(&sandbox, call).await.unwrap();
        let asked = answer.header("retry-after").map(str::to_owned);
        assert_eq!(asked, Some(u64::MAX.to_string()), "{kind:?}");
    }
}
