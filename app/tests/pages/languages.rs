//! Guests' languages: chosen, preferred by the browser, or the hotel's; staff read English.

use axum::{
    body::Body,
    http::{Request, header},
};

use super::{Page, Visitor, bookings::has};

impl Visitor {
    async fn get_in(&self, path: &str, accept: &str) -> Page {
        let request = Request::get(path)
            .header(header::ACCEPT, "text/html")
            .header(header::ACCEPT_LANGUAGE, accept);
        self.send(request.body(Body::empty()).unwrap()).await
    }

    async fn post_in_spanish(&self, form: &str, fields: &str, from: &str) -> Page {
        let request = Request::post(format!("/form/{form}"))
            .header(header::ACCEPT, "text/html")
            .header(header::ACCEPT_LANGUAGE, "es-MX")
            .header(header::REFERER, format!("http://127.0.0.1{from}"))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(fields.to_owned())).unwrap())
            .await
    }
}

#[tokio::test]
async fn a_guest_reads_their_stay_in_spanish() {
    let visitor = Visitor::new();
    visitor.sign_in("beth.gibbs%40email.com").await;
    let page = visitor.get_in("/guest", "es-MX,es;q=0.9,en;q=0.5").await;
    has(
        &page,
        &[
            "<html lang=\"es\"",
            "Le damos la bienvenida, Beth",
            "Habitación 302",
            "Reserva BK-0042",
            "2 noches",
            "1 cama king",
            "vista al jardín",
            "Su cuenta",
            "$250.00",
            "Quedarme más tiempo",
            "aria-label=\"Su estancia\"",
            "¿Necesita ayuda?",
        ],
    );
    let english = visitor.get("/guest").await;
    has(
        &english,
        &["<html lang=\"en\"", "Welcome, Beth", "2 nights"],
    );
}

#[tokio::test]
async fn the_switch_keeps_the_choice_and_returns_to_the_page() {
    let visitor = Visitor::new();
    let page = visitor.get("/rooms?room_type=Suite").await;
    has(
        &page,
        &[
            "<legend>Language",
            "name=\"language\"",
            "value=\"es\"",
            "lang=\"es\"",
            "Español",
        ],
    );
    let chosen = visitor
        .post("look", "language=es&back=%2Frooms%3Froom_type%3DSuite")
        .await;
    assert_eq!(chosen.location, "/rooms?room_type=Suite");
    assert_eq!(
        chosen.cookies,
        ["dewy_language=es; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly"]
    );
    let unknown = visitor.post("look", "language=xx&back=%2F").await;
    assert!(unknown.cookies.is_empty());
    let spanish = visitor
        .get_with("/rooms?room_type=Suite", "dewy_language=es")
        .await;
    has(&spanish, &["<html lang=\"es\"", "Habitaciones y precios"]);
}

#[tokio::test]
async fn what_is_wrong_with_a_form_is_said_in_spanish() {
    let visitor = Visitor::new();
    let sent = visitor
        .post_in_spanish("send_code", "email=beth&next=", "/guest/sign-in")
        .await;
    assert_eq!(sent.location, "/guest/sign-in");
    let page = visitor.get_in("/guest/sign-in", "es").await;
    has(
        &page,
        &[
            "Revise los datos ingresados",
            "Ingrese un correo electrónico, por ejemplo, nombre@example.com",
        ],
    );
}

#[tokio::test]
async fn staff_read_english_whatever_their_browser_prefers() {
    let visitor = Visitor::new();
    visitor
        .post_in_spanish(
            "enter_password",
            "email=nobody&password=x&next=",
            "/staff/sign-in",
        )
        .await;
    let page = visitor.get_in("/staff/sign-in", "es").await;
    has(&page, &["<html lang=\"en\"", "Sign in"]);
    assert!(!page.text.contains("Revise") && !page.text.contains("Idioma"));
}
