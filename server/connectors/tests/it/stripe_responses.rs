//! Every Stripe row of ADR 4's response table, and the shapes behind them.

use dewy_domain::payment::{Listing, Payment, PaymentStatus, RefundStatus};

use crate::{
    canned_transport::{stripe, with_header},
    prelude::*,
    replies::broken,
    wire_responses,
};

async fn pay(response: Response) -> Outcome<Payment> {
    let payments = stripe(Canned::new([response]));
    let call = payments.pay(&example_check_out::pay());
    payments.send_pay(&call).await
}

#[tokio::test(start_paused = true)]
async fn outcomes_of_payment_responses() {
    for (error, expected) in broken() {
        assert_eq!(arm(&pay(Err(error)).await), expected);
    }
    for (code, body, expected) in [
        (200, wire_responses::PAYMENT, "done"),
        (200, &wire_responses::PAYMENT[..200], "unknown garbage"),
        (402, wire_responses::DECLINE, "refused card_declined"),
        (402, "<html>", "unknown garbage"),
        (409, "{}", "unknown conflict"),
        (429, "", "try_later rate_limit"),
        (503, "<html>", "unknown http_503"),
        (403, "blocked by a proxy", "unknown garbage"),
        (302, "", "unknown garbage"),
    ] {
        assert_eq!(
            arm(&pay(status(code, body)).await),
            expected,
            "{code} {body}"
        );
    }
    let invalid = "invalid_request_error";
    for (code, kind, error, expected) in [
        (
            409,
            "idempotency_error",
            "idempotency_key_in_use",
            "unknown idempotency_key_in_use",
        ),
        (400, "idempotency_error", "", "refused idempotency_error"),
        (429, invalid, "rate_limit", "try_later rate_limit"),
        (429, invalid, "lock_timeout", "try_later lock_timeout"),
        (500, "api_error", "", "unknown http_500"),
        (
            400,
            invalid,
            "parameter_unknown",
            "refused parameter_unknown",
        ),
        (401, invalid, "", "try_later stripe_key_refused"),
        (
            401,
            invalid,
            "api_key_expired",
            "try_later stripe_key_refused",
        ),
        (
            403,
            invalid,
            "more_permissions_required",
            "try_later stripe_permission_missing",
        ),
    ] {
        let body = wire_responses::error(kind, Some(error).filter(|error| !error.is_empty()));
        let reply = pay(status(code, &body)).await;
        assert_eq!(arm(&reply), expected, "{code} {kind} {error}");
    }
    // Told again, because of the key
    let api_error = wire_responses::error("api_error", None);
    for (code, body, expected) in [
        (200, wire_responses::PAYMENT, "done"),
        (402, wire_responses::DECLINE, "refused card_declined"),
        (500, &api_error, "unknown sticky_500"),
    ] {
        let reply = pay(with_header(
            status(code, body),
            "idempotent-replayed",
            "true",
        ))
        .await;
        assert_eq!(arm(&reply), expected, "{code}, replayed");
    }
}

#[tokio::test]
async fn a_payment_is_read_with_its_charge() {
    let payment = done(pay(status(200, wire_responses::PAYMENT)).await);
    assert_eq!(
        (payment.id.as_str(), payment.status, payment.amount),
        ("pi_1", PaymentStatus::Succeeded, Cents(25_010))
    );
    assert_eq!(
        (payment.received, payment.refunded),
        (Cents(25_010), Cents(10))
    );
    assert_eq!(
        (payment.charge_id.as_deref(), payment.last4.as_deref()),
        (Some("ch_1"), Some("4242"))
    );
    assert_eq!(
        payment.receipt_url.as_deref(),
        Some("https://pay.stripe.com/receipts/1")
    );
    assert_eq!(payment.metadata["execution_id"], "exe_1");
    assert_eq!(
        payment.created,
        Timestamp::from_second(1_773_144_000).unwrap()
    );
}

#[tokio::test]
async fn bank_authentication_returns_a_link() {
    let action = r#""next_action":{"type":"redirect_to_url","redirect_to_url":{"url":"https://bank","return_url":"https://us"}}"#;
    let body = wire_responses::PAYMENT
        .replace(r#""next_action":null"#, action)
        .replace(r#""status":"succeeded"}"#, r#""status":"requires_action"}"#);
    let payment = done(pay(status(200, &body)).await);
    assert_eq!(
        (payment.status, payment.next_action_url.as_deref()),
        (PaymentStatus::RequiresAction, Some("https://bank"))
    );
    let newer =
        wire_responses::PAYMENT.replace(r#""status":"succeeded"}"#, r#""status":"pondering"}"#);
    assert!(
        matches!(pay(status(200, &newer)).await, Outcome::Done(p) if p.status == PaymentStatus::Other("pondering".to_owned()))
    );
}

#[tokio::test]
async fn a_decline_keeps_the_payments_id_and_the_reason() {
    let response = with_header(status(402, wire_responses::DECLINE), "request-id", "req_1");
    let error = refused(pay(response).await);
    for (name, value) in [
        ("payment_intent", "pi_9"),
        ("decline_code", "insufficient_funds"),
        ("charge", "ch_9"),
        ("code", "card_declined"),
        ("request_id", "req_1"),
    ] {
        assert_eq!(error.details[name], value, "{name}");
    }
}

#[tokio::test]
async fn echoed_input_is_not_repeated() {
    let body = r#"{"error":{"type":"invalid_request_error","code":"email_invalid","message":"Invalid email address: beth@x","param":"email"}}"#;
    let error = refused(pay(status(400, body)).await);
    assert!(!format!("{error:?}").contains("beth"), "{error:?}");
    assert_eq!(error.details["param"], "email");
}

#[tokio::test]
async fn retry_after_is_passed_on() {
    let response = with_header(
        status(
            429,
            &wire_responses::error("invalid_request_error", Some("lock_timeout")),
        ),
        "retry-after",
        "7",
    );
    assert!(matches!(pay(response).await, Outcome::TryLater(t) if t.retry_after_ms == Some(7000)));
}

#[tokio::test]
async fn a_late_cancel_returns_the_payment() {
    let cancel = async |response: Response| {
        let payments = stripe(Canned::new([response]));
        let call = payments.cancel(&"pi_1".parse().unwrap(), "k");
        payments.send_cancel(&call).await
    };
    let payment = done(cancel(status(400, wire_responses::CANCEL_TOO_LATE)).await);
    assert_eq!(
        (payment.status, payment.received),
        (PaymentStatus::Succeeded, Cents(25_010))
    );
    let bare = wire_responses::error(
        "invalid_request_error",
        Some("payment_intent_unexpected_state"),
    );
    assert_eq!(
        arm(&cancel(status(400, &bare)).await),
        "refused payment_intent_unexpected_state"
    );
}

#[tokio::test]
async fn refund_outcomes_by_status_and_error() {
    let refund = async |response: Response| {
        let payments = stripe(Canned::new([response]));
        let call = payments.refund(&example_check_out::refund());
        payments.send_refund(&call).await
    };
    for (word, expected) in [
        ("pending", RefundStatus::Pending),
        ("succeeded", RefundStatus::Succeeded),
        ("failed", RefundStatus::Failed),
    ] {
        let body = format!(
            r#"{{"id":"re_1","object":"refund","amount":25010,"payment_intent":"pi_1","status":"{word}"}}"#
        );
        let refund = done(refund(status(200, &body)).await);
        assert_eq!(
            (refund.status, refund.amount, refund.payment_intent.as_str()),
            (expected, Cents(25_010), "pi_1")
        );
    }
    let already = wire_responses::error("invalid_request_error", Some("charge_already_refunded"));
    assert_eq!(
        arm(&refund(status(400, &already)).await),
        "refused charge_already_refunded"
    );
    // More than is left: with a code or without, by Stripe's account and version
    for (code, told) in [
        (None, "refused invalid_request_error"),
        (Some("amount_too_large"), "refused amount_too_large"),
    ] {
        let more = wire_responses::error("invalid_request_error", code);
        assert_eq!(arm(&refund(status(400, &more)).await), told);
    }
}

#[tokio::test]
async fn a_request_is_repeated_in_the_version_it_was_journaled_with() {
    let canned = Canned::new([]);
    let payments = stripe(canned.clone());
    let mut call = payments.pay(&example_check_out::pay());
    call.headers[1].1 = "2099-01-01.later".to_owned();
    let _ = payments.send_pay(&call).await;
    // Journaled before versions were.
    call.headers.remove(1);
    let _ = payments.send_pay(&call).await;
    let versions: Vec<Vec<String>> = canned
        .seen()
        .iter()
        .map(|request| {
            let of = |(name, _): &&(String, String)| name == "stripe-version";
            request
                .headers
                .iter()
                .filter(of)
                .map(|(_, v)| v.clone())
                .collect()
        })
        .collect();
    assert_eq!(versions, [["2099-01-01.later"], ["2026-10-28.endive"]]);
}

#[tokio::test]
async fn the_secret_is_sent_only_in_its_header() {
    let canned = Canned::new([
        status(200, wire_responses::PAYMENT),
        status(200, wire_responses::PAYMENT),
    ]);
    let payments = stripe(canned.clone());
    let call = payments.pay(&example_check_out::pay());
    let _ = payments.send_pay(&call).await;
    let _ = payments.payment(&"pi_1".parse().unwrap()).await;
    let [post, get] = canned.seen().try_into().unwrap();
    assert_eq!(post.header("idempotency-key"), Some("exe_1:pay"));
    assert_eq!(post.header("stripe-version"), Some("2026-10-28.endive"));
    assert_eq!(post.header("authorization"), Some("Bearer sk_test_hidden"));
    assert_eq!(
        (get.method.as_str(), get.header("idempotency-key")),
        ("GET", None)
    );
    assert_eq!(
        get.url,
        "https://api.stripe.com/v1/payment_intents/pi_1?expand[]=latest_charge"
    );
    assert!(!format!("{payments:?} {call:?} {post:?}").contains("sk_test_hidden"));
}

#[tokio::test]
async fn lists_are_read_to_their_end_and_customers_of_any_letter_case_are_found() {
    let page = |kind: &str, rows: &[(&str, &str, i64)], next: &str| {
        let data: Vec<String> = rows
            .iter()
            .map(|(id, email, created)| {
                format!(
                    r#"{{"id":"{id}","object":"customer","email":"{email}","created":{created},"invoice_settings":{{"default_payment_method":"pm_{id}"}}}}"#
                )
            })
            .collect();
        let data = data.join(",");
        status(
            200,
            &format!(r#"{{"object":"{kind}","data":[{data}],{next},"url":"/v1/customers"}}"#),
        )
    };
    let (more, end) = (r#""has_more":true"#, r#""has_more":false"#);
    let (own, capitals) = ("a+b@example.com", "A+B@Example.com");
    let canned = Canned::new([
        page("list", &[("cus_3", own, 30), ("cus_2", own, 20)], more),
        page("list", &[("cus_1", own, 15)], end),
        page(
            "search_result",
            &[("cus_4", capitals, 10), ("cus_5", "other@example.com", 1)],
            r#""has_more":true,"next_page":"p2""#,
        ),
        page("search_result", &[("cus_3", own, 30)], end),
    ]);
    let stripe = stripe(canned.clone());
    let customers = done(stripe.customers(&own.into()).await);
    let ids: Vec<&str> = customers.iter().map(|found| found.id.as_str()).collect();
    assert_eq!(
        ids,
        ["cus_4", "cus_1", "cus_2", "cus_3"],
        "oldest first, each once, and nobody else"
    );
    assert_eq!(customers[1].default_card, Some("pm_cus_1".parse().unwrap()));
    let urls: Vec<String> = canned.seen().into_iter().map(|r| r.url).collect();
    let base = "https://api.stripe.com/v1/customers";
    let query = "query=email%3A%22a%2Bb%40example.com%22&limit=100";
    assert_eq!(
        urls,
        [
            format!("{base}?email=a%2Bb%40example.com&limit=100"),
            format!("{base}?email=a%2Bb%40example.com&limit=100&starting_after=cus_2"),
            format!("{base}/search?{query}"),
            format!("{base}/search?{query}&page=p2"),
        ]
    );
    // An account without the search knows those of exactly this spelling.
    let refused = r#"{"error":{"type":"invalid_request_error","message":"not available"}}"#;
    let canned = Canned::new([
        page("list", &[("cus_1", own, 1)], end),
        status(400, refused),
    ]);
    let customers = done(self::stripe(canned).customers(&own.into()).await);
    assert_eq!(customers.len(), 1);

    let since = Timestamp::from_second(1_773_144_000).unwrap();
    let canned = Canned::new([status(
        200,
        r#"{"object":"list","data":[],"has_more":false}"#,
    )]);
    assert_eq!(
        self::stripe(canned.clone())
            .payments_since(Some("cus_1"), since)
            .await,
        Outcome::Done(Listing::default())
    );
    let query = "customer=cus_1&created[gte]=1773144000&expand[]=data.latest_charge&limit=100";
    assert_eq!(
        canned.seen()[0].url,
        format!("https://api.stripe.com/v1/payment_intents?{query}")
    );
}

/// The received amount is never guessed: zero is an amount too.
#[tokio::test]
async fn a_payment_without_a_captured_amount_is_unknown() {
    let without = |body: &str| body.replace(r#""amount_received":25010,"#, "");
    let bare = without(wire_responses::PAYMENT);
    assert_ne!(bare, wire_responses::PAYMENT, "the example has it");
    assert_eq!(arm(&pay(status(200, &bare)).await), "unknown garbage");
    let captured = bare.replace(
        r#""amount_refunded""#,
        r#""amount_captured":25010,"amount_refunded""#,
    );
    let payment = done(pay(status(200, &captured)).await);
    assert_eq!(payment.received, Cents(25_010));
    let open = bare.replace("\"succeeded\"", "\"requires_payment_method\"");
    let payment = done(pay(status(200, &open)).await);
    assert_eq!(payment.received, Cents(0));
}

/// An unreadable row affects only itself, and is reported.
#[tokio::test]
async fn a_list_reports_unreadable_rows() {
    let bare = wire_responses::PAYMENT
        .replace(r#""amount_received":25010,"#, "")
        .replace("pi_1", "pi_2");
    let odd =
        r#"{"id":"pi_3","created":1773144000,"metadata":{"execution_id":"exe_3"},"status":7}"#;
    let rows = [wire_responses::PAYMENT, &bare, odd].join(",");
    let list = status(
        200,
        &format!(r#"{{"object":"list","data":[{rows}],"has_more":false}}"#),
    );
    let since = Timestamp::from_second(1_773_144_000).unwrap();
    let listing = done(
        stripe(Canned::new([list]))
            .payments_since(None, since)
            .await,
    );
    assert_eq!(
        listing
            .items
            .iter()
            .map(|p| p.id.as_str())
            .collect::<Vec<_>>(),
        ["pi_1"]
    );
    let [bare, odd] = &listing.unreadable[..] else {
        panic!("{:?}", listing.unreadable)
    };
    assert_eq!(
        (bare.id.as_str(), bare.why.as_str()),
        ("pi_2", "it has no amount_received")
    );
    assert_eq!((odd.id.as_str(), odd.created), ("pi_3", Some(since)));
    assert_eq!(odd.metadata["execution_id"], "exe_3");
}

#[tokio::test]
async fn a_missing_payment_is_none() {
    let missing = wire_responses::error("invalid_request_error", Some("resource_missing"));
    assert_eq!(
        stripe(Canned::new([status(404, &missing)]))
            .payment(&"pi_0".parse().unwrap())
            .await,
        Outcome::Done(None)
    );
}

#[tokio::test]
async fn a_deleted_customer_has_no_email() {
    let email = async |response: Response| {
        stripe(Canned::new([response]))
            .customer_email("cus_1")
            .await
    };
    let deleted = r#"{"id":"cus_1","object":"customer","deleted":true}"#;
    assert_eq!(email(status(200, deleted)).await, Outcome::Done(None));
    assert_eq!(
        email(status(200, r#"{"id":"cus_1","email":null}"#)).await,
        Outcome::Done(None)
    );
    assert_eq!(
        email(status(200, r#"{"id":"cus_1","email":"A@B.example"}"#)).await,
        Outcome::Done(Some("a@b.example".to_owned()))
    );
    let missing = wire_responses::error("invalid_request_error", Some("resource_missing"));
    assert_eq!(email(status(404, &missing)).await, Outcome::Done(None));
    assert_eq!(
        arm(&email(Err(TransportError::Timeout)).await),
        "unknown timeout"
    );
}
