//! A payment card number that somebody types into a form reaches no store and no outside system.

use std::collections::BTreeSet;

use dewy_app::routes;

use crate::{
    browser::{Browser, path_of},
    test_hotel::{TestHotel, day},
    untrusted_text::attributes,
};

/// A number that no test data holds.
const CARD: &str = "5105 1051 0510 5100";
const BETH: &str = "beth.gibbs@email.com";
/// Forms that end the session, or hold no text that is kept.
const SKIPPED: [&str; 3] = ["sign_out", "revoke", "revoke_others"];

/// A form of a page: its address, and its fields with their values.
#[derive(Debug, Default)]
struct Form {
    action: String,
    fields: Vec<Field>,
}

#[derive(Debug, Default)]
struct Field {
    name: String,
    value: String,
    is_typed: bool,
}

fn forms(html: &str) -> Vec<Form> {
    let mut forms: Vec<Form> = Vec::new();
    let mut is_hidden = false;
    for (tag, name, value) in attributes(html) {
        let form = forms.last_mut();
        match (tag.as_str(), name.as_str(), form) {
            ("form", "action", _) => forms.push(Form {
                action: value,
                fields: Vec::new(),
            }),
            ("input", "type", _) => {
                is_hidden = !matches!(value.as_str(), "text" | "email" | "tel" | "search");
            }
            ("input" | "select" | "textarea" | "button", "name", Some(form)) => {
                form.fields.push(Field {
                    name: value,
                    value: String::new(),
                    is_typed: tag == "textarea" || (tag == "input" && !is_hidden),
                });
            }
            ("input" | "option" | "button", "value", Some(form)) => {
                if let Some(field) = form.fields.last_mut().filter(|f| f.value.is_empty()) {
                    field.value = value.replace("&amp;", "&");
                }
            }
            _ => {}
        }
    }
    forms.retain(|form| form.action.starts_with("/form/"));
    forms
}

/// Sends every form of these pages twice: the number in the fields that people type in, and in all.
async fn send_forms(browser: &Browser, pages: &[String], sent: &mut BTreeSet<String>) {
    for path in pages {
        let page = browser.open(path).await;
        for form in forms(&page.text) {
            let name = form.action.trim_start_matches("/form/").to_owned();
            if SKIPPED.contains(&name.as_str()) || !sent.insert(name) {
                continue;
            }
            for all in [false, true] {
                let text = |field: &Field| {
                    if all || field.is_typed {
                        format!("No. {CARD}")
                    } else {
                        field.value.clone()
                    }
                };
                let fields: Vec<(&str, String)> = form
                    .fields
                    .iter()
                    .map(|field| (field.name.as_str(), text(field)))
                    .collect();
                let fields: Vec<(&str, &str)> = fields
                    .iter()
                    .map(|(name, text)| (*name, text.as_str()))
                    .collect();
                let answer = browser.send(&form.action, &fields).await;
                assert!(answer.status < 500, "{}: {}", form.action, answer.text);
                // What is shown again is taken from the session
                if answer.status == 303 && !all {
                    let shown = browser.open(&path_of(answer.location())).await;
                    shown.lacks(&[CARD]);
                }
                browser.send(&form.action, &fields).await;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_form_keeps_a_card_number() {
    let hotel = TestHotel::open().await;
    let (guest, staff) = (
        hotel.browser().guest(BETH).await,
        hotel.browser().staff("manager@dewy.example").await,
    );
    let fixed = |begin: &str| -> Vec<String> {
        let routes = routes().into_iter().map(|route| route.path.to_owned());
        routes
            .filter(|path| path.starts_with(begin) && !path.contains('{'))
            .collect()
    };
    let mut guest_pages = fixed("/guest");
    guest_pages.push(format!(
        "/guest/book/check?check_in_date={}&check_out_date={}&room_number=100&number_of_guests=1",
        day(1),
        day(3)
    ));
    guest_pages.extend(["change", "cancel"].map(|act| format!("/guest/bookings/BK-0042/{act}")));
    let mut staff_pages = fixed("/staff");
    staff_pages.push("/staff/executions?state=running".to_owned());
    staff_pages.push(format!("/staff/guest?email={BETH}"));
    staff_pages.extend(["/staff/rooms/302", "/staff/stays/BK-0042"].map(str::to_owned));
    let acts = ["change", "move", "check-out", "cancel", "charge", "request"];
    staff_pages.extend(acts.map(|act| format!("/staff/stays/BK-0042/{act}")));
    let mut sent = BTreeSet::new();
    send_forms(&hotel.browser(), &fixed("/"), &mut sent).await;
    send_forms(&guest, &guest_pages, &mut sent).await;
    send_forms(&staff, &staff_pages, &mut sent).await;
    for form in [
        "add_note",
        "ask",
        "book",
        "concierge_say",
        "make_token",
        "new_case",
        "new_guest",
        "post_charge",
        "register",
        "report_defect",
        "save_view",
        "send_code",
        "stay_request",
    ] {
        assert!(sent.contains(form), "{form} is not in {sent:?}");
    }
    // An emergency is never refused, and is stored at once
    let help = [
        ("text", "Help, fire! 5105 1051 0510 5100"),
        ("idempotency_token", "help"),
    ];
    guest.send("/form/concierge_say", &help).await;

    let environment = hotel.environment();
    let _folder = hotel.close_and_keep().await;
    let digits: String = CARD.split(' ').collect();
    let mut found_help = false;
    for (_, file) in environment {
        let file = file.trim_start_matches("sqlite://").to_owned();
        for part in ["", "-wal"] {
            let Ok(bytes) = std::fs::read(format!("{file}{part}")) else {
                continue;
            };
            let holds = |text: &str| {
                bytes
                    .windows(text.len())
                    .any(|part| part == text.as_bytes())
            };
            assert!(!holds(CARD) && !holds(&digits), "{file}{part}");
            found_help |= holds("Help, fire! (card number removed)");
        }
    }
    assert!(found_help, "the files are not those of the store");
}
