//! Confirmations of bookings: what they say, and what their link does.

use dewy_domain::tool_answer::FinalAnswer;

use super::*;

const MAP: &str = "https://maps.example/dewy";

async fn open(server: &MailServer) -> TestHotel {
    let url = format!("smtp://{}", server.address);
    TestHotel::with(&[
        ("DEWY_MODE", "trial"),
        ("SMTP_URL", &url),
        ("SMTP_FROM", "Dewy Resort <stay@dewy.example>"),
        ("HOTEL_ADDRESS", "1 Main St, Springfield"),
        ("HOTEL_MAP_URL", MAP),
        ("HOTEL_CHECK_IN_FROM", "3 PM"),
        ("HOTEL_CHECK_OUT_BY", "11 AM"),
    ])
    .await
}

/// Beth books; the execution.
async fn booked(hotel: &TestHotel) -> String {
    let input = json!({ "guest_email": BETH, "room_type": "Deluxe", "check_in_date": day(300),
        "check_out_date": day(302), "number_of_guests": 2 });
    let call = ToolCall {
        tool: "create_booking".to_owned(),
        input,
        idempotency_token: Some("book".to_owned()),
        wait: Some(Duration::from_secs(20)),
    };
    match hotel.server.hotel.dispatch(&beth(), call).await {
        ToolAnswer::Settled {
            settled: FinalAnswer::Done { .. },
            execution_id: Some(id),
            ..
        } => id,
        other => panic!("{other:?}"),
    }
}

/// The email without the line breaks and escapes of quoted-printable.
fn readable(email: &str) -> String {
    let whole = email.replace("=\r\n", "").replace("=\n", "");
    whole.replace("=3D", "=").replace("=C2=B7", "·")
}

/// Path of the link.
fn link(email: &str) -> String {
    let (_, rest) = email.split_once("/booking/").unwrap();
    let token = rest.split(|c: char| c.is_whitespace() || "\"<".contains(c));
    format!("/booking/{}", token.into_iter().next().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_booking_is_confirmed_once_with_all_that_was_agreed() {
    let server = MailServer::open(Behavior::Good).await;
    let hotel = open(&server).await;
    let about = booked(&hotel).await;
    shows(&hotel, &about, EmailStatus::Sent).await;
    // The button of receipts sends no second one
    send(&hotel, &about).await.unwrap();
    let emails = server.emails();
    assert_eq!(emails.len(), 1, "{emails:?}");
    let sent = readable(&emails[0]);
    let desk = Caller::staff("frontdesk@dewy.example", Role::FrontDesk, Interface::Form);
    let view = hotel.server.hotel.execution(&desk, &about).await.unwrap();
    let number = view.booking_number.unwrap().to_string();
    let data = &view.answer.unwrap()["data"];
    let cents = data["amount"].as_i64().unwrap();
    let total = format!("${}.{:02}", cents / 100, cents % 100);
    let room = format!("Room {}, Deluxe", data["room_number"].as_str().unwrap());
    assert!(header(&sent, "To:").contains(BETH));
    for part in [
        &*format!("Booking {number} is confirmed"),
        &room,
        &short_day(300),
        &format!("Total, to be paid at check-out: {total}"),
        "You can cancel online until you check in, and it costs nothing",
        "1 Main St, Springfield",
        "Check-in from: 3",
        MAP,
        "multipart/alternative",
        "text/calendar",
        "BEGIN:VEVENT",
        &format!("UID:{about}"),
        "LOCATION:1 Main St\\, Springfield",
    ] {
        assert!(sent.contains(part), "{part} in {sent}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn its_link_leads_to_the_sign_in_and_does_nothing_by_itself() {
    let server = MailServer::open(Behavior::Good).await;
    let hotel = open(&server).await;
    let guest = hotel.browser();
    guest
        .post("send_code", &format!("email={BETH}&next="))
        .await;
    guest.enter(&hotel.texted_code().await).await;
    let name = format!("note:language:{BETH}");
    hotel
        .server
        .store
        .put_json(&name, &json!("es"))
        .await
        .unwrap();
    let about = booked(&hotel).await;
    shows(&hotel, &about, EmailStatus::Sent).await;
    let sent = readable(&server.emails()[0]);
    assert!(header(&sent, "Subject:").contains("La_reserva") || sent.contains("La reserva"));
    let link = link(&sent);
    let anyone = hotel.browser();
    for _ in 0..2 {
        let page = anyone.open(&link).await;
        assert_eq!((page.status, page.to().as_str()), (303, "/guest/sign-in"));
    }
    let page = anyone.open("/guest/sign-in").await;
    page.has(&[&format!("value=\"{BETH}\""), "/change\""]);
    anyone.is_sent_to("/guest/bookings", "/guest/sign-in").await;
    // Nothing was sent to anybody
    assert_eq!(server.emails().len(), 1);
    let altered = link.replace("/booking/", "/booking/A");
    let page = anyone.open(&altered).await;
    page.has(&["This link no longer works"]);
    page.lacks(&[BETH]);

    guest.is_sent_to(&link, "/guest/bookings/BK-").await;
    let page = guest.open(&format!("/guest/execution/{about}")).await;
    page.has(&["Your confirmation was sent to b…@email.com."]);
}
