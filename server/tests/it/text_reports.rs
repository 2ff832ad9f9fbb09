//! What Twilio reports about texts, what it refuses, and who is told.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use dewy_domain::{
    ports::{Health, SystemView},
    text_status::TextStatus,
};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha1::Sha1;

use crate::{fake_dispatcher, prelude::*};

/// The form's signature by the sandbox's token; fields are in the order of their names.
fn signature(url: &str, fields: &[(&str, &str)]) -> String {
    let mut mac = Hmac::<Sha1>::new_from_slice(b"sandbox").unwrap();
    mac.update(url.as_bytes());
    for (name, value) in fields {
        mac.update(format!("{name}{value}").as_bytes());
    }
    STANDARD.encode(mac.finalize().into_bytes())
}

/// Posts as Twilio does: no cookie, no origin.
async fn post(
    hotel: &TestHotel,
    signature: Option<&str>,
    fields: &[(&str, &str)],
) -> (u16, String) {
    let mut request = fake_dispatcher::client()
        .post(hotel.url("/webhooks/twilio"))
        .form(fields);
    if let Some(signature) = signature {
        request = request.header("x-twilio-signature", signature);
    }
    let answer = request.send().await.unwrap();
    (
        answer.status().as_u16(),
        answer.text().await.unwrap().trim().to_owned(),
    )
}

async fn report(hotel: &TestHotel, sid: &str, status: &str, code: &str) -> (u16, String) {
    let fields = [
        ("ErrorCode", code),
        ("MessageSid", sid),
        ("MessageStatus", status),
        ("NewParameter", "\u{1f6ce} &"),
        ("To", "+12125550101"),
    ];
    let signature = signature(&hotel.url("/webhooks/twilio"), &fields);
    post(hotel, Some(&signature), &fields).await
}

async fn twilio(hotel: &TestHotel) -> SystemView {
    let desk = Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Form);
    let systems = hotel.server.system_status.systems(&desk).await;
    systems
        .into_iter()
        .find(|one| one.name == "Twilio")
        .unwrap()
}

#[tokio::test]
async fn reports_are_verified_and_their_order_does_not_matter() {
    let hotel = TestHotel::open().await;
    let answer = |words: &str| (200, words.to_owned());
    for (status, code, words) in [
        ("queued", "", "noted"),
        ("sent", "", "noted"),
        ("sent", "", "nothing new"),
        ("undelivered", "30034", "noted"),
        ("sent", "", "nothing new"),
        ("delivered", "", "nothing new"),
        ("partially_delivered", "", "nothing new"),
    ] {
        let told = report(&hotel, "SM1", status, code).await;
        assert_eq!(told, answer(words), "{status}");
    }
    let known = hotel.server.store.text_status("SM1").await.unwrap();
    assert_eq!(known, Some((TextStatus::Undelivered, Some(30034))));
    // Carriers don't know our sender: a person is told until a text is delivered
    let refused = twilio(&hotel).await;
    assert_eq!(
        (refused.health, refused.alarms[0].code.as_str()),
        (Health::Down, "twilio_30034")
    );
    assert_eq!(
        report(&hotel, "SM2", "delivered", "").await,
        answer("noted")
    );
    assert_eq!(twilio(&hotel).await.alarms, []);

    let fields = [("MessageSid", "SM3"), ("MessageStatus", "failed")];
    let good = signature(&hotel.url("/webhooks/twilio"), &fields);
    let elsewhere = signature("https://hotel.example/webhooks/twilio", &fields);
    for wrong in [None, Some(""), Some("!"), Some(&*elsewhere)] {
        assert_eq!(post(&hotel, wrong, &fields).await.0, 403, "{wrong:?}");
    }
    let changed = [("MessageSid", "SM4"), ("MessageStatus", "failed")];
    assert_eq!(post(&hotel, Some(&good), &changed).await.0, 403);
    let long = "x".repeat(20_000);
    assert_eq!(post(&hotel, Some(&good), &[("Body", &long)]).await.0, 413);
    assert_eq!(hotel.server.store.text_status("SM3").await.unwrap(), None);
    let other = [("CallSid", "CA1")];
    let call = signature(&hotel.url("/webhooks/twilio"), &other);
    assert_eq!(
        post(&hotel, Some(&call), &other).await,
        answer("not relevant")
    );
    assert_eq!(hotel.get("/webhooks/twilio").await.status(), 405);
}

/// What became of a text is shown in Salesforce, too.
#[tokio::test]
async fn the_end_of_a_text_is_written_to_its_row() {
    let hotel = TestHotel::open().await;
    hotel.edit(
        "Contact",
        "Email",
        "nora.o'brien@example.com",
        &json!({ "MobilePhone": "+12125559999" }),
    );
    for (email, token) in [(BETH, "a"), ("nora.o'brien@example.com", "b")] {
        let guest = hotel.guest_mcp(email).await;
        let folio = guest.call(Era::Modern, "get_folio", json!({})).await;
        let input = json!({ "amount": folio["structuredContent"]["data"]["balance"],
            "payment_method_id": "pm_card_visa", "idempotency_token": token });
        let paid = guest
            .call(Era::Modern, "process_guest_checkout", input)
            .await;
        assert_eq!(paid["isError"], false, "{paid}");
    }
    let sandbox = hotel.sandbox();
    let rows = || sandbox.state()["salesforce"]["SMS_Notification__c"].clone();
    let has_ended =
        |row: &Value| row["Status__c"] == "Delivered" || row["Status__c"] == "Undelivered";
    for _ in 0..400 {
        let rows = rows();
        let rows = rows.as_array().unwrap();
        if rows.len() == 2 && rows.iter().all(has_ended) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let rows = rows();
    let of = |phone: &str| {
        let rows = rows.as_array().unwrap().iter();
        rows.clone()
            .find(|row| row["To_Phone_Number__c"] == phone)
            .unwrap_or_else(|| panic!("{rows:?}"))
    };
    let unreached = of("+12125559999");
    assert_eq!(
        (&unreached["Status__c"], &unreached["Error_Code__c"]),
        (&json!("Undelivered"), &json!("30003"))
    );
    let arrived = of("+12125550101");
    assert_eq!(arrived["Status__c"], "Delivered", "{arrived}");
    assert!(arrived["Delivered_Date__c"].is_string(), "{arrived}");
    let sid = arrived["Twilio_Message_SID__c"].as_str().unwrap();
    assert_eq!(report(&hotel, sid, "sent", "").await.1, "nothing new");
    let store = &hotel.server.store;
    for _ in 0..600 {
        let waiting = store.projections("sent_text", None, 9).await;
        if waiting.unwrap().is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("a text that has its row still waits");
}

/// The last text to a number was refused because of that number: the front desk reads why.
#[tokio::test]
async fn the_front_desk_reads_why_a_number_gets_no_texts() {
    let hotel = TestHotel::open().await;
    hotel.edit(
        "Contact",
        "Email",
        BETH,
        &json!({ "MobilePhone": "+12125550000" }),
    );
    let guest = hotel.browser().guest(BETH).await;
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let words = "Texts to this number are refused: its owner has answered STOP.";
    desk.until(&format!("/staff/guest?email={BETH}"), words)
        .await;
    desk.until("/staff/stays/BK-0042", words).await;
    // The number's owner, who has the code from the demo's page
    for page in ["/guest/account", "/guest"] {
        guest.open(page).await.has(&[
            "We can’t send texts to your phone ending in 00.",
            "Answer START",
        ]);
    }
    // The home page reads no contact for it, also when it is only prepared
    let contacts = || {
        let counts = hotel.server.systems.crm.counts();
        let reads = counts.iter().filter(|count| count.operation == "query");
        reads.map(|count| count.calls).sum::<u64>()
    };
    let before = contacts();
    for _ in 0..3 {
        guest.open("/guest").await;
    }
    assert_eq!(contacts(), before);
    hotel.edit(
        "Contact",
        "Email",
        BETH,
        &json!({ "MobilePhone": "+12125550102" }),
    );
    let page = format!("/staff/guest?email={BETH}");
    desk.open(&page).await.lacks(&["are refused"]);
    let account = guest.open("/guest/account").await;
    account.lacks(&["We can’t send texts"]);
    guest.open("/guest").await.lacks(&["We can’t send texts"]);
}

/// Twilio refuses our sender: nobody is told that a code is on its way, and an operator is.
#[tokio::test]
async fn a_refused_sender_stops_codes_and_is_named_to_a_person() {
    let carrier = TestHotel::open().await;
    let base = carrier.server.sandbox_url.clone().unwrap();
    let hotel = TestHotel::with(&[
        ("DEWY_MODE", "trial"),
        ("TWILIO_ACCOUNT_SID", "AC00000000000000000000000000000001"),
        ("TWILIO_AUTH_TOKEN", "t0ken"),
        ("TWILIO_FROM", "+12125550166"),
        ("TWILIO_API_BASE", &base),
    ])
    .await;
    let browser = hotel.browser();
    let ask = async |email: &str| {
        let sent = browser
            .send("/form/send_code", &[("email", email), ("next", "")])
            .await;
        browser.open(&sent.to()).await
    };
    ask(BETH).await;
    for _ in 0..200 {
        if !twilio(&hotel).await.alarms.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let view = twilio(&hotel).await;
    assert_eq!(
        (view.health, view.alarms[0].code.as_str()),
        (Health::Down, "twilio_21659")
    );
    // The same for everybody
    for email in [BETH, "stranger@example.com"] {
        ask(email).await.has(&[
            "We could not send you a code",
            "Signing in does not work right now",
        ]);
    }
    let staff = Caller::staff("manager@dewy.example", Role::Manager, Interface::Form);
    let systems = hotel.server.system_status.systems(&staff).await;
    assert_eq!(
        systems.iter().filter(|one| !one.alarms.is_empty()).count(),
        1
    );
    assert_eq!(
        hotel.get("/readyz").await.status(),
        200,
        "the house works without texts"
    );
    let metrics = hotel.get("/metrics").await.text().await.unwrap();
    let alarm = r#"dewy_access_refused{system="twilio",code="twilio_21659"} 1"#;
    assert!(metrics.contains(alarm), "{metrics}");
    assert_eq!(
        hotel.get("/webhooks/twilio").await.status(),
        404,
        "Twilio can't reach it"
    );
    hotel.close().await;
}
