//! Texts are in the language that their guest reads.

use dewy_domain::locale::Locale;
use dewy_orchestrators::{KeyValueStore, guest_language_key};

use crate::prelude::*;

const SARAH: &str = "sarah@example.com";

/// A world whose guests read this language.
async fn reading(tag: Option<&str>) -> SimulatedHotel {
    let hotel = with(vec![]);
    if let Some(tag) = tag {
        for email in [BETH, SARAH] {
            let name = guest_language_key(email);
            hotel
                .key_value_store
                .write(&name, json!(tag))
                .await
                .unwrap();
        }
    }
    hotel
}

/// Texts so far, without their references.
fn texts(hotel: &SimulatedHotel) -> Vec<String> {
    let state = hotel.sandbox.state();
    let messages = state["twilio"]["messages"].as_array().cloned();
    let bodies = messages.unwrap_or_default().into_iter();
    bodies
        .filter_map(|message| Some(message["body"].as_str()?.rsplit_once(" Ref ")?.0.to_owned()))
        .collect()
}

async fn check_in(hotel: &SimulatedHotel) {
    let input = json!({ "guest_email": SARAH });
    let answer = hotel.staff("check_in_guest", "in", input).await;
    assert_eq!(answer.status(), 200, "{answer:?}");
    assert!(hotel.run_until_idle(DAY).await);
}

#[tokio::test(start_paused = true)]
async fn a_check_in_and_a_check_out_are_confirmed_in_spanish() {
    let hotel = reading(Some("es")).await;
    check_in(&hotel).await;
    assert_eq!(hotel.check_out("t1").await.status(), 200);
    assert!(hotel.run_until_idle(DAY).await);
    let texts = texts(&hotel);
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(
        texts[0].starts_with("Le damos la bienvenida a Dewy Resort.")
            && texts[0].contains("hasta el ")
            && !texts[0].contains("Nov ")
            && !texts[0].contains("Mar "),
        "its date too: {texts:?}"
    );
    assert_eq!(
        texts[1],
        "Su salida de Dewy Resort está registrada y pagó $250.00. Gracias por hospedarse con nosotros. Reserva BK-0042."
    );
}

#[tokio::test(start_paused = true)]
async fn dates_use_the_readers_locale() {
    for (locale, tag, date) in [
        ("es-ES", Some("en"), "until "),
        ("de-DE", Some("es"), "hasta el "),
        ("en-GB", None, "until "),
    ] {
        let hotel = set_up(|s| s.locale = locale);
        if let Some(tag) = tag {
            let name = guest_language_key(SARAH);
            let known = hotel.key_value_store.write(&name, json!(tag));
            known.await.unwrap();
        }
        check_in(&hotel).await;
        let stay = hotel.contact(SARAH);
        let stay = hotel.row(
            "Booking__c",
            "Primary_Guest__c",
            stay["Id"].as_str().unwrap(),
        );
        let until = stay["Check_Out_Date__c"].as_str().unwrap().parse().unwrap();
        let hotel_locale: Locale = locale.parse().unwrap();
        let theirs = hotel_locale.in_language(tag.unwrap_or("en")).day(until);
        let texts = texts(&hotel);
        assert!(
            texts[0].contains(&format!("{date}{theirs}")),
            "{locale} {tag:?} {theirs}: {texts:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_refund_is_announced_in_spanish() {
    let hotel = reading(Some("es-MX")).await;
    let down = composite(FaultKind::TimeoutBeforeEffect);
    hotel.fault(down.count(0));
    hotel.check_out("t1").await;
    tokio::time::sleep(Duration::from_secs(600)).await;
    hotel.sandbox.clear_faults();
    assert!(hotel.run_until_idle(DAY).await);
    let texts = texts(&hotel);
    assert_eq!(
        texts,
        [
            "Dewy Resort no pudo completar su salida y reembolsó $250.00 a su tarjeta. Tarda de 5 a 10 días hábiles en llegar. Reserva BK-0042."
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_booking_is_confirmed_in_the_guests_language_or_english() {
    for (tag, words) in [
        (Some("es"), "es suya desde el "),
        (Some("xx"), "is yours from "),
        (None, "is yours from "),
    ] {
        let hotel = reading(tag).await;
        let dates = json!({ "check_in_date": "2026-03-11", "check_out_date": "2026-03-13" });
        let found = hotel.staff("search_available_rooms", None, dates).await;
        let found = found.body(Persona::Staff)["data"]["rooms"][0]["room_number"].clone();
        let input = json!({
            "guest_email": SARAH, "guest_first_name": "Sarah", "guest_last_name": "Johnson",
            "room_number": found, "number_of_guests": 1,
            "check_in_date": "2026-03-11", "check_out_date": "2026-03-13",
        });
        let answer = hotel.staff("create_booking", "b", input).await;
        assert_eq!(answer.status(), 201, "{answer:?}");
        assert!(hotel.run_until_idle(DAY).await);
        let texts = texts(&hotel);
        assert!(
            texts.len() == 1 && texts[0].contains(words),
            "{tag:?}: {texts:?}"
        );
        assert!(
            !texts[0].contains("2026-03"),
            "a date is written: {texts:?}"
        );
    }
}
