//! What each visitor chooses or prefers: the theme, and the language.

use dewy_languages::Language;

use crate::{
    browser::{Browser, Page},
    test_hotel::{TestHotel, day, nights},
};

#[tokio::test]
async fn the_theme_is_applied_in_the_first_paint() {
    let hotel = TestHotel::open().await;
    let visitor = hotel.browser();
    visitor
        .sees("/", &["<html lang=\"en\" data-theme=\"system\">"])
        .await;
    // Neither a theme nor an address of somebody else's
    for fields in ["theme=<script>&back=%2F%2Fevil.example", "theme=%2F&back="] {
        let page = visitor.post("look", fields).await;
        assert_eq!((page.header("set-cookie"), page.to().as_str()), ("", "/"));
    }
    let fields = "theme=dark&back=%2Fguest%2Fsign-in%3Fnext%3D%2Fguest";
    let page = visitor.post("look", fields).await;
    assert_eq!(page.to(), "/guest/sign-in?next=/guest");
    assert_eq!(
        page.header("set-cookie"),
        "dewy_theme=dark; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly"
    );
    let page = visitor.open("/guest/sign-in").await;
    page.has(&[
        "data-theme=\"dark\"",
        "name=\"color-scheme\" content=\"dark\"",
    ]);
    let staff = hotel.browser();
    staff
        .post("look", "density=roomy&back=%2Fstaff%2Fsign-in")
        .await;
    let page = staff.open("/staff/sign-in").await;
    page.has(&["data-density=\"roomy\""]);
}

#[tokio::test]
async fn the_language_is_chosen_or_the_browsers_and_english_for_staff() {
    let hotel = TestHotel::open().await;
    let beth = Browser::preferring(&hotel.server.public_url, "es-MX,es;q=0.9,en;q=0.5");
    let beth = beth.guest("beth.gibbs@email.com").await;
    let page = beth.open("/guest").await;
    page.has(&[
        "<html lang=\"es\"",
        "Le damos la bienvenida, Beth",
        "Habitación 302",
        "Reserva BK-0042",
        "2 noches",
        "1 cama king",
        "vista al jardín",
        "Saldo",
        "$250.00",
        "Quedarme más tiempo",
        "aria-label=\"Su estancia\"",
        "¿Necesita ayuda?",
        "De 7 a 10:30 a.m., en la terraza sobre la piscina",
        "Antes de las 11:00 a.m.",
    ]);

    // The switch keeps the choice and returns to the page
    beth.post("look", "language=en&back=%2Fguest").await;
    let page = beth.open("/guest").await;
    page.has(&["<html lang=\"en\"", "Welcome, Beth", "2 nights"]);
    let visitor = hotel.browser();
    let page = visitor.open("/rooms?room_type=Suite").await;
    page.has(&[
        "<legend>Language",
        "name=\"language\"",
        "value=\"es\"",
        "lang=\"es\"",
        "Español",
    ]);
    let unknown = visitor.post("look", "language=xx&back=%2F").await;
    assert_eq!(unknown.header("set-cookie"), "");
    let fields = "language=es&back=%2Frooms%3Froom_type%3DSuite";
    let chosen = visitor.post("look", fields).await;
    assert_eq!(
        chosen.header("set-cookie"),
        "dewy_language=es; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly"
    );
    let page = visitor.open(&chosen.to()).await;
    page.has(&["<html lang=\"es\"", "Habitaciones y precios"]);

    // What is wrong with a form is said in Spanish, but to staff
    let visitor = Browser::preferring(&hotel.server.public_url, "es-MX");
    let page = visitor.submit("send_code", "email=beth&next=").await;
    page.has(&[
        "Revise los datos ingresados",
        "Ingrese un correo electrónico, por ejemplo, nombre@example.com",
    ]);
    visitor.open("/staff/sign-in").await;
    let fields = "email=nobody&password=x&next=";
    let page = visitor.submit("enter_password", fields).await;
    page.has(&["<html lang=\"en\"", "Sign in", "role=\"alert\""]);
    page.lacks(&["Revise", "Idioma"]);
}

/// English texts on a page; Spanish has the word check-in.
fn english(page: &Page) -> Vec<String> {
    let body = page.text.split_once("<body").expect("a body").1;
    let texts = body.split('<').filter_map(|tag| {
        let skipped = tag.starts_with("script") || tag.starts_with("style");
        tag.split_once('>').filter(|_| !skipped)
    });
    let words = texts.map(|(_, text)| text.trim().replace("heck-in", ""));
    words
        .filter(|text| Language::of_text(text) == Some(Language::english()))
        .collect()
}

#[tokio::test]
async fn a_spanish_guest_reads_no_english_in_outcomes_refusals_and_proposals() {
    let hotel = TestHotel::open().await;
    let guest =
        |email: &'static str| Browser::preferring(&hotel.server.public_url, "es-MX").guest(email);
    let out = "booking_number=BK-0042&amount=25000&payment_method_id=pm_card_visa";
    let stay = format!("{}&number_of_guests=2", nights(300, 302));
    let room = format!("{stay}&room_number=106&guest_first_name=Beth&guest_last_name=Gibbs");
    let later = format!("booking_number=BK-0034&check_out_date={}", day(4));
    let towels = "kind=Housekeeping&priority=Medium&description=Toallas&room_number=";
    for (email, form, fields) in [
        ("beth.gibbs@email.com", "book", room.as_str()),
        ("carlos.mendes@example.com", "book", room.as_str()),
        (
            "beth.gibbs@email.com",
            "check_out",
            &format!("{out}_chargeDeclined"),
        ),
        ("beth.gibbs@email.com", "check_out", out),
        ("sarah@example.com", "change_booking", &later),
        (
            "carlos.mendes@example.com",
            "cancel_booking",
            "booking_number=BK-0048",
        ),
        (
            "grace.kim@example.com",
            "check_in",
            "booking_number=BK-0035",
        ),
        (
            "liam.walsh@example.com",
            "check_in",
            "booking_number=BK-0036",
        ),
        ("liam.walsh@example.com", "ask", towels),
    ] {
        let guest = guest(email).await;
        let sent = guest
            .post(
                form,
                &format!("{fields}&idempotency_token={email}-{form}-{}", fields.len()),
            )
            .await;
        let part = match form {
            "ask" => "Toallas",
            _ => "class=\"outcome\"",
        };
        let page = guest.until(&sent.to(), part).await;
        assert_eq!(english(&page), [""; 0], "{form} {fields}");
    }

    // The terms of a proposal, asked for and declined
    let sarah = guest("sarah@example.com").await;
    let wish = "text=Cancel+my+booking+BK-0034&idempotency_token=t1";
    let place = sarah.post("concierge_say", wish).await.to();
    let page = sarah.until(&place, "name=\"nonce\"").await;
    let card = page.text.split_once("class=\"ask\"").expect("a proposal").1;
    let (card, _) = card.split_once("</form>").unwrap();
    let text = format!("<body {card}");
    assert_eq!(english(&Page { text, ..page }), [""; 0]);
    let id = place.rsplit('/').next().unwrap();
    for (said, told) in [
        ("¿Cuánto+me+va+a+costar?", "Todavía no"),
        ("no,+gracias", "¿Qué desea"),
    ] {
        let fields = format!("conversation={id}&text={said}&idempotency_token={told}");
        sarah.post("concierge_say", &fields).await;
        sarah.until(&place, told).await;
    }
    hotel.close().await;
}
