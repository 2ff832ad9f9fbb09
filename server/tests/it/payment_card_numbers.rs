//! A payment card number that somebody types into a form reaches no store and no outside system.

use dewy_app::routes;

use crate::{prelude::*, untrusted_text::attributes};

/// A number that no test data holds.
const CARD: &str = "5105 1051 0510 5100";
/// Forms that end the session, or change what the sandbox does.
const SKIPPED: [&str; 8] = [
    "sign_out",
    "revoke",
    "revoke_others",
    "set_scene",
    "order_fault",
    "calm_sandbox",
    "set_latency",
    "reset_world",
];

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

/// The forms of a page that we answer.
fn forms(html: &str) -> Vec<Form> {
    let value = |of: &[(String, String, String)], name: &str| {
        let found = of.iter().find(|(_, attribute, _)| attribute == name);
        found.map(|(_, _, value)| value.replace("&amp;", "&"))
    };
    let form = |part: &str| {
        let part = part.split("</form>").next().unwrap_or_default();
        let action = value(&attributes(&format!("<form {part}")), "action")?;
        let mut fields: Vec<Field> = Vec::new();
        for tag in part.split('<').skip(1) {
            let attributes = attributes(&format!("<{tag}"));
            let Some((tag, ..)) = attributes.first() else {
                continue;
            };
            let given = value(&attributes, "value").unwrap_or_default();
            let kind = value(&attributes, "type").unwrap_or_else(|| "text".to_owned());
            let is_typed = tag == "textarea"
                || (tag == "input" && ["text", "email", "tel", "search"].contains(&&*kind));
            let is_field = ["input", "select", "textarea", "button"].contains(&tag.as_str());
            match value(&attributes, "name").filter(|_| is_field) {
                Some(name) => fields.push(Field {
                    name,
                    value: given,
                    is_typed,
                }),
                None if tag == "option" => {
                    if let Some(field) = fields.last_mut().filter(|field| field.value.is_empty()) {
                        field.value = given;
                    }
                }
                None => {}
            }
        }
        Some(Form { action, fields })
    };
    let forms = html.split("<form ").skip(1).filter_map(form);
    forms
        .filter(|form| form.action.starts_with("/form/"))
        .collect()
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
                    browser.misses(&path_of(answer.location()), &[CARD]).await;
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
    // The start page of a demo breaks Salesforce
    hotel.sandbox().clear_faults();
    send_forms(&guest, &guest_pages, &mut sent).await;
    send_forms(&staff, &staff_pages, &mut sent).await;
    for form in [
        "add_note",
        "ask",
        "concierge_say",
        "make_token",
        "new_case",
        "new_guest",
        "register",
        "send_code",
    ] {
        assert!(sent.contains(form), "{form} is not in {sent:?}");
    }
    // An emergency is never refused, and is stored at once; its token is kept as a digest
    let digits: String = CARD.split(' ').collect();
    let help = [
        ("text", "Help, fire! 5105 1051 0510 5100"),
        ("idempotency_token", &digits),
    ];
    guest.send("/form/concierge_say", &help).await;
    guest.send("/form/concierge_say", &help).await;
    // So is that of a tool call, which is found again by it
    let email = "manager@dewy.example";
    let api = Rest::new(
        &hotel.url(""),
        "staff",
        &hotel.token(Persona::Staff, email).await,
    );
    let mcp = hotel.staff_mcp(email).await;
    let charge = json!({ "room_number": "302", "amount": 500, "description": "Laundry" });
    let tool = "post_charge";
    let (posted, again) = (
        api.call(tool, Some(&digits), &charge).await,
        api.call(tool, Some(&digits), &charge).await,
    );
    assert_eq!(
        (posted.status, again.status),
        (201, 201),
        "{posted:?} {again:?}"
    );
    assert!(again.body["replayed"] == true, "{again:?}");
    let by_token = json!({ "idempotency_token": digits });
    let found = api.call("get_execution", None, &by_token).await;
    let execution = &found.body["data"]["execution_id"];
    assert_eq!(*execution, posted.body["execution_id"], "{found:?}");
    let mut charge = charge;
    charge["idempotency_token"] = json!(digits);
    let joined = mcp.call(Era::Modern, tool, charge).await;
    assert_eq!(
        joined["structuredContent"]["execution_id"], *execution,
        "{joined}"
    );

    let environment = hotel.environment();
    let _folder = hotel.close_and_keep().await;
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
