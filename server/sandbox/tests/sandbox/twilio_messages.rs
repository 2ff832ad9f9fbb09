//! Twilio: messages accepted, delivered, listed, rejected.

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::{
    prelude::*,
    sandbox_client::{MINUTE, json as body},
};

const ACCOUNT: &str = "AC00000000000000000000000000000001";
const FROM: &str = "+12125550190";
const OTHER_SERVICE: &str = "MG00000000000000000000000000000002";

fn twilio(method: &str, path: &str, user: &str, pairs: &[(&str, &str)]) -> HttpRequest {
    let form = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs)
        .finish();
    let headers = vec![(
        "authorization".to_owned(),
        format!("Basic {}", STANDARD.encode(format!("{user}:token"))),
    )];
    let url = format!("https://api.twilio.test/2010-04-01/Accounts/{ACCOUNT}/{path}");
    let (url, body) = if method == "GET" && !form.is_empty() {
        (format!("{url}?{form}"), Vec::new())
    } else {
        (url, form.into_bytes())
    };
    HttpRequest {
        method: method.to_owned(),
        url,
        headers,
        body,
    }
}

async fn text(sandbox: &Sandbox, to: &str, words: &str) -> (HttpResponse, Value) {
    let pairs = [("To", to), ("From", FROM), ("Body", words)];
    let response = send(sandbox, twilio("POST", "Messages.json", ACCOUNT, &pairs))
        .await
        .unwrap();
    let answer = body(&response);
    (response, answer)
}

async fn get(sandbox: &Sandbox, path: &str, pairs: &[(&str, &str)]) -> (u16, Value) {
    let response = send(sandbox, twilio("GET", path, ACCOUNT, pairs))
        .await
        .unwrap();
    (response.status, body(&response))
}

#[tokio::test(start_paused = true)]
async fn a_message_is_queued_first_and_delivered_later() {
    let sandbox = sandbox();
    let (response, message) = text(&sandbox, "+12125550101", "Welcome, Beth & Co +1 🛎").await;
    assert_eq!(
        (response.status, &message["status"]),
        (201, &json!("queued"))
    );
    let sid = message["sid"].as_str().unwrap();
    assert!(
        sid.len() == 34 && sid.starts_with("SM") && sid[2..].bytes().all(|b| b.is_ascii_hexdigit()),
        "{sid}"
    );
    assert_eq!(message["body"], "Welcome, Beth & Co +1 🛎");
    assert_eq!(message["date_created"], "Tue, 10 Mar 2026 12:00:00 +0000");
    assert_fields(&message, json!({ "date_sent": null, "error_code": null }));
    let call = last(&sandbox);
    assert_eq!(
        (call.system, call.operation.as_str(), call.effect.as_str()),
        (System::Twilio, "message_create", "applied")
    );
    let path = format!("Messages/{sid}.json");
    for (seconds, status) in [
        (1, "sent"),
        (1, "sent"),
        (1, "delivered"),
        (600, "delivered"),
    ] {
        pass(seconds).await;
        assert_eq!(get(&sandbox, &path, &[]).await.1["status"], status);
    }
    assert_eq!(last(&sandbox).operation, "message_list");
    assert_eq!(
        get(&sandbox, &path, &[]).await.1["date_sent"],
        "Tue, 10 Mar 2026 12:00:01 +0000"
    );
    assert_eq!(
        sandbox.state()["twilio"]["messages"][0]["status"],
        "delivered"
    );
    assert_eq!(
        get(
            &sandbox,
            "Messages/SM00000000000000000000000000000000.json",
            &[]
        )
        .await
        .1["code"],
        20404
    );
}

#[tokio::test(start_paused = true)]
async fn the_same_request_twice_is_two_messages() {
    let sandbox = sandbox();
    let (one, other) = (
        text(&sandbox, "+12125550101", "Hi").await.1,
        text(&sandbox, "+12125550101", "Hi").await.1,
    );
    assert_ne!(one["sid"], other["sid"]);
    assert_eq!(items(&sandbox.state()["twilio"]["messages"]).len(), 2);
}

#[tokio::test(start_paused = true)]
async fn refused_messages_are_not_stored() {
    let sandbox = sandbox();
    let long = "x".repeat(1601);
    let callback = "https://my_hotel.example/w";
    for (code, name, value) in [
        (21604, "To", None),
        (21603, "From", None),
        (21602, "Body", None),
        (21602, "Body", Some("")),
        (21211, "To", Some("2125550101")),
        (21211, "To", Some("+0550100001")),
        // No such area code
        (21211, "To", Some("+15550100001")),
        (21211, "To", Some("+15005550001")),
        (21408, "To", Some("+15005550003")),
        (21610, "To", Some("+12125550000")),
        (21614, "To", Some("+15005550009")),
        (21612, "To", Some("+15005550002")),
        (21212, "From", Some("Dewy")),
        (21659, "From", Some("+12125550102")),
        (21606, "From", Some("+15005550007")),
        (21611, "From", Some("+15005550008")),
        (21701, "MessagingServiceSid", Some(OTHER_SERVICE)),
        (21705, "MessagingServiceSid", Some("MG1")),
        (21609, "StatusCallback", Some("hotel.example/w")),
        (21609, "StatusCallback", Some(callback)),
        (20001, "ValidityPeriod", Some("36001")),
        // Unknown, and not simulated
        (20001, "StatusCallBack", Some("https://hotel.example/w")),
        (20001, "SendAt", Some("2026-03-11T12:00:00Z")),
        (21617, "Body", Some(&long)),
    ] {
        let mut pairs = vec![("To", "+12125550101"), ("From", FROM), ("Body", "Hi")];
        let replaced = name.replace("MessagingServiceSid", "From");
        pairs.retain(|(pair, _)| *pair != replaced);
        pairs.extend(value.map(|value| (name, value)));
        let response = send(&sandbox, twilio("POST", "Messages.json", ACCOUNT, &pairs))
            .await
            .unwrap();
        let answer = body(&response);
        // Recorded from Twilio's test numbers: a full queue is the only one that is not the request's
        // fault
        let status = if code == 21611 { 429 } else { 400 };
        assert_eq!(
            (response.status, &answer["code"], &answer["status"]),
            (status, &json!(code), &json!(status)),
            "{answer}"
        );
        assert_eq!(
            answer["more_info"],
            format!("https://www.twilio.com/docs/errors/{code}")
        );
        assert_eq!(last(&sandbox).effect, "none");
    }
    assert_eq!(sandbox.state()["twilio"], json!({ "messages": [] }));
}

#[tokio::test(start_paused = true)]
async fn only_the_account_and_its_keys_are_authorized() {
    let sandbox = sandbox();
    let key = "SK00000000000000000000000000000001";
    for (user, status) in [
        (ACCOUNT, 200),
        (key, 200),
        ("AC00000000000000000000000000000002", 401),
        ("AC1", 401),
        ("", 401),
    ] {
        let response = send(&sandbox, twilio("GET", "Messages.json", user, &[]))
            .await
            .unwrap();
        assert_eq!(response.status, status, "{user}");
        assert!(status == 200 || body(&response)["code"] == 20003);
    }
    let mut naked = twilio("GET", "Messages.json", ACCOUNT, &[]);
    naked.headers.clear();
    assert_eq!(send(&sandbox, naked).await.unwrap().status, 401);
    assert_eq!(get(&sandbox, "Calls.json", &[]).await.1["code"], 20404);
    assert_eq!(
        send(&sandbox, twilio("DELETE", "Messages.json", ACCOUNT, &[]))
            .await
            .unwrap()
            .status,
        405
    );
}

#[tokio::test(start_paused = true)]
async fn lists_are_newest_first_paged_and_filtered_by_day() {
    let sandbox = sandbox();
    for n in 0..5 {
        text(&sandbox, "+12125550101", &format!("m{n}")).await;
        pass(10).await;
    }
    text(&sandbox, "+12125550102", "another's").await;
    let words = |answer: &Value| -> Vec<String> {
        items(&answer["messages"])
            .iter()
            .map(|m| text_of(&m["body"]))
            .collect()
    };
    let mut pages = Vec::new();
    let mut url = format!(
        "https://api.twilio.test/2010-04-01/Accounts/{ACCOUNT}/Messages.json?To=%2B12125550101&PageSize=2"
    );
    loop {
        let mut request = twilio("GET", "", ACCOUNT, &[]);
        request.url = url;
        let answer = body(&send(&sandbox, request).await.unwrap());
        pages.push(words(&answer));
        match answer["next_page_uri"].as_str() {
            Some(next) => url = format!("https://api.twilio.test{next}"),
            None => break,
        }
    }
    assert_eq!(pages, [vec!["m4", "m3"], vec!["m2", "m1"], vec!["m0"]]);
    // The newest is still queued: it has no sent date yet.
    let (_, all) = get(&sandbox, "Messages.json", &[]).await;
    assert_eq!(words(&all).len(), 6);
    let (_, today) = get(&sandbox, "Messages.json", &[("DateSent>", "2026-03-10")]).await;
    assert_eq!(words(&today), ["m4", "m3", "m2", "m1", "m0"]);
    pass(1).await;
    assert_eq!(
        words(
            &get(&sandbox, "Messages.json", &[("DateSent", "2026-03-10")])
                .await
                .1
        )
        .len(),
        6
    );
    assert_eq!(
        words(
            &get(&sandbox, "Messages.json", &[("DateSent>", "2026-03-11")])
                .await
                .1
        )
        .len(),
        0
    );
    assert_eq!(
        words(
            &get(&sandbox, "Messages.json", &[("DateSent<", "2026-03-09")])
                .await
                .1
        )
        .len(),
        0
    );
    // Twilio's own clients send timestamps: m0 was sent at 12:00:01, m1 at 12:00:11.
    for (name, moment, count) in [
        ("DateSent>", "2026-03-10T12:00:11Z", 5),
        ("DateSent<", "2026-03-10T12:00:11Z", 2),
        ("DateSent", "2026-03-10T12:00:11Z", 1),
        ("DateSent", "2026-03-10T12:00:12Z", 0),
    ] {
        let (_, found) = get(&sandbox, "Messages.json", &[(name, moment)]).await;
        assert_eq!(words(&found).len(), count, "{name}={moment}");
    }
    assert_eq!(
        get(&sandbox, "Messages.json", &[("DateSent", "yesterday")])
            .await
            .1["code"],
        20001
    );
    assert_eq!(
        get(&sandbox, "Messages.json", &[("PageToken", "PASMnone")])
            .await
            .0,
        400
    );
    // As in the documentation, with the operator in the name.
    let mut request = twilio("GET", "", ACCOUNT, &[]);
    request.url = format!(
        "https://api.twilio.test/2010-04-01/Accounts/{ACCOUNT}/Messages.json?DateSent>=2026-03-11"
    );
    assert_eq!(
        words(&body(&send(&sandbox, request).await.unwrap())).len(),
        0
    );
}

#[tokio::test(start_paused = true)]
async fn some_numbers_are_never_reached() {
    let sandbox = sandbox();
    let (_, message) = text(&sandbox, "+12125559999", "Hi").await;
    pass(3).await;
    let (_, message) = get(
        &sandbox,
        &format!("Messages/{}.json", message["sid"].as_str().unwrap()),
        &[],
    )
    .await;
    assert_fields(
        &message,
        json!({ "status": "undelivered", "error_code": 30003 }),
    );
}

#[tokio::test(start_paused = true)]
async fn faults_latency_and_reset() {
    let sandbox = sandbox();
    let create = |kind| Fault::new(System::Twilio, "message_create", kind);
    sandbox.add_fault(create(FaultKind::Status).status(429));
    let (response, answer) = text(&sandbox, "+12125550101", "a").await;
    assert_eq!((response.status, &answer["code"]), (429, &json!(20429)));
    sandbox.add_fault(create(FaultKind::ResetAfterEffect));
    let pairs = [("To", "+12125550101"), ("From", FROM), ("Body", "b")];
    assert!(
        send(&sandbox, twilio("POST", "Messages.json", ACCOUNT, &pairs))
            .await
            .is_err()
    );
    assert_eq!(last(&sandbox).effect, "applied");
    sandbox.add_fault(create(FaultKind::LateEffect));
    assert!(
        send(&sandbox, twilio("POST", "Messages.json", ACCOUNT, &pairs))
            .await
            .is_err()
    );
    let count = || items(&sandbox.state()["twilio"]["messages"]).len();
    assert_eq!(count(), 1);
    tokio::time::sleep(MINUTE).await;
    assert_eq!(count(), 2);
    assert_eq!(last(&sandbox).effect, "late");

    sandbox.set_latency(Latency::reference());
    let began = tokio::time::Instant::now();
    let (_, before) = text(&sandbox, "+12125550101", "c").await;
    assert_eq!(began.elapsed().as_millis(), 500);
    sandbox.set_latency(Latency::none());
    sandbox.reset(1);
    assert_eq!(count(), 0);
    assert_ne!(
        text(&sandbox, "+12125550101", "c").await.1["sid"],
        before["sid"],
        "a sid is given once"
    );
}
