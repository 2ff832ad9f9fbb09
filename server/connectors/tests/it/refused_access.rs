//! Refusals of access: failed calls that only an operator can fix, and no word about the request.

use dewy_connectors::{TextSender, Twilio, TwilioConfig};
use dewy_domain::{ports::TextMessages, text_status::TextStatus};
use dewy_sandbox::salesforce::{OrgSettings, TokenRefusal};

use crate::prelude::*;

fn rooms() -> RoomQuery {
    RoomQuery {
        limit: 10,
        ..RoomQuery::default()
    }
}

#[tokio::test(start_paused = true)]
async fn an_inactive_user_is_a_failed_call_with_salesforces_own_words() {
    let hotel = hotel();
    let refused = |error: &str, description: &str| OrgSettings {
        token_refusal: Some(TokenRefusal {
            error: error.to_owned(),
            error_description: description.to_owned(),
        }),
        ..OrgSettings::default()
    };
    for (error, words) in [
        ("inactive_user", "user is inactive"),
        ("invalid_client", "invalid client credentials"),
        ("invalid_grant", "ip restricted"),
    ] {
        hotel.sandbox.set_org_settings(refused(error, words));
        let reply = hotel.crm.rooms(&rooms()).await;
        assert!(
            matches!(&reply, Outcome::TryLater(t) if t.code == error),
            "{reply:?}"
        );
        let stats = hotel.crm.health_stats();
        assert!(stats.refuses_everything(), "{error}");
        let alarm = &stats.alarms[0];
        assert_eq!(
            (alarm.code.as_str(), alarm.message.as_deref()),
            (error, Some(words))
        );
        assert_eq!(
            stats.last_error.map(|(code, _)| code).as_deref(),
            Some(error)
        );
        assert_eq!(stats.troubled_last_hour, stats.calls_last_hour);
    }
    hotel.sandbox.set_org_settings(OrgSettings::default());
    assert!(matches!(hotel.crm.rooms(&rooms()).await, Outcome::Done(_)));
    assert_eq!(hotel.crm.health_stats().alarms, Vec::new());
}

#[tokio::test(start_paused = true)]
async fn refusals_of_our_user_are_alarms_and_refusals_of_a_request_are_not() {
    let hotel = hotel();
    hotel.sandbox.set_org_settings(OrgSettings {
        api_disabled: true,
        ..OrgSettings::default()
    });
    let reply = hotel.crm.rooms(&rooms()).await;
    assert!(
        matches!(&reply, Outcome::TryLater(t) if t.code == "API_DISABLED_FOR_ORG"),
        "{reply:?}"
    );
    assert!(hotel.crm.health_stats().refuses_everything());
    hotel.sandbox.set_org_settings(OrgSettings::default());
    hotel.fault("query", FaultKind::RequestLimit);
    hotel.crm.rooms(&rooms()).await.answered().unwrap_err();
    assert!(hotel.crm.health_stats().refuses_everything());
    hotel
        .sandbox
        .add_fault(Fault::new(System::Salesforce, "query", FaultKind::Status).status(400));
    assert!(matches!(
        hotel.crm.rooms(&rooms()).await,
        Outcome::Refused(_)
    ));
    assert_eq!(
        hotel.crm.health_stats().alarms,
        Vec::new(),
        "our user was let in"
    );
    let error = r#"[{"errorCode":"INSUFFICIENT_ACCESS","message":"insufficient access rights"}]"#;
    let canned = salesforce(Canned::new([status(403, error)]));
    let reply = canned.rooms(&rooms()).await;
    assert!(
        matches!(&reply, Outcome::TryLater(t) if t.code == "INSUFFICIENT_ACCESS"),
        "{reply:?}"
    );
    let stats = canned.health_stats();
    assert_eq!(stats.alarms.len(), 1);
    assert!(
        !stats.refuses_everything(),
        "other objects may be open to it"
    );
}

#[tokio::test(start_paused = true)]
async fn a_refused_sender_is_an_alarm_and_a_refused_recipient_a_failed_call() {
    let clock = Arc::new(TestClock::new());
    let sandbox = Sandbox::in_memory(clock.clone(), 1);
    let twilio = |sender: TextSender| {
        let account = "AC00000000000000000000000000000001";
        let mut config = TwilioConfig::new(account, "token".to_owned().into(), "");
        config.sender = sender;
        Twilio::new(
            config.at("http://sandbox"),
            Arc::new(sandbox.clone()),
            clock.clone(),
        )
    };
    let text = async |from: &Twilio, to: &str| {
        let call = from.text(to, "Welcome", Duration::from_hours(1));
        from.send_text(&call).await
    };
    let number = |number: &str| TextSender::Number(number.to_owned());
    let service = |n: u8| TextSender::Service(format!("MG{n:032}"));
    for (sender, code) in [
        (number("+15005550007"), "twilio_21606"),
        (number("+12125550166"), "twilio_21659"),
        (number("+15005550001"), "twilio_21212"),
        (service(2), "twilio_21701"),
        (TextSender::Service("MG2".to_owned()), "twilio_21705"),
    ] {
        let foreign = twilio(sender);
        let reply = text(&foreign, "+12125550101").await;
        assert!(
            matches!(&reply, Outcome::TryLater(t) if t.code == code),
            "{reply:?}"
        );
        // The account lets us in, and that says nothing about the sender
        foreign
            .texts_since("+12125550101", clock.now())
            .await
            .answered()
            .unwrap();
        assert!(foreign.refuses_us(), "{code}");
        assert!(!foreign.health_stats().refuses_everything(), "{code}");
        assert!(
            !matches!(foreign.has_sender().await, Outcome::Done(Some(true))),
            "{code}"
        );
    }
    for sender in [number("+12125550190"), service(1)] {
        let ours = twilio(sender);
        assert_eq!(ours.has_sender().await, Outcome::Done(Some(true)));
        let reply = text(&ours, "+15005550004").await;
        assert!(
            matches!(&reply, Outcome::Refused(t) if t.code == "twilio_21610"),
            "{reply:?}"
        );
        let stats = ours.health_stats();
        assert_eq!((stats.troubled_last_hour, ours.refuses_us()), (1, false));
        let last_error = stats.last_error.map(|(code, _)| code);
        assert_eq!(last_error.as_deref(), Some("twilio_21610"));
        assert!(matches!(
            text(&ours, "+12125550101").await,
            Outcome::Done(_)
        ));
    }
    // Carriers don't know the sender: that is reported later, until a text is delivered
    let unregistered = twilio(number("+12125550190"));
    unregistered.note_report(TextStatus::Undelivered, Some(30003));
    assert!(!unregistered.refuses_us(), "of one phone");
    unregistered.note_report(TextStatus::Undelivered, Some(30034));
    assert!(matches!(
        text(&unregistered, "+12125550101").await,
        Outcome::Done(_)
    ));
    unregistered.note_report(TextStatus::Sent, None);
    let alarms = unregistered.health_stats().alarms;
    assert_eq!(alarms.len(), 1);
    assert_eq!(alarms[0].code, "twilio_30034");
    // An operator's concern, and no reason to send nobody a code
    assert!(!unregistered.refuses_us());
    unregistered.note_report(TextStatus::Delivered, None);
    assert!(unregistered.health_stats().alarms.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_key_of_the_other_mode_is_a_refused_key() {
    let error = |code: &str| {
        format!(r#"{{"error":{{"code":"{code}","type":"invalid_request_error","message":"no"}}}}"#)
    };
    for (number, code) in [
        (401, "api_key_expired"),
        (400, "livemode_mismatch"),
        (400, "testmode_charges_only"),
    ] {
        let transport = Canned::new([status(number, &error(code))]);
        let config = StripeConfig::new("sk_test_1".to_owned().into());
        let stripe = Stripe::new(config, transport, Arc::new(TestClock::new()));
        let reply = stripe.customers(&"beth.gibbs@email.com".into()).await;
        assert!(
            matches!(&reply, Outcome::TryLater(t) if t.code == "stripe_key_refused"),
            "{reply:?}"
        );
        assert!(stripe.health_stats().refuses_everything(), "{code}");
    }
}

/// An org that moved to another host is followed without a restart, at most once a minute.
#[tokio::test(start_paused = true)]
async fn an_org_that_moved_is_followed() {
    let hotel = hotel();
    done(hotel.crm.rooms(&rooms()).await);
    let moved = |to: &str| OrgSettings {
        instance: Some(to.to_owned()),
        ..OrgSettings::default()
    };
    hotel.sandbox.set_org_settings(moved("http://na2.sandbox"));
    let reply = hotel.crm.rooms(&rooms()).await;
    assert!(matches!(reply, Outcome::Done(_)), "{reply:?}");
    assert_eq!(
        hotel.operations(),
        ["token", "query", "query", "token", "query"]
    );
    hotel.sandbox.set_org_settings(moved("http://na3.sandbox"));
    assert!(
        matches!(hotel.crm.rooms(&rooms()).await, Outcome::Unknown(_)),
        "within the minute"
    );
    hotel.pass(60).await;
    assert!(matches!(hotel.crm.rooms(&rooms()).await, Outcome::Done(_)));
}

#[tokio::test(start_paused = true)]
async fn a_host_that_is_gone_or_somebody_elses_is_dropped() {
    let connect = || -> Response {
        Err(dewy_domain::ports::TransportError::Connect(
            "dns error".to_owned(),
        ))
    };
    let none = || status(200, r#"{"totalSize":0,"done":true,"records":[]}"#);
    let page = |number| status(number, "<html><body>Nothing here</body></html>");
    let reset = status(404, r#"[{"errorCode":"URL_NOT_RESET","message":"moved"}]"#);
    for first in [connect(), page(404), page(302), page(200), reset] {
        let transport = Canned::new([first, none()]);
        let crm = salesforce(transport.clone());
        let reply = crm.rooms(&rooms()).await;
        assert!(matches!(reply, Outcome::Done(_)), "{reply:?}");
        assert_eq!(transport.seen().len(), 2);
        assert_eq!(crm.health_stats().troubled_last_hour, 1);
    }
    let own = status(404, r#"[{"errorCode":"NOT_FOUND","message":"none"}]"#);
    let transport = Canned::new([own]);
    let crm = salesforce(transport.clone());
    assert!(matches!(crm.rooms(&rooms()).await, Outcome::Refused(_)));
    assert_eq!(transport.seen().len(), 1, "the org's own answer");
}
