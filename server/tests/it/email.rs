//! Receipts by email, through a mail server on a real port.

mod code_fallback;
mod codes;
mod confirmation;
mod mail_server;
mod staff_view;

use dewy_domain::{
    execution_view::ExecutionView,
    ports::{Email, EmailStatus, ExecutionFeed},
    vocabulary::ExecutionState,
};
use dewy_saga::journal::ExecutionFilter;
use mail_server::{Behavior, MailServer, reserve_port};

use crate::prelude::*;

fn beth() -> Caller {
    Caller::guest(BETH, Interface::Form)
}

async fn hotel(port: u16) -> TestHotel {
    let url = format!("smtp://127.0.0.1:{port}");
    TestHotel::with(&[
        ("DEWY_MODE", "trial"),
        ("SMTP_URL", &url),
        ("SMTP_FROM", "Dewy Resort <stay@dewy.example>"),
    ])
    .await
}

/// Beth checks out; the execution.
async fn checked_out(hotel: &TestHotel) -> String {
    let call = ToolCall {
        tool: "process_guest_checkout".to_owned(),
        input: json!({ "guest_email": BETH, "amount": 25000 }),
        idempotency_token: Some("out".to_owned()),
        wait: Some(Duration::from_secs(20)),
    };
    match hotel.server.hotel.dispatch(&beth(), call).await {
        ToolAnswer::Settled {
            execution_id: Some(id),
            ..
        } => id,
        other => panic!("{other:?}"),
    }
}

fn email(to: &str) -> Email {
    Email {
        to: to.to_owned(),
        subject: "Su recibo – R-0042".to_owned(),
        text: "Gracias. 250,00 $".to_owned(),
        html: "<p>Gracias. 250,00 $</p>".to_owned(),
        calendar: None,
    }
}

/// Presses the button.
async fn send(hotel: &TestHotel, about: &str) -> Result<String, ErrorCode> {
    let feed: &dyn ExecutionFeed = &*hotel.server.hotel;
    feed.email_receipt(&beth(), about, email(BETH)).await
}

/// What the receipt's page shows, once it is so.
async fn shows(hotel: &TestHotel, about: &str, wanted: EmailStatus) {
    let started = Instant::now();
    loop {
        let shown = hotel.server.hotel.email_status(&beth(), about).await;
        if shown == wanted {
            return;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{shown:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// As staff see it, once it is so.
async fn once(hotel: &TestHotel, id: &str, wanted: fn(&ExecutionView) -> bool) -> ExecutionView {
    let desk = Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Form);
    let started = Instant::now();
    loop {
        let view = hotel.server.hotel.execution(&desk, id).await.unwrap();
        if wanted(&view) {
            return view;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{view:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn header<'a>(email: &'a str, name: &str) -> &'a str {
    let line = email.lines().find(|line| line.starts_with(name));
    line.unwrap_or_else(|| panic!("{name}: {email}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_is_sent_automatically_and_once() {
    let server = MailServer::open(Behavior::Good).await;
    let hotel = hotel(server.address.port()).await;
    let about = checked_out(&hotel).await;
    shows(&hotel, &about, EmailStatus::Sent).await;
    let (one, other) = tokio::join!(send(&hotel, &about), send(&hotel, &about));
    let id = one.unwrap();
    assert_eq!(other.unwrap(), id);
    let view = once(&hotel, &id, |view| view.at_rest).await;
    assert_eq!(view.state, ExecutionState::Completed);
    assert_eq!(view.summary, "The email was handed to the mail server.");
    let emails = server.emails();
    assert_eq!(emails.len(), 1, "{emails:?}");
    let sent = &emails[0];
    assert_eq!(
        header(sent, "Message-ID:"),
        format!("Message-ID: <{id}@dewy.example>")
    );
    assert!(header(sent, "From:").contains("stay@dewy.example"));
    assert!(header(sent, "To:").contains(BETH));
    assert!(header(sent, "Subject:").contains("Receipt R-"), "{sent}");
    assert!(
        sent.contains("multipart/alternative")
            && sent.contains("text/plain")
            && sent.contains("text/html")
            && sent.contains("Beth Gibbs")
            && sent.contains("$250.00")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_is_in_the_language_that_the_guest_signed_in_with() {
    let server = MailServer::open(Behavior::Good).await;
    let hotel = hotel(server.address.port()).await;
    let known = json!("es");
    let name = format!("note:language:{BETH}");
    hotel.server.store.put_json(&name, &known).await.unwrap();
    let about = checked_out(&hotel).await;
    shows(&hotel, &about, EmailStatus::Sent).await;
    let sent = server.emails().remove(0);
    assert!(header(&sent, "Subject:").contains("Recibo R-"), "{sent}");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_guest_gets_an_email_and_only_about_their_own_check_out() {
    let server = MailServer::open(Behavior::Good).await;
    let hotel = hotel(server.address.port()).await;
    let about = checked_out(&hotel).await;
    let feed: &dyn ExecutionFeed = &*hotel.server.hotel;
    let other = Caller::guest("sarah@example.com", Interface::Form);
    let refused = Err(ErrorCode::ExecutionNotFound);
    for (caller, id, to) in [
        (&other, about.as_str(), "sarah@example.com"),
        (&beth(), &about, "sarah@example.com"),
        (&beth(), "exe_1", BETH),
    ] {
        assert_eq!(feed.email_receipt(caller, id, email(to)).await, refused);
    }
    assert_eq!(feed.email_status(&other, &about).await, EmailStatus::Off);
    let sent = send(&hotel, &about).await.unwrap();
    assert_eq!(
        send(&hotel, &sent).await,
        refused,
        "an email is no check-out"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_address_is_retried_only_on_request() {
    let server = MailServer::open(Behavior::Refusing).await;
    let hotel = hotel(server.address.port()).await;
    let about = checked_out(&hotel).await;
    shows(&hotel, &about, EmailStatus::Refused).await;
    for _ in 0..4 {
        let id = send(&hotel, &about).await.unwrap();
        let view = once(&hotel, &id, |view| view.at_rest).await;
        assert_eq!(
            view.summary,
            "The mail server does not deliver to this address (smtp_550)."
        );
    }
    assert_eq!(send(&hotel, &about).await, Err(ErrorCode::RateLimited));
    assert_eq!(server.emails().len(), 0);
}

/// The receipt's page shows its delivery status, and sends it in the requester's language.
#[tokio::test(flavor = "multi_thread")]
async fn a_guest_sees_a_refused_receipt_and_resends_it() {
    let server = MailServer::open(Behavior::Good).await;
    let hotel = hotel(server.address.port()).await;
    let guest = Browser::preferring(&hotel.server.public_url, "es");
    let fields = format!("email={BETH}&next=");
    guest.post("send_code", &fields).await;
    guest.enter(&hotel.texted_code().await).await;
    server.turn(Behavior::Refusing);
    let about = checked_out(&hotel).await;
    shows(&hotel, &about, EmailStatus::Refused).await;
    let page = format!("/guest/receipt/{about}");
    guest.open(&page).await.has(&[
        "b…@email.com no aceptó el recibo.",
        "Enviarme este recibo por correo",
    ]);
    server.turn(Behavior::Good);
    let sent = guest
        .post("email_receipt", &format!("execution_id={about}"))
        .await;
    assert_eq!(sent.to(), page);
    let shown = guest.until(&page, "Enviado a b…@email.com.").await;
    shown.lacks(&["Enviarme este recibo por correo"]);
    let email = server.emails().pop().unwrap();
    assert!(header(&email, "Subject:").contains("Recibo R-0042-"));
    for words in ["Beth Gibbs", "2 noches", "4242", "$250.00", "302"] {
        assert!(email.contains(words), "{words}: {email}");
    }
    guest.post("email_receipt", "execution_id=exe_other").await;
    assert_eq!(server.emails().len(), 1, "one receipt");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreachable_mail_server_is_retried() {
    let (reserved, port) = reserve_port();
    let hotel = hotel(port).await;
    let about = checked_out(&hotel).await;
    shows(&hotel, &about, EmailStatus::OnItsWay).await;
    let id = send(&hotel, &about).await.unwrap();
    let view = once(&hotel, &id, |view| view.state == ExecutionState::Retrying).await;
    assert!(
        view.summary.contains("did not take the email yet"),
        "{}",
        view.summary
    );
    let server = MailServer::listen(reserved, Behavior::Good);
    shows(&hotel, &about, EmailStatus::Sent).await;
    assert_eq!(server.emails().len(), 1);
}

/// Without a mail server, pending emails end with a reason instead of staying open.
#[tokio::test(flavor = "multi_thread")]
async fn pending_emails_end_when_email_is_disabled() {
    let (_reserved, port) = reserve_port();
    for started in [true, false] {
        let hotel = hotel(port).await;
        if !started {
            // Too slow for the receipt to be written before the hotel closes
            hotel.fault("salesforce", "query", "slow", 0, 1500).await;
        }
        let about = checked_out(&hotel).await;
        if started {
            let id = send(&hotel, &about).await.unwrap();
            once(&hotel, &id, |view| view.state == ExecutionState::Retrying).await;
        }
        if !started {
            let owed = hotel.server.store.projections("receipt", None, 9).await;
            assert_eq!(owed.unwrap().len(), 1);
        }
        hotel.heal().await;
        let folder = hotel.close_and_keep().await;
        let hotel = TestHotel::reopen(folder, &[("DEWY_MODE", "trial")]).await;
        let filter = ExecutionFilter {
            labels: vec![("email_about".to_owned(), about)],
            limit: 9,
            ..ExecutionFilter::default()
        };
        let started = Instant::now();
        let ended = loop {
            let found = hotel.server.store.list(&filter).await.unwrap();
            if let Some(ended) = found.iter().find(|record| record.state.has_ended()) {
                break ended.id.to_string();
            }
            assert!(started.elapsed() < Duration::from_secs(60), "{found:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        };
        let view = once(&hotel, &ended, |view| view.at_rest).await;
        assert!(
            view.summary
                .starts_with("No email was sent: email is not configured"),
            "{}",
            view.summary
        );
        let owed = hotel.server.store.projections("receipt", None, 9).await;
        assert!(
            owed.unwrap().is_empty(),
            "nothing keeps the mode from being raised"
        );
        hotel.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_mail_server_there_are_no_emails() {
    let hotel = TestHotel::open().await;
    let about = checked_out(&hotel).await;
    shows(&hotel, &about, EmailStatus::Off).await;
    assert_eq!(
        send(&hotel, &about).await,
        Err(ErrorCode::ExecutionNotFound)
    );
}
