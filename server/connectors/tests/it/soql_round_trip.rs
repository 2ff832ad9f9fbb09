//! Any text survives SOQL: it is written to a record, queried through the sandbox's real parser,
//! and found; and nothing else matches.

use dewy_connectors::salesforce::soql;
use proptest::prelude::*;

use crate::{
    prelude::*,
    recorded_soql::{self, Recorded},
};

async fn ask(
    sandbox: &Sandbox,
    method: &str,
    path: &str,
    token: &str,
    body: Vec<u8>,
) -> HttpResponse {
    let headers = vec![
        ("authorization".to_owned(), format!("Bearer {token}")),
        ("content-type".to_owned(), "application/json".to_owned()),
    ];
    let request = HttpRequest {
        method: method.to_owned(),
        url: format!("http://sandbox{path}"),
        headers,
        body,
    };
    recorded_soql::record(&request);
    sandbox.send(request, Duration::from_secs(5)).await.unwrap()
}

async fn token(sandbox: &Sandbox) -> String {
    let request = HttpRequest {
        method: "POST".to_owned(),
        url: "http://sandbox/services/oauth2/token".to_owned(),
        headers: vec![(
            "content-type".to_owned(),
            "application/x-www-form-urlencoded".to_owned(),
        )],
        body: b"grant_type=client_credentials&client_id=c&client_secret=s".to_vec(),
    };
    let response = sandbox.send(request, Duration::from_secs(5)).await.unwrap();
    serde_json::from_slice::<Value>(&response.body).unwrap()["access_token"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn on_virtual_time<T>(what: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap()
        .block_on(what)
}

/// Everything that could end a literal early, and everything else.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z'\\\\\"%_+&#/;()\n\r\t\u{8}\u{c} éß漢🛎]{1,30}",
        any::<String>().prop_map(|text| text.chars().take(40).collect()),
        Just("' OR Name != '".to_owned()),
        Just("\\' OR LastName LIKE '%".to_owned()),
        Just("\\".to_owned()),
    ]
}

async fn last_name_round_trip(name: &str) {
    let sandbox = Sandbox::in_memory(Arc::new(TestClock::new()), 1);
    let token = token(&sandbox).await;
    let body = json!({ "LastName": name }).to_string().into_bytes();
    let made = ask(
        &sandbox,
        "POST",
        "/services/data/v62.0/sobjects/Contact",
        &token,
        body,
    )
    .await;
    assert_eq!(made.status, 201, "{}", String::from_utf8_lossy(&made.body));
    let id = serde_json::from_slice::<Value>(&made.body).unwrap()["id"].clone();
    let query: String = url::form_urlencoded::byte_serialize(
        format!(
            "SELECT Id, LastName FROM Contact WHERE LastName = {}",
            soql::text(name)
        )
        .as_bytes(),
    )
    .collect();
    let found = ask(
        &sandbox,
        "GET",
        &format!("/services/data/v62.0/query?q={query}"),
        &token,
        Vec::new(),
    )
    .await;
    let found: Value = serde_json::from_slice(&found.body).unwrap();
    let ids: Vec<&Value> = found["records"]
        .as_array()
        .unwrap_or_else(|| panic!("{found}"))
        .iter()
        .map(|row| &row["Id"])
        .collect();
    assert_eq!(ids, [&id], "{name:?} in {found}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_name_is_found_again_and_nothing_else(name in any_text().prop_filter("a name has letters", |n| {
        // Salesforce trims text and keeps no empty text; outer white space would be lost in any
        // org.
        !n.trim().is_empty() && n.trim() == n && !n.chars().any(|c| c == '\0')
    })) {
        on_virtual_time(last_name_round_trip(&format!("Zz{name}zZ")));
    }

    #[test]
    fn any_email_finds_its_guest_through_the_connector(local in "[a-z0-9.'!#$%&*+/=?^_`{|}~-]{1,20}") {
        on_virtual_time(async {
            let clock = Arc::new(TestClock::new());
            let sandbox = Sandbox::in_memory(clock.clone(), 1);
            let config = SalesforceConfig::new("http://sandbox", "c", "s".to_owned().into());
            let crm = Salesforce::new(config, Arc::new(Recorded(sandbox.clone())), clock);
            let email = format!("q{local}q@example.com");
            assert_eq!(crm.knows_guest(&email.as_str().into()).await, Outcome::Done(false));
            let body = json!({ "LastName": "Guest", "Email": email }).to_string().into_bytes();
            let made = ask(&sandbox, "POST", "/services/data/v62.0/sobjects/Contact", &token(&sandbox).await, body).await;
            prop_assert_eq!(made.status, 201, "{}", String::from_utf8_lossy(&made.body));
            assert_eq!(crm.knows_guest(&email.as_str().into()).await, Outcome::Done(true), "{email}");
            Ok(())
        })?;
    }

    #[test]
    fn no_text_given_as_an_email_finds_anybody(text in any_text()) {
        on_virtual_time(async {
            let clock = Arc::new(TestClock::new());
            let sandbox = Sandbox::in_memory(clock.clone(), 1);
            let config = SalesforceConfig::new("http://sandbox", "c", "s".to_owned().into());
            let crm = Salesforce::new(config, Arc::new(Recorded(sandbox)), clock);
            assert_eq!(crm.knows_guest(&text.as_str().into()).await, Outcome::Done(false), "{text:?}");
        });
    }
}
