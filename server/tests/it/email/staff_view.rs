//! Emails as staff see them: in the audit log, and the mail server among the outside systems.

use dewy_domain::ports::{Connection, EmailStatus, Health, SystemView};
use dewy_store::{CallFilter, FoundCall};

use super::{
    checked_out, hotel,
    mail_server::{Behavior, MailServer, reserve_port},
    send, shows,
};
use crate::prelude::*;

/// Recorded emails, newest first, once there are so many.
async fn recorded(hotel: &TestHotel, number: usize) -> Vec<FoundCall> {
    let filter = CallFilter {
        limit: 1000,
        ..CallFilter::default()
    };
    for _ in 0..100 {
        let mut found = hotel.server.store.calls(&filter).await.unwrap();
        found.retain(|found| found.call.tool == "send_email");
        if found.len() >= number {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("not all emails were recorded");
}

async fn mail(hotel: &TestHotel) -> Option<SystemView> {
    let desk = Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Form);
    let systems = hotel.server.system_status.systems(&desk).await;
    systems.into_iter().find(|system| system.name == "Email")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_email_is_in_the_audit_log_without_the_address() {
    let server = MailServer::open(Behavior::Silent).await;
    let hotel = hotel(server.address.port()).await;
    let about = checked_out(&hotel).await;
    shows(&hotel, &about, EmailStatus::Sent).await;
    let id = send(&hotel, &about).await.unwrap();
    let calls = recorded(&hotel, 2).await;
    let outcomes: Vec<_> = calls
        .iter()
        .map(|found| found.call.outcome.as_str())
        .collect();
    assert_eq!(outcomes, ["OK", "UPSTREAM_UNAVAILABLE"]);
    for found in &calls {
        assert_eq!(found.call.execution.unwrap().to_string(), id);
        assert!(found.call.caller.starts_with("guest:per_"), "{found:?}");
        assert_eq!(found.caller_email.as_deref(), Some(BETH));
    }
    let problems = hotel.server.store.verify_all().await.unwrap();
    assert!(problems.faults.is_empty(), "{problems:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_mail_server_is_listed_and_not_required_for_readiness() {
    let none = TestHotel::open().await;
    assert_eq!(mail(&none).await, None, "not configured");
    none.close().await;
    let (reserved, port) = reserve_port();
    let hotel = hotel(port).await;
    let quiet = mail(&hotel).await.unwrap();
    assert_eq!(
        (quiet.connection, quiet.health),
        (Connection::Real, Health::Quiet)
    );
    let about = checked_out(&hotel).await;
    let failing = loop {
        let mail = mail(&hotel).await.unwrap();
        if mail.health == Health::Down {
            break mail;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let (code, _) = failing.last_error.unwrap();
    assert_eq!(
        (code.as_str(), failing.last_good),
        ("smtp_unreachable", None)
    );
    assert_eq!(hotel.get("/readyz").await.status(), 200);
    let metrics = hotel.get("/metrics").await.text().await.unwrap();
    assert!(metrics.contains("message_send"), "{metrics}");
    let _server = MailServer::listen(reserved, Behavior::Good);
    shows(&hotel, &about, EmailStatus::Sent).await;
    let good = mail(&hotel).await.unwrap();
    assert!(
        good.last_good.is_some() && good.health != Health::Down,
        "{good:?}"
    );
}

/// A wrong password, and a sender that the server does not send for: the operator's to fix, and no
/// word about the recipient. Receipts wait.
#[tokio::test(flavor = "multi_thread")]
async fn a_refused_sign_in_or_sender_is_an_alarm_and_receipts_wait_for_it() {
    for (mood, code) in [
        (Behavior::NoSignIn, "smtp_535"),
        (Behavior::ForeignSender, "smtp_sender_refused"),
    ] {
        let server = MailServer::open(mood).await;
        let url = format!("smtp://user:secret@{}", server.address);
        let hotel = TestHotel::with(&[
            ("DEWY_MODE", "trial"),
            ("SMTP_URL", &url),
            ("SMTP_FROM", "stay@dewy.example"),
        ])
        .await;
        let about = checked_out(&hotel).await;
        let refused = loop {
            let mail = mail(&hotel).await.unwrap();
            if !mail.alarms.is_empty() {
                break mail;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        assert_eq!(
            (refused.health, refused.alarms[0].code.as_str()),
            (Health::Down, code)
        );
        assert_eq!(refused.last_error.unwrap().0, code);
        shows(&hotel, &about, EmailStatus::OnItsWay).await;
        assert_eq!(hotel.get("/readyz").await.status(), 200);
        let metrics = hotel.get("/metrics").await.text().await.unwrap();
        let alarm = format!(r#"dewy_access_refused{{system="smtp",code="{code}"}} 1"#);
        assert!(metrics.contains(&alarm), "{metrics}");
        server.turn(Behavior::Good);
        shows(&hotel, &about, EmailStatus::Sent).await;
        assert_eq!(mail(&hotel).await.unwrap().alarms, []);
        hotel.close().await;
    }
}
