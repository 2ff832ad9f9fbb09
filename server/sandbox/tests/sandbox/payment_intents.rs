//! Payments, as in Stripe.

use serde_json::{Value, json};

use crate::sandbox_client::{get, json as body, payment, post, sandbox, send, stripe};

const PATH: &str = "/v1/payment_intents";

#[tokio::test(start_paused = true)]
async fn one_call_creates_and_confirms() {
    let sandbox = sandbox();
    let mut pairs = payment("pm_1BethVisa4242").to_vec();
    pairs.extend([
        ("customer", "cus_BethGibbs0001"),
        ("expand[]", "latest_charge"),
    ]);
    let (response, intent) = post(&sandbox, PATH, Some("k"), &pairs).await;
    assert_eq!(response.status, 200, "{intent}");
    assert_eq!(
        (&intent["status"], &intent["amount_received"]),
        (&json!("succeeded"), &json!(25000))
    );
    assert_eq!(intent["metadata"]["booking"], "BK-0042");
    assert_eq!(intent["created"], 1_773_144_000);
    assert_eq!(intent["latest_charge"]["paid"], true);
    assert_eq!(
        intent["latest_charge"]["payment_method_details"]["card"]["last4"],
        "4242"
    );
    assert!(
        intent["latest_charge"]["receipt_url"]
            .as_str()
            .unwrap()
            .starts_with("https://stripe.test/receipts/ch_")
    );
    assert!(!intent.to_string().contains("\"_"), "{intent}");
    let id = intent["id"].as_str().unwrap();
    let (_, plain) = get(&sandbox, &format!("{PATH}/{id}"), &[]).await;
    assert!(plain["latest_charge"].as_str().unwrap().starts_with("ch_"));
    let (_, charge) = get(
        &sandbox,
        &format!("/v1/charges/{}", plain["latest_charge"].as_str().unwrap()),
        &[],
    )
    .await;
    assert_eq!(
        (&charge["payment_intent"], &charge["refunded"]),
        (&json!(id), &json!(false))
    );
}

#[tokio::test(start_paused = true)]
async fn the_parameter_rules() {
    let with = |more: &[(&'static str, &'static str)]| {
        [&[("amount", "500"), ("currency", "usd")], more].concat()
    };
    for (pairs, code, param) in [
        (vec![("currency", "usd")], "parameter_missing", "amount"),
        (vec![("amount", "500")], "parameter_missing", "currency"),
        (with(&[("color", "red")]), "parameter_unknown", "color"),
        (
            with(&[("automatic_payment_methods[on]", "true")]),
            "parameter_unknown",
            "automatic_payment_methods[on]",
        ),
        (
            vec![("amount", "49"), ("currency", "usd")],
            "amount_too_small",
            "amount",
        ),
        (
            vec![("amount", "4.5"), ("currency", "usd")],
            "parameter_invalid_integer",
            "amount",
        ),
        (
            vec![("amount", "500"), ("currency", "gold")],
            "",
            "currency",
        ),
        (with(&[("return_url", "https://x.test")]), "", "return_url"),
        (with(&[("off_session", "true")]), "", "off_session"),
        (
            with(&[("error_on_requires_action", "true")]),
            "",
            "error_on_requires_action",
        ),
        (
            with(&[("confirm", "true")]),
            "payment_intent_unexpected_state",
            "",
        ),
        (
            with(&[("confirm", "true"), ("payment_method", "pm_card_visa")]),
            "",
            "",
        ),
        (
            with(&[
                ("confirm", "true"),
                ("payment_method", "pm_card_visa"),
                ("automatic_payment_methods[enabled]", "true"),
            ]),
            "",
            "",
        ),
        (
            with(&[
                ("allowed_payment_method_types[]", "card"),
                ("automatic_payment_methods[enabled]", "true"),
            ]),
            "",
            "automatic_payment_methods",
        ),
        (
            with(&[("customer", "cus_none")]),
            "resource_missing",
            "customer",
        ),
        (
            with(&[("payment_method", "pm_none")]),
            "resource_missing",
            "payment_method",
        ),
        (
            with(&[("payment_method", "pm_1BethVisa4242")]),
            "",
            "payment_method",
        ),
        (
            with(&[("payment_method_types[]", "card")]),
            "payment_method_types_no_longer_supported",
            "payment_method_types",
        ),
        (
            with(&[("payment_methods", "pm_card_visa")]),
            "parameter_unknown",
            "payment_methods",
        ),
        (
            with(&[("automatic_payment_methods[enable]", "true")]),
            "parameter_unknown",
            "automatic_payment_methods[enable]",
        ),
        // Known to Stripe: without its effect, the request must not succeed here.
        (
            with(&[("application_fee_amount", "1")]),
            "",
            "application_fee_amount",
        ),
        (
            with(&[("allowed_payment_method_types[]", "klarna")]),
            "",
            "allowed_payment_method_types",
        ),
        (
            with(&[("statement_descriptor", "DEWY RESORT")]),
            "",
            "statement_descriptor",
        ),
        (
            with(&[("statement_descriptor_suffix", "0042")]),
            "",
            "statement_descriptor_suffix",
        ),
        (
            with(&[("statement_descriptor_suffix", "A LONG STAY IN 302")]),
            "",
            "statement_descriptor_suffix",
        ),
        (
            with(&[("receipt_email", "nobody")]),
            "email_invalid",
            "receipt_email",
        ),
        (with(&[("expand[]", "everything")]), "", "expand"),
    ] {
        let sandbox = sandbox();
        let (response, answer) = post(&sandbox, PATH, Some("k"), &pairs).await;
        let error = &answer["error"];
        assert_eq!(response.status, 400, "{pairs:?} {answer}");
        assert_eq!(error["type"], "invalid_request_error", "{pairs:?}");
        assert_eq!(
            error["code"].as_str().unwrap_or_default(),
            code,
            "{pairs:?}"
        );
        assert_eq!(
            error["param"].as_str().unwrap_or_default(),
            param,
            "{pairs:?}"
        );
        assert_eq!(crate::sandbox_client::intents(&sandbox), 0, "{pairs:?}");
    }
    for more in [
        vec![
            ("automatic_payment_methods[enabled]", "true"),
            ("automatic_payment_methods[allow_redirects]", "never"),
        ],
        vec![
            ("automatic_payment_methods[enabled]", "true"),
            ("return_url", "https://x.test"),
        ],
        vec![("allowed_payment_method_types[]", "card")],
    ] {
        let pairs = [
            with(&[("confirm", "true"), ("payment_method", "pm_card_visa")]),
            more,
        ]
        .concat();
        let (_, intent) = post(&sandbox(), PATH, None, &pairs).await;
        assert_eq!(intent["status"], "succeeded", "{pairs:?} {intent}");
    }
}

#[tokio::test(start_paused = true)]
async fn each_declining_card_has_its_decline_code() {
    for (card, code, decline) in [
        (
            "pm_card_visa_chargeDeclined",
            "card_declined",
            "generic_decline",
        ),
        ("pm_card_chargeDeclined", "card_declined", "generic_decline"),
        (
            "pm_card_visa_chargeDeclinedInsufficientFunds",
            "card_declined",
            "insufficient_funds",
        ),
        (
            "pm_card_chargeDeclinedInsufficientFunds",
            "card_declined",
            "insufficient_funds",
        ),
        (
            "pm_card_visa_chargeDeclinedLostCard",
            "card_declined",
            "lost_card",
        ),
        (
            "pm_card_visa_chargeDeclinedStolenCard",
            "card_declined",
            "stolen_card",
        ),
        (
            "pm_card_chargeDeclinedExpiredCard",
            "expired_card",
            "expired_card",
        ),
        (
            "pm_card_chargeDeclinedIncorrectCvc",
            "incorrect_cvc",
            "incorrect_cvc",
        ),
        (
            "pm_card_chargeDeclinedProcessingError",
            "processing_error",
            "processing_error",
        ),
        (
            "pm_card_chargeCustomerFail",
            "card_declined",
            "generic_decline",
        ),
    ] {
        let sandbox = sandbox();
        let (response, answer) = post(&sandbox, PATH, None, &payment(card)).await;
        let error = &answer["error"];
        assert_eq!(
            (response.status, &error["type"]),
            (402, &json!("card_error")),
            "{card}"
        );
        assert_eq!(
            (&error["code"], &error["decline_code"]),
            (&json!(code), &json!(decline)),
            "{card}"
        );
        assert_eq!(error["payment_intent"]["status"], "requires_payment_method");
        assert_eq!(error["payment_intent"]["last_payment_error"]["code"], code);
        assert_eq!(error["payment_intent"]["metadata"]["booking"], "BK-0042");
        assert!(error["charge"].as_str().unwrap().starts_with("ch_"));
        // Another card, the same intent.
        let path = format!(
            "{PATH}/{}/confirm",
            error["payment_intent"]["id"].as_str().unwrap()
        );
        let (_, paid) = post(
            &sandbox,
            &path,
            None,
            &[("payment_method", "pm_card_mastercard")],
        )
        .await;
        assert_eq!(
            (&paid["status"], &paid["last_payment_error"]),
            (&json!("succeeded"), &Value::Null)
        );
    }
}

#[tokio::test(start_paused = true)]
async fn confirm_and_cancel_depend_on_the_state() {
    let sandbox = sandbox();
    let pairs = [
        ("amount", "500"),
        ("currency", "usd"),
        ("allowed_payment_method_types[]", "card"),
        ("payment_method", "pm_card_visa"),
    ];
    let (_, intent) = post(&sandbox, PATH, None, &pairs).await;
    assert_eq!(intent["status"], "requires_confirmation");
    let path = format!("{PATH}/{}", intent["id"].as_str().unwrap());
    let (_, paid) = post(&sandbox, &format!("{path}/confirm"), None, &[]).await;
    assert_eq!(paid["status"], "succeeded");
    for verb in ["confirm", "cancel"] {
        let (response, answer) = post(&sandbox, &format!("{path}/{verb}"), None, &[]).await;
        assert_eq!(
            (response.status, &answer["error"]["code"]),
            (400, &json!("payment_intent_unexpected_state"))
        );
        assert_eq!(answer["error"]["payment_intent"]["status"], "succeeded");
    }
    let (_, other) = post(
        &sandbox,
        PATH,
        None,
        &[("amount", "500"), ("currency", "usd")],
    )
    .await;
    let path = format!("{PATH}/{}/cancel", other["id"].as_str().unwrap());
    let (_, canceled) = post(
        &sandbox,
        &path,
        None,
        &[("cancellation_reason", "abandoned")],
    )
    .await;
    assert_eq!(
        (&canceled["status"], &canceled["cancellation_reason"]),
        (&json!("canceled"), &json!("abandoned"))
    );
    assert_eq!(post(&sandbox, &path, None, &[]).await.0.status, 400);
    assert_eq!(
        get(&sandbox, "/v1/payment_intents/pi_none", &[]).await.0,
        404
    );
    assert_eq!(get(&sandbox, "/v1/nothing", &[]).await.0, 404);
}

#[tokio::test(start_paused = true)]
async fn bank_authentication_is_approved_or_refused() {
    for (decision, status, result) in [
        ("complete", "succeeded", "succeeded"),
        ("fail", "requires_payment_method", "failed"),
    ] {
        let sandbox = sandbox();
        let mut pairs = payment("pm_card_authenticationRequired").to_vec();
        pairs.push(("return_url", "https://hotel.test/back?x=1"));
        let (response, intent) = post(&sandbox, PATH, None, &pairs).await;
        assert_eq!(
            (response.status, &intent["status"]),
            (200, &json!("requires_action"))
        );
        let id = intent["id"].as_str().unwrap();
        let url = intent["next_action"]["redirect_to_url"]["url"]
            .as_str()
            .unwrap();
        assert_eq!(url, format!("https://stripe.test/3ds/{id}"));
        let mut page = stripe("GET", &format!("/3ds/{id}"), None, &[]);
        page.headers.clear();
        let shown = send(&sandbox, page.clone()).await.unwrap();
        let html = String::from_utf8(shown.body).unwrap();
        assert!(
            html.contains("Complete") && html.contains("Fail") && html.contains("250.00 USD"),
            "{html}"
        );
        page.method = "POST".to_owned();
        page.body = format!("decision={decision}").into_bytes();
        let back = send(&sandbox, page).await.unwrap();
        assert_eq!(back.status, 303);
        let location = back.header("location").unwrap();
        assert!(
            location.starts_with("https://hotel.test/back?x=1&payment_intent=pi_"),
            "{location}"
        );
        assert!(
            location.ends_with(&format!("redirect_status={result}")),
            "{location}"
        );
        let (_, after) = get(&sandbox, &format!("{PATH}/{id}"), &[]).await;
        assert_eq!(
            (&after["status"], &after["next_action"]),
            (&json!(status), &Value::Null)
        );
        if decision == "fail" {
            assert_eq!(
                after["last_payment_error"]["code"],
                "payment_intent_authentication_failure"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn off_session_authentication_is_a_decline() {
    for flag in ["off_session", "error_on_requires_action"] {
        let sandbox = sandbox();
        let mut pairs = payment("pm_card_threeDSecure2Required").to_vec();
        pairs.push((flag, "true"));
        let (response, answer) = post(&sandbox, PATH, None, &pairs).await;
        assert_eq!(
            (response.status, &answer["error"]["code"]),
            (402, &json!("authentication_required"))
        );
        assert_eq!(
            answer["error"]["payment_intent"]["status"],
            "requires_payment_method"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn lists_are_newest_first_with_cursors_and_filters() {
    let sandbox = sandbox();
    for place in 0..12 {
        let amount = (100 + place).to_string();
        let customer = if place % 2 == 0 {
            vec![("customer", "cus_BethGibbs0001")]
        } else {
            Vec::new()
        };
        post(
            &sandbox,
            PATH,
            None,
            &[
                vec![("amount", amount.as_str()), ("currency", "usd")],
                customer,
            ]
            .concat(),
        )
        .await;
        crate::sandbox_client::pass(1).await;
    }
    let amounts = |list: &Value| {
        list["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["amount"].as_i64().unwrap())
            .collect::<Vec<_>>()
    };
    let (_, page) = get(&sandbox, PATH, &[]).await;
    assert_eq!(
        (amounts(&page), &page["has_more"], &page["url"]),
        ((102..112).rev().collect(), &json!(true), &json!(PATH))
    );
    let (_, next) = get(
        &sandbox,
        PATH,
        &[("starting_after", page["data"][9]["id"].as_str().unwrap())],
    )
    .await;
    assert_eq!(
        (amounts(&next), &next["has_more"]),
        (vec![101, 100], &json!(false))
    );
    let (_, before) = get(
        &sandbox,
        PATH,
        &[
            ("ending_before", page["data"][3]["id"].as_str().unwrap()),
            ("limit", "2"),
        ],
    )
    .await;
    assert_eq!(
        (amounts(&before), &before["has_more"]),
        (vec![110, 109], &json!(true))
    );
    let (_, beths) = get(
        &sandbox,
        PATH,
        &[
            ("customer", "cus_BethGibbs0001"),
            ("created[gte]", "1773144004"),
        ],
    )
    .await;
    assert_eq!(amounts(&beths), [110, 108, 106, 104]);
    assert_eq!(get(&sandbox, PATH, &[("status", "succeeded")]).await.0, 400);
}

#[tokio::test(start_paused = true)]
async fn customers_and_their_cards() {
    let sandbox = sandbox();
    let (_, list) = get(
        &sandbox,
        "/v1/customers",
        &[("email", "beth.gibbs@email.com")],
    )
    .await;
    assert_eq!(list["data"][0]["id"], "cus_BethGibbs0001");
    assert_eq!(
        list["data"][0]["invoice_settings"]["default_payment_method"],
        "pm_1BethVisa4242"
    );
    let (_, none) = get(
        &sandbox,
        "/v1/customers",
        &[("email", "Beth.Gibbs@email.com")],
    )
    .await;
    assert_eq!(none["data"], json!([]));
    let (_, cards) = get(
        &sandbox,
        "/v1/customers/cus_BethGibbs0001/payment_methods",
        &[("type", "card")],
    )
    .await;
    assert_eq!(
        (&cards["data"][0]["id"], &cards["data"][0]["card"]["last4"]),
        (&json!("pm_1BethVisa4242"), &json!("4242"))
    );
    let pairs = [
        ("email", "n@x.test"),
        ("name", "N"),
        ("metadata[contact]", "003"),
        ("metadata[gone]", "soon"),
    ];
    let (_, customer) = post(&sandbox, "/v1/customers", Some("c"), &pairs).await;
    let path = format!("/v1/customers/{}", customer["id"].as_str().unwrap());
    let (_, changed) = post(
        &sandbox,
        &path,
        None,
        &[("phone", "+15550100"), ("metadata[gone]", "")],
    )
    .await;
    assert_eq!(
        (&changed["phone"], &changed["metadata"]),
        (&json!("+15550100"), &json!({"contact": "003"}))
    );
    let id = customer["id"].as_str().unwrap();
    let (_, card) = post(
        &sandbox,
        "/v1/payment_methods/pm_card_visa/attach",
        None,
        &[("customer", id)],
    )
    .await;
    assert_eq!(card["customer"], id);
    assert_ne!(card["id"], "pm_card_visa");
    let (refused, _) = post(
        &sandbox,
        "/v1/payment_methods/pm_card_chargeDeclined/attach",
        None,
        &[("customer", id)],
    )
    .await;
    assert_eq!(refused.status, 402);
    let (_, fails_later) = post(
        &sandbox,
        "/v1/payment_methods/pm_card_chargeCustomerFail/attach",
        None,
        &[("customer", id)],
    )
    .await;
    let pairs = [
        ("amount", "500"),
        ("currency", "usd"),
        ("customer", id),
        ("confirm", "true"),
        ("allowed_payment_method_types[]", "card"),
        ("payment_method", fails_later["id"].as_str().unwrap()),
    ];
    assert_eq!(post(&sandbox, PATH, None, &pairs).await.0.status, 402);
}

#[tokio::test(start_paused = true)]
async fn a_version_that_never_was_is_refused() {
    let sandbox = sandbox();
    for (version, status) in [
        ("2026-10-28.endive", 200),
        ("2020-08-27", 200),
        ("endive", 400),
        ("2026-13-01.endive", 400),
    ] {
        let mut request = stripe("GET", "/v1/customers", None, &[]);
        request
            .headers
            .push(("stripe-version".to_owned(), version.to_owned()));
        let response = send(&sandbox, request).await.unwrap();
        assert_eq!(response.status, status, "{version}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_list_compares_emails_letter_by_letter_and_the_search_does_not() {
    let sandbox = sandbox();
    let written = "Olivia.O\"Neil@Example.com";
    let (_, made) = post(&sandbox, "/v1/customers", None, &[("email", written)]).await;
    let found = async |path: &str, pairs: &[(&str, &str)]| {
        let (status, list) = get(&sandbox, path, pairs).await;
        assert_eq!(status, 200, "{list}");
        list["data"].as_array().unwrap().len()
    };
    let lower = [("email", "olivia.o\"neil@example.com")];
    let query = [("query", "email:\"olivia.o\\\"neil@example.com\"")];
    assert_eq!(found("/v1/customers", &[("email", written)]).await, 1);
    assert_eq!(found("/v1/customers", &lower).await, 0);
    assert_eq!(found("/v1/customers/search", &query).await, 0, "not yet");
    crate::sandbox_client::pass(1).await;
    assert_eq!(found("/v1/customers/search", &query).await, 1);
    let id = made["id"].as_str().unwrap();
    let moved = [("email", "other@example.com")];
    post(&sandbox, &format!("/v1/customers/{id}"), None, &moved).await;
    assert_eq!(found("/v1/customers/search", &query).await, 0);
    let other = [("query", "name:\"Olivia\"")];
    assert_eq!(get(&sandbox, "/v1/customers/search", &other).await.0, 400);
}

#[tokio::test(start_paused = true)]
async fn both_forms_of_authorization_are_accepted() {
    let sandbox = sandbox();
    for (header, status) in [
        ("Bearer sk_test_x", 200),
        ("Basic c2tfdGVzdF94Og==", 200),
        ("Bearer pk_test_x", 401),
        ("", 401),
    ] {
        let mut request = stripe("GET", "/v1/customers", None, &[]);
        request.headers = vec![("authorization".to_owned(), header.to_owned())];
        let response = send(&sandbox, request).await.unwrap();
        assert_eq!(response.status, status, "{header} {}", body(&response));
        assert_eq!(response.header("stripe-version"), Some("2026-10-28.endive"));
    }
}

#[tokio::test(start_paused = true)]
async fn a_card_is_reusable_only_with_a_customer() {
    let sandbox = sandbox();
    let (_, intent) = post(&sandbox, PATH, None, &payment("pm_card_visa")).await;
    let method = intent["payment_method"].as_str().unwrap();
    let pairs = |method| {
        [
            ("amount", "500"),
            ("currency", "usd"),
            ("allowed_payment_method_types[]", "card"),
            ("confirm", "true"),
            ("payment_method", method),
        ]
    };
    let (again, answer) = post(&sandbox, PATH, None, &pairs(method)).await;
    assert_eq!(again.status, 400);
    assert!(
        answer["error"]["message"]
            .as_str()
            .unwrap()
            .contains("may not be used again")
    );
    let keep = [
        ("customer", "cus_BethGibbs0001"),
        ("setup_future_usage", "off_session"),
    ];
    let (_, kept) = post(
        &sandbox,
        PATH,
        None,
        &[pairs("pm_card_mastercard").as_slice(), &keep].concat(),
    )
    .await;
    let method = kept["payment_method"].as_str().unwrap();
    let (_, cards) = get(
        &sandbox,
        "/v1/payment_methods",
        &[("customer", "cus_BethGibbs0001")],
    )
    .await;
    assert_eq!(cards["data"][0]["id"], method);
    let (_, second) = post(
        &sandbox,
        PATH,
        None,
        &[pairs(method).as_slice(), &keep[..1]].concat(),
    )
    .await;
    assert_eq!(second["status"], "succeeded");
    let receipt = sandbox.state()["stripe"]["charges"][0]["receipt_url"]
        .as_str()
        .unwrap()
        .to_owned();
    let page = send(
        &sandbox,
        stripe(
            "GET",
            receipt.trim_start_matches("https://stripe.test"),
            None,
            &[],
        ),
    )
    .await
    .unwrap();
    assert!(page.status == 200 && String::from_utf8(page.body).unwrap().contains("250.00 USD"));
}
