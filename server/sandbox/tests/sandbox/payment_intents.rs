//! Payments, as in Stripe.

use crate::{prelude::*, sandbox_client::json as body};

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
    assert_fields(
        &intent,
        json!({ "status": "succeeded", "amount_received": 25000 }),
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
    let id = id_of(&intent);
    let (_, plain) = get(&sandbox, &format!("{PATH}/{id}"), &[]).await;
    assert!(plain["latest_charge"].as_str().unwrap().starts_with("ch_"));
    let (_, charge) = get(
        &sandbox,
        &format!("/v1/charges/{}", plain["latest_charge"].as_str().unwrap()),
        &[],
    )
    .await;
    assert_fields(&charge, json!({ "payment_intent": id, "refunded": false }));
}

#[tokio::test(start_paused = true)]
async fn the_parameter_rules() {
    const GOOD: &str = "amount=500&currency=usd";
    const CARD: &str = "confirm=true&payment_method=pm_card_visa";
    const LINK: &str = "automatic_payment_methods[enabled]=true";
    let pairs = |form: &str| -> Vec<(String, String)> {
        let more = form.strip_prefix("+").map(|more| format!("{GOOD}&{more}"));
        let form = more.unwrap_or_else(|| form.to_owned());
        url::form_urlencoded::parse(form.as_bytes())
            .into_owned()
            .collect()
    };
    let send = async |sandbox: &Sandbox, form: &str| {
        let pairs = pairs(form);
        let pairs: Vec<_> = pairs
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        post(sandbox, PATH, Some("k"), &pairs).await
    };
    let both = format!("+{CARD}&{LINK}");
    let kinds = format!("+allowed_payment_method_types[]=card&{LINK}");
    let unexpected = "payment_intent_unexpected_state";
    let gone = "payment_method_types_no_longer_supported";
    for (form, code, param) in [
        ("currency=usd", "parameter_missing", "amount"),
        ("amount=500", "parameter_missing", "currency"),
        ("amount=49&currency=usd", "amount_too_small", "amount"),
        (
            "amount=4.5&currency=usd",
            "parameter_invalid_integer",
            "amount",
        ),
        ("amount=500&currency=gold", "", "currency"),
        ("+color=red", "parameter_unknown", "color"),
        (
            "+payment_methods=pm_card_visa",
            "parameter_unknown",
            "payment_methods",
        ),
        ("+return_url=https://x.test", "", "return_url"),
        ("+off_session=true", "", "off_session"),
        (
            "+error_on_requires_action=true",
            "",
            "error_on_requires_action",
        ),
        ("+confirm=true", unexpected, ""),
        (&format!("+{CARD}"), "", ""),
        (&both, "", ""),
        (&kinds, "", "automatic_payment_methods"),
        ("+customer=cus_none", "resource_missing", "customer"),
        (
            "+payment_method=pm_none",
            "resource_missing",
            "payment_method",
        ),
        ("+payment_method=pm_1BethVisa4242", "", "payment_method"),
        ("+payment_method_types[]=card", gone, "payment_method_types"),
        // Known to Stripe: without its effect, the request must not succeed here.
        ("+application_fee_amount=1", "", "application_fee_amount"),
        (
            "+allowed_payment_method_types[]=klarna",
            "",
            "allowed_payment_method_types",
        ),
        (
            "+statement_descriptor=DEWY RESORT",
            "",
            "statement_descriptor",
        ),
        (
            "+statement_descriptor_suffix=0042",
            "",
            "statement_descriptor_suffix",
        ),
        (
            "+statement_descriptor_suffix=A LONG STAY IN 302",
            "",
            "statement_descriptor_suffix",
        ),
        ("+receipt_email=nobody", "email_invalid", "receipt_email"),
        ("+expand[]=everything", "", "expand"),
    ] {
        let sandbox = sandbox();
        let (response, answer) = send(&sandbox, form).await;
        let error = |name: &str| answer["error"][name].as_str().unwrap_or_default();
        let found = (
            response.status,
            error("type"),
            error("code"),
            error("param"),
        );
        let expected = (400, "invalid_request_error", code, param);
        assert_eq!(found, expected, "{form}: {answer}");
        assert_eq!(crate::sandbox_client::intents(&sandbox), 0, "{form}");
    }
    for name in [
        "automatic_payment_methods[on]",
        "automatic_payment_methods[enable]",
    ] {
        let (response, answer) = send(&sandbox(), &format!("+{name}=true")).await;
        assert_error(&response, 400, "parameter_unknown");
        assert_eq!(answer["error"]["param"], name);
    }
    for more in [
        format!("{LINK}&automatic_payment_methods[allow_redirects]=never"),
        format!("{LINK}&return_url=https://x.test"),
        "allowed_payment_method_types[]=card".to_owned(),
    ] {
        let (_, intent) = send(&sandbox(), &format!("+{CARD}&{more}")).await;
        assert_eq!(intent["status"], "succeeded", "{more} {intent}");
    }
}

#[tokio::test(start_paused = true)]
async fn each_declining_card_has_its_decline_code() {
    for (card, code, decline) in [
        ("visa_chargeDeclined", "card_declined", "generic_decline"),
        ("chargeDeclined", "card_declined", "generic_decline"),
        (
            "visa_chargeDeclinedInsufficientFunds",
            "card_declined",
            "insufficient_funds",
        ),
        (
            "chargeDeclinedInsufficientFunds",
            "card_declined",
            "insufficient_funds",
        ),
        ("visa_chargeDeclinedLostCard", "card_declined", "lost_card"),
        (
            "visa_chargeDeclinedStolenCard",
            "card_declined",
            "stolen_card",
        ),
        ("chargeDeclinedExpiredCard", "expired_card", "expired_card"),
        (
            "chargeDeclinedIncorrectCvc",
            "incorrect_cvc",
            "incorrect_cvc",
        ),
        (
            "chargeDeclinedProcessingError",
            "processing_error",
            "processing_error",
        ),
        ("chargeCustomerFail", "card_declined", "generic_decline"),
    ] {
        let sandbox = sandbox();
        let mut pairs = payment("");
        let card = format!("pm_card_{card}");
        pairs[2].1 = &card;
        let (response, answer) = post(&sandbox, PATH, None, &pairs).await;
        let error = &answer["error"];
        let found = [&error["type"], &error["code"], &error["decline_code"]];
        assert_eq!(
            (response.status, found),
            (
                402,
                ["card_error", code, decline].map(Value::from).each_ref()
            ),
            "{card}"
        );
        let intent = &error["payment_intent"];
        assert_fields(intent, json!({ "status": "requires_payment_method" }));
        assert_eq!(intent["last_payment_error"]["code"], code);
        assert_eq!(intent["metadata"]["booking"], "BK-0042");
        assert!(error["charge"].as_str().unwrap().starts_with("ch_"));
        // Another card, the same intent.
        let path = format!("{PATH}/{}/confirm", id_of(intent));
        let other = [("payment_method", "pm_card_mastercard")];
        let (_, paid) = post(&sandbox, &path, None, &other).await;
        assert_fields(
            &paid,
            json!({ "status": "succeeded", "last_payment_error": null }),
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
    let path = format!("{PATH}/{}", id_of(&intent));
    let (_, paid) = post(&sandbox, &format!("{path}/confirm"), None, &[]).await;
    assert_eq!(paid["status"], "succeeded");
    for verb in ["confirm", "cancel"] {
        let (response, answer) = post(&sandbox, &format!("{path}/{verb}"), None, &[]).await;
        assert_error(&response, 400, "payment_intent_unexpected_state");
        assert_eq!(answer["error"]["payment_intent"]["status"], "succeeded");
    }
    let (_, other) = post(
        &sandbox,
        PATH,
        None,
        &[("amount", "500"), ("currency", "usd")],
    )
    .await;
    let path = format!("{PATH}/{}/cancel", id_of(&other));
    let (_, canceled) = post(
        &sandbox,
        &path,
        None,
        &[("cancellation_reason", "abandoned")],
    )
    .await;
    assert_fields(
        &canceled,
        json!({ "status": "canceled", "cancellation_reason": "abandoned" }),
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
        let id = id_of(&intent);
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
        assert_fields(&after, json!({ "status": status, "next_action": null }));
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
        assert_error(&response, 402, "authentication_required");
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
        items(&list["data"])
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
        &[("starting_after", id_of(&page["data"][9]))],
    )
    .await;
    assert_eq!(
        (amounts(&next), &next["has_more"]),
        (vec![101, 100], &json!(false))
    );
    let (_, before) = get(
        &sandbox,
        PATH,
        &[("ending_before", id_of(&page["data"][3])), ("limit", "2")],
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
    let path = format!("/v1/customers/{}", id_of(&customer));
    let (_, changed) = post(
        &sandbox,
        &path,
        None,
        &[("phone", "+15550100"), ("metadata[gone]", "")],
    )
    .await;
    assert_fields(
        &changed,
        json!({ "phone": "+15550100", "metadata": {"contact": "003"} }),
    );
    let id = id_of(&customer);
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
        ("payment_method", id_of(&fails_later)),
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
        items(&list["data"]).len()
    };
    let lower = [("email", "olivia.o\"neil@example.com")];
    let query = [("query", "email:\"olivia.o\\\"neil@example.com\"")];
    assert_eq!(found("/v1/customers", &[("email", written)]).await, 1);
    assert_eq!(found("/v1/customers", &lower).await, 0);
    assert_eq!(found("/v1/customers/search", &query).await, 0, "not yet");
    crate::sandbox_client::pass(1).await;
    assert_eq!(found("/v1/customers/search", &query).await, 1);
    let id = id_of(&made);
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
    let (_, intent) = pay(&sandbox, None, "pm_card_visa").await;
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
    let receipt = text_of(&sandbox.state()["stripe"]["charges"][0]["receipt_url"]);
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
