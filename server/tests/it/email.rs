//! Receipts by email, through a mail server on a real port.

mod mail_server;

use std::time::{Duration, Instant};

use dewy_domain::{
    answer::ToolAnswer,
    caller::{Caller, Interface, Role},
    error_code::ErrorCode,
    ports::{Dispatcher, Email, ExecutionFeed},
    tool::ToolCall,
    view::ExecutionView,
};
use serde_json::json;

use crate::hotel::TestHotel;
use mail_server::{MailServer, Mood};

const BETH: &str = "beth.gibbs@email.com";

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
    }
}

async fn send(hotel: &TestHotel, about: &str, token: &str) -> Result<String, ErrorCode> {
    let feed: &dyn ExecutionFeed = &*hotel.server.hotel;
    feed.email(&beth(), about, email(BETH), token).await
}

/// As staff see it, once it is so.
async fn once(hotel: &TestHotel, id: &str, wanted: fn(&ExecutionView) -> bool) -> ExecutionView {
    let desk = Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Form);
    let begun = Instant::now();
    loop {
        let view = hotel.server.hotel.execution(&desk, id).await.unwrap();
        if wanted(&view) {
            return view;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{view:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

fn header<'a>(email: &'a str, name: &str) -> &'a str {
    let line = email.lines().find(|line| line.starts_with(name));
    line.unwrap_or_else(|| panic!("{name}: {email}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receipt_is_sent_once_however_often_the_button_is_pressed() {
    let server = MailServer::open(0, Mood::Good).await;
    let hotel = hotel(server.address.port()).await;
    let about = checked_out(&hotel).await;
    let (one, other) = tokio::join!(send(&hotel, &about, "t"), send(&hotel, &about, "t"));
    let id = one.unwrap();
    assert_eq!(other.unwrap(), id);
    assert_eq!(send(&hotel, &about, "t").await.unwrap(), id);
    let view = once(&hotel, &id, |view| view.at_rest).await;
    assert_eq!(view.state, "completed");
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
    assert!(
        sent.contains("multipart/alternative")
            && sent.contains("text/plain")
            && sent.contains("text/html")
    );
    // One that is asked for again is another email, up to five
    for n in 0..4 {
        send(&hotel, &about, &format!("again {n}")).await.unwrap();
    }
    assert_eq!(
        send(&hotel, &about, "too many").await,
        Err(ErrorCode::RateLimited)
    );
    assert_eq!(send(&hotel, &about, "t").await, Ok(id));
    hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_guest_gets_a_letter_and_only_about_their_own_check_out() {
    let server = MailServer::open(0, Mood::Good).await;
    let hotel = hotel(server.address.port()).await;
    let about = checked_out(&hotel).await;
    let feed: &dyn ExecutionFeed = &*hotel.server.hotel;
    let other = Caller::guest("sarah@example.com", Interface::Form);
    let refused = Err(ErrorCode::ExecutionNotFound);
    assert_eq!(
        feed.email(&other, &about, email("sarah@example.com"), "t")
            .await,
        refused
    );
    assert_eq!(
        feed.email(&beth(), &about, email("sarah@example.com"), "t")
            .await,
        refused
    );
    assert_eq!(
        feed.email(&beth(), "exe_1", email(BETH), "t").await,
        refused
    );
    let sent = send(&hotel, &about, "t").await.unwrap();
    assert_eq!(
        send(&hotel, &sent, "u").await,
        refused,
        "an email is no check-out"
    );
    hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_the_server_refuses_is_told_to_staff_and_not_tried_again() {
    let server = MailServer::open(0, Mood::Refusing).await;
    let hotel = hotel(server.address.port()).await;
    let about = checked_out(&hotel).await;
    let id = send(&hotel, &about, "t").await.unwrap();
    let view = once(&hotel, &id, |view| view.at_rest).await;
    assert_eq!(
        view.summary,
        "The mail server does not deliver to this address (smtp_550)."
    );
    assert_eq!(server.emails().len(), 0);
    hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_letter_whose_fate_is_unknown_is_sent_again_as_the_same_message() {
    let server = MailServer::open(0, Mood::Silent).await;
    let hotel = hotel(server.address.port()).await;
    let about = checked_out(&hotel).await;
    let id = send(&hotel, &about, "t").await.unwrap();
    once(&hotel, &id, |view| {
        view.at_rest && view.state == "completed"
    })
    .await;
    let emails = server.emails();
    assert_eq!(emails.len(), 2);
    assert_eq!(emails[0], emails[1], "byte for byte, with one Message-ID");
    hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_away_is_tried_until_it_is_back() {
    // Nobody listens there: it was free a moment ago
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let hotel = hotel(port).await;
    let about = checked_out(&hotel).await;
    let id = send(&hotel, &about, "t").await.unwrap();
    let view = once(&hotel, &id, |view| view.state == "retrying").await;
    assert!(
        view.summary.contains("did not take the email yet"),
        "{}",
        view.summary
    );
    let server = MailServer::open(port, Mood::Good).await;
    once(&hotel, &id, |view| view.state == "completed").await;
    assert_eq!(server.emails().len(), 1);
    hotel.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_mail_server_there_are_no_letters() {
    let hotel = TestHotel::open().await;
    let about = checked_out(&hotel).await;
    assert!(!hotel.server.hotel.emails());
    assert_eq!(
        send(&hotel, &about, "t").await,
        Err(ErrorCode::ExecutionNotFound)
    );
    hotel.close().await;
}
