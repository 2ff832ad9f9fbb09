//! Every Twilio row of ADR 4's response table, and the bytes that are sent.

use dewy_connectors::{TextSender, Twilio, TwilioConfig};
use dewy_domain::{
    ports::{SentText, TextMessages},
    upstream_request::System,
};

use crate::{
    canned_transport::with_header,
    prelude::*,
    replies::{broken, try_later},
};

const ACCOUNT: &str = "AC00000000000000000000000000000001";
const HOUR: Duration = Duration::from_hours(1);
const ACCEPTED: &str = r#"{"sid":"SM1","status":"queued","body":"Hi","to":"+12125550101","date_created":"Sat, 21 Nov 2026 13:27:22 +0000","date_sent":null,"error_code":null}"#;

fn twilio(canned: Arc<Canned>) -> Twilio {
    let config = TwilioConfig::new(ACCOUNT, "h1dden".to_owned().into(), "+12125550190");
    Twilio::new(config, canned, Arc::new(TestClock::new()))
}

async fn send(response: Response) -> Outcome<SentText> {
    let texts = twilio(Canned::new([response]));
    let call = texts.text("+12125550101", "Hi", HOUR);
    texts.send_text(&call).await
}

fn error(code: u32) -> String {
    format!(
        r#"{{"code":{code},"message":"Invalid 'To' Phone Number: +12125550101","more_info":"…","status":400}}"#
    )
}

#[tokio::test]
async fn a_message_is_encoded_as_documented() {
    let canned = Canned::new([status(201, ACCEPTED)]);
    let texts = twilio(canned.clone());
    let words = "Room 302 & more: 100 % ready 🛎 [d3f]";
    let call = texts.text("+12125550101", words, HOUR);
    assert_eq!(
        (call.system, call.operation.as_str(), call.method.as_str()),
        (System::Twilio, "message_create", "POST")
    );
    assert_eq!(
        call.path,
        format!("/2010-04-01/Accounts/{ACCOUNT}/Messages.json")
    );
    assert_eq!(
        call.headers,
        [(
            "content-type".to_owned(),
            "application/x-www-form-urlencoded".to_owned()
        )]
    );
    assert_eq!(
        call.body,
        "To=%2B12125550101&From=%2B12125550190&Body=Room%20302%20%26%20more%3A%20100%20%25%20ready%20%F0%9F%9B%8E%20%5Bd3f%5D&ValidityPeriod=3600"
    );
    assert_eq!(call.idempotency_key, None);
    let journaled = serde_json::to_string(&call).unwrap();
    assert!(
        !journaled.contains("h1dden") && !journaled.to_lowercase().contains("basic"),
        "{journaled}"
    );
    assert_eq!(arm(&texts.send_text(&call).await), "done");
    let seen = canned.seen();
    assert_eq!(
        seen[0].url,
        format!("https://api.twilio.com/2010-04-01/Accounts/{ACCOUNT}/Messages.json")
    );
    // printf 'AC00000000000000000000000000000001:h1dden' | base64
    assert_eq!(
        seen[0].header("authorization"),
        Some("Basic QUMwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMTpoMWRkZW4=")
    );
    assert!(
        !format!("{texts:?}").contains("h1dden"),
        "a secret is never printed"
    );
}

#[tokio::test]
async fn a_service_a_key_and_a_callback_are_sent_as_documented() {
    let canned = Canned::new([status(201, ACCEPTED), status(200, r#"{"sid":"MG1"}"#)]);
    let mut config = TwilioConfig::new(ACCOUNT, "h1dden".to_owned().into(), "");
    config.sender = TextSender::Service("MG1".to_owned());
    config.user = "SK1".to_owned();
    config.status_callback = Some("https://hotel.example/webhooks/twilio".to_owned());
    let texts = Twilio::new(config, canned.clone(), Arc::new(TestClock::new()));
    let day = texts.text("+12125550101", "Hi", HOUR * 24);
    assert_eq!(
        day.body,
        "To=%2B12125550101&MessagingServiceSid=MG1&Body=Hi&StatusCallback=https%3A%2F%2Fhotel.example%2Fwebhooks%2Ftwilio&ValidityPeriod=36000"
    );
    assert_eq!(arm(&texts.send_text(&day).await), "done");
    assert_eq!(texts.has_sender().await, Outcome::Done(Some(true)));
    let seen = canned.seen();
    assert_eq!(
        (seen[0].method.as_str(), seen[0].url.as_str()),
        (
            "POST",
            &*format!("https://api.twilio.com/2010-04-01/Accounts/{ACCOUNT}/Messages.json")
        )
    );
    // printf 'SK1:h1dden' | base64
    assert_eq!(
        seen[0].header("authorization"),
        Some("Basic U0sxOmgxZGRlbg==")
    );
    assert_eq!(seen[1].url, "https://messaging.twilio.com/v1/Services/MG1");
}

#[tokio::test(start_paused = true)]
async fn outcomes_of_message_responses() {
    for (error, expected) in broken() {
        assert_eq!(arm(&send(Err(error)).await), expected);
    }
    let undated = r#"{"sid":"SM1","status":"queued","date_created":"soon"}"#;
    for (code, body, expected) in [
        (201, ACCEPTED, "done"),
        (201, &ACCEPTED[..40], "unknown garbage"),
        (201, undated, "unknown garbage"),
        (429, "", "try_later twilio_20429"),
        (401, "<html>", "unknown garbage"),
        (400, "<html>", "unknown garbage"),
        (503, "<html>", "unknown http_503"),
        (302, "", "unknown garbage"),
    ] {
        assert_eq!(
            arm(&send(status(code, body)).await),
            expected,
            "{code} {body}"
        );
    }
    for (code, number, expected) in [
        (400, 21211, "refused twilio_21211"),
        (400, 21610, "refused twilio_21610"),
        (400, 21614, "refused twilio_21614"),
        (429, 21611, "try_later twilio_20429"),
        (400, 21659, "try_later twilio_21659"),
        (400, 21408, "refused twilio_21408"),
        (404, 20404, "refused twilio_20404"),
        (429, 20429, "try_later twilio_20429"),
        (401, 20003, "try_later unauthorized"),
        (500, 20500, "unknown http_500"),
    ] {
        let reply = send(status(code, &error(number))).await;
        assert_eq!(arm(&reply), expected, "{code} {number}");
    }
}

#[tokio::test]
async fn accepted_messages_have_a_sid_and_refusals_hide_the_number() {
    let sent = done(send(status(201, ACCEPTED)).await);
    let expected = SentText {
        sid: "SM1".into(),
        status: "queued".into(),
        body: "Hi".into(),
        error_code: None,
        at: example_check_out::at("2026-11-21T13:27:22Z"),
    };
    assert_eq!(sent, expected);
    let refusal = refused(send(status(400, &error(21211))).await);
    assert!(
        !format!("{refusal:?}").contains("2125550101"),
        "{refusal:?}"
    );
    let error = try_later(send(with_header(status(429, &error(20429)), "retry-after", "7")).await);
    assert_eq!(error.retry_after_ms, Some(7000));
}

#[tokio::test]
async fn a_list_is_read_to_its_end_and_follows_only_own_urls() {
    let page = |sid: &str, at: &str, next: &str| {
        let next = if next.is_empty() {
            "null".to_owned()
        } else {
            format!("\"{next}\"")
        };
        status(
            200,
            &format!(
                r#"{{"messages":[{{"sid":"{sid}","status":"sent","body":null,"date_created":"Sat, 21 Nov 2026 {at} +0000"}}],"next_page_uri":{next}}}"#
            ),
        )
    };
    let path =
        |token: u8| format!("/2010-04-01/Accounts/{ACCOUNT}/Messages.json?To=x&Page={token}");
    let since = example_check_out::at("2026-11-21T13:00:00.9Z");
    let list = async |answers: Vec<Response>| {
        let canned = Canned::new(answers);
        (
            twilio(canned.clone())
                .texts_since("+12125550101", since)
                .await,
            canned.seen(),
        )
    };
    let (reply, seen) = list(vec![
        page("SM1", "13:00:00", &path(1)),
        page("SM2", "14:00:00", &path(2)),
        page("SM3", "12:59:59", ""),
    ])
    .await;
    let sent = done(reply);
    assert_eq!(
        sent.iter().map(|s| s.sid.as_str()).collect::<Vec<_>>(),
        ["SM2", "SM1"],
        "newest first, to the second"
    );
    assert_eq!(
        seen[0].url.split_once('?').unwrap().1,
        "To=%2B12125550101&PageSize=1000"
    );
    assert!(
        seen[2].url.ends_with("&Page=2") && seen[2].url.starts_with("https://api.twilio.com/"),
        "{}",
        seen[2].url
    );

    for elsewhere in [
        "https://evil.example/x",
        "/2010-04-01/Accounts/AC2/Messages.json?Page=1",
        "//evil.example/?",
    ] {
        let (reply, seen) = list(vec![page("SM1", "14:00:00", elsewhere)]).await;
        assert_eq!(
            (arm(&reply).as_str(), seen.len()),
            ("unknown garbage", 1),
            "{elsewhere}"
        );
    }
    let (reply, _) = list(vec![
        page("SM1", "14:00:00", &path(1)),
        page("SM2", "14:00:00", &path(1)),
    ])
    .await;
    assert_eq!(arm(&reply), "unknown garbage", "in a circle");
    let circle = [0, 1].repeat(150).into_iter();
    let circle = circle.map(|n| page("SM1", "14:00:00", &path(n)));
    let (reply, seen) = list(circle.collect()).await;
    assert_eq!(
        (arm(&reply).as_str(), seen.len()),
        ("unknown garbage", 100),
        "in a larger one"
    );
    let (reply, _) = list(vec![
        page("SM1", "14:00:00", &path(1)),
        Err(TransportError::Timeout),
    ])
    .await;
    assert_eq!(arm(&reply), "unknown timeout", "half a list is none");
}
