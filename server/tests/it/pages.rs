//! Pages as a browser without scripts sees them, and their headers.

mod attention;
mod boards;
mod bookings;
mod charges_and_refunds;
mod check_in;
mod check_out;
mod compensations;
mod concierge;
mod data_age;
mod deserted_rooms;
mod execution_records;
mod guests_without_email;
mod holds;
mod home;
mod housekeeping_and_maintenance;
mod prerendering;
mod public;
mod saved_views;
mod sign_in;
mod theme_and_language;
mod unknown_addresses;
mod walk_in;

use futures::StreamExt;

use crate::prelude::*;

#[tokio::test]
async fn every_response_has_security_headers() {
    let hotel = TestHotel::open().await;
    let browser = hotel.browser();
    let first = browser.open("/guest/sign-in").await;
    let second = browser.open("/guest/sign-in").await;
    assert_eq!(first.status, 200);
    let policy = first.header("content-security-policy");
    assert!(
        policy.contains("script-src 'nonce-") && policy.contains("'wasm-unsafe-eval'"),
        "{policy}"
    );
    assert!(
        policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe-inline"),
        "{policy}"
    );
    assert_ne!(
        policy,
        second.header("content-security-policy"),
        "a nonce is used once"
    );
    for (path, status) in [
        ("/guest/sign-in", 200),
        ("/no/such/page", 404),
        ("/healthz", 200),
        (dewy_app::STYLE_PATH.as_str(), 200),
        ("/mcp/guest", 401),
    ] {
        let page = browser.open(path).await;
        assert_eq!(page.status, status, "{path}");
        assert_eq!(page.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(page.header("referrer-policy"), "same-origin", "{path}");
        assert!(
            page.header("content-security-policy")
                .contains("frame-ancestors 'none'"),
            "{path}"
        );
        assert!(!page.header("x-request-id").is_empty(), "{path}");
    }
    let css = browser.open(&dewy_app::STYLE_PATH).await;
    assert!(css.header("content-type").starts_with("text/css") && !css.text.is_empty());
    assert!(css.header("cache-control").contains("immutable"));
    assert!(
        first.text.contains(dewy_app::STYLE_PATH.as_str()),
        "pages ask for this very style"
    );
    assert_eq!(
        browser.open("/favicon.svg").await.header("content-type"),
        "image/svg+xml"
    );
    let signed_in = browser.guest(BETH).await;
    let folio = signed_in.open("/guest/folio").await;
    assert_eq!(folio.header("cache-control"), "no-store");
    folio.has(&["$250.00", "302"]);
}

#[tokio::test]
async fn behind_https_every_cookie_is_secure() {
    let hotel = TestHotel::with(&[("PUBLIC_URL", "https://hotel.example")]).await;
    let bound = format!("http://{}", hotel.server.address);
    let send = |origin: &'static str| {
        crate::fake_dispatcher::client()
            .post(format!("{bound}/form/send_code"))
            .header("origin", origin)
            .form(&[("email", BETH), ("next", "")])
            .send()
    };
    let page = format!("{bound}/guest/sign-in");
    let page = crate::fake_dispatcher::client().get(page).send();
    let answer = send("https://hotel.example").await.unwrap();
    for answer in [page.await.unwrap().headers(), answer.headers()] {
        let cookies = answer.get_all("set-cookie").iter();
        let cookies: Vec<&str> = cookies.map(|one| one.to_str().unwrap()).collect();
        assert!(!cookies.is_empty());
        assert!(
            cookies.iter().all(|one| one.ends_with("; Secure")),
            "{cookies:?}"
        );
    }
    let cookie = answer.headers()["set-cookie"].to_str().unwrap().to_owned();
    for part in [
        "dewy_session=",
        "HttpOnly",
        "SameSite=Lax",
        "Secure",
        "Path=/",
    ] {
        assert!(cookie.contains(part), "{part} in {cookie}");
    }
    assert_eq!(
        send("https://hotel.example.evil.example")
            .await
            .unwrap()
            .status(),
        403
    );
}

#[tokio::test]
async fn a_check_out_form_is_followed_by_events() {
    let hotel = TestHotel::open().await;
    let browser = hotel.browser().guest(BETH).await;
    let confirm = browser.open("/guest/check-out").await;
    assert_eq!(confirm.status, 200, "{}", confirm.location());
    let fields = hidden_fields(&confirm.text);
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    let sent = browser.send("/form/check_out", &fields).await;
    assert!(
        sent.location().contains("/guest/execution/exe_"),
        "{} {} {fields:?}",
        sent.status,
        sent.location()
    );
    let path = path_of(sent.location());

    let mut stream = crate::fake_dispatcher::client()
        .get(hotel.url(&format!("{path}/events")))
        .header(
            "cookie",
            format!("dewy_session={}", browser.cookie().unwrap()),
        )
        .send()
        .await
        .unwrap();
    assert_eq!(stream.status(), 200);
    assert!(
        stream.headers()["content-type"]
            .to_str()
            .unwrap()
            .starts_with("text/event-stream")
    );
    let mut text = String::new();
    let whole = async {
        while let Some(chunk) = stream.chunk().await.unwrap() {
            text.push_str(&String::from_utf8_lossy(&chunk));
        }
    };
    tokio::time::timeout(Duration::from_secs(15), whole)
        .await
        .expect("the stream ends when the execution is at rest");
    let last: Value = text
        .lines()
        .filter_map(|l| l.strip_prefix("data: "))
        .filter_map(|l| serde_json::from_str(l).ok())
        .next_back()
        .unwrap();
    assert_eq!(last["state"], "completed", "{last}");
    assert_eq!(last["money"]["captured"], 25000);
    browser.sees(&path, &["$250.00"]).await;

    // Nobody else may look.
    let other = hotel.browser().guest("wei.chen@example.com").await;
    let cookie = format!("dewy_session={}", other.cookie().unwrap());
    let refused = crate::fake_dispatcher::client()
        .get(hotel.url(&format!("{path}/events")))
        .header("cookie", cookie)
        .send()
        .await
        .unwrap();
    assert_eq!(refused.status(), 404);
    assert_eq!(hotel.get(&format!("{path}/events")).await.status(), 401);
    let desk = hotel.browser().staff("frontdesk@dewy.example").await;
    let id = path.rsplit('/').next().unwrap();
    let record = desk.open(&format!("/staff/executions/{id}")).await;
    assert_eq!(record.status, 200);
    assert!(record.text.contains(BETH), "{}", record.text);
}

/// Hidden inputs, and of radio buttons the chosen one.
pub fn hidden_fields(html: &str) -> Vec<(String, String)> {
    form_fields(html, "check_out")
}

/// Fields of one of our forms that nobody types, as the page has them.
pub fn form_fields(html: &str, form: &str) -> Vec<(String, String)> {
    let form = html
        .split("<form")
        .find(|page| page.contains(&format!("/form/{form}\"")))
        .expect("the page has the form");
    let form = form.split("</form>").next().unwrap();
    let value = |tag: &str, name: &str| {
        let at = tag.find(&format!(" {name}=\""))? + name.len() + 3;
        tag[at..].split('"').next().map(ToOwned::to_owned)
    };
    form.split("<input")
        .skip(1)
        .filter_map(|tag| tag.split('>').next())
        .filter(|tag| {
            tag.contains("type=\"hidden\"")
                || (tag.contains("type=\"radio\"") && tag.contains(" checked"))
        })
        .filter_map(|tag| Some((value(tag, "name")?, value(tag, "value").unwrap_or_default())))
        .collect()
}

#[tokio::test]
async fn streams_end_at_shutdown() {
    let hotel = TestHotel::with(&[("STRIPE_DEADLINE_SECONDS", "3")]).await;
    hotel
        .fault(
            "stripe",
            "payment_intent_create",
            "timeout_before_effect",
            1,
            30_000,
        )
        .await;
    let browser = hotel.browser().guest(BETH).await;
    let fields = hidden_fields(&browser.open("/guest/check-out").await.text);
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    let path = path_of(browser.send("/form/check_out", &fields).await.location());
    let cookie = format!("dewy_session={}", browser.cookie().unwrap());
    let stream = crate::fake_dispatcher::client()
        .get(hotel.url(&format!("{path}/events")))
        .header("cookie", cookie)
        .send()
        .await
        .unwrap();
    let mut stream = Box::pin(stream.bytes_stream());
    assert!(stream.next().await.is_some());
    let began = Instant::now();
    let (left, ()) = tokio::join!(
        async {
            while stream.next().await.is_some_and(|c| c.is_ok()) {}
            began.elapsed()
        },
        hotel.close()
    );
    assert!(left < Duration::from_secs(5), "{left:?}");
    assert!(
        began.elapsed() < Duration::from_secs(20),
        "{:?}",
        began.elapsed()
    );
}

/// An incomplete record is named on the staff's pages, and no page fails because of it.
#[tokio::test]
async fn incomplete_records_are_named_and_break_no_page() {
    let hotel = TestHotel::open().await;
    let sandbox = hotel.sandbox().clone();
    let state = hotel.state();
    let row = |object: &str, field: &str, value: &str| {
        let rows = state["salesforce"][object].as_array().unwrap();
        rows.iter()
            .find(|row| row[field] == value)
            .unwrap_or_else(|| panic!("{object} {value}"))
            .clone()
    };
    let blank = |object: &str, row: &Value, fields: &[&str]| {
        let fields: Vec<String> = fields.iter().map(|field| (*field).to_owned()).collect();
        sandbox
            .blank(object, row["Id"].as_str(), Some(&fields))
            .unwrap();
    };
    let reserved = row("Booking__c", "Status__c", "Reserved");
    blank(
        "Hotel_Room__c",
        &row("Hotel_Room__c", "Room_Number__c", "204"),
        &["Status__c"],
    );
    blank(
        "Booking__c",
        &reserved,
        &["Check_In_Date__c", "Check_Out_Date__c"],
    );
    let staff = hotel.browser().staff("manager@dewy.example").await;
    for path in [
        "/staff",
        "/staff/rooms",
        "/staff/rooms/204",
        "/staff/tape",
        "/staff/guests",
        "/staff/cases",
    ] {
        let page = staff.open(path).await;
        assert_eq!(page.status, 200, "{path}: {}", page.text);
    }
    let today = staff.open("/staff").await.text;
    let number = reserved["Name"].as_str().unwrap();
    assert!(today.contains("Room 204: status is empty"), "{today}");
    assert!(
        today.contains(&format!("Booking {number}: arrival is empty")),
        "{today}"
    );
    // The bill is shown, and what it lacks is no outage.
    let booking = row("Booking__c", "Name", "BK-0042");
    let opportunity = row(
        "Opportunity",
        "Id",
        booking["Opportunity__c"].as_str().unwrap(),
    );
    blank("Opportunity", &opportunity, &["Amount"]);
    let guest = hotel.browser().guest(BETH).await;
    let folio = guest.open("/guest/folio").await;
    assert_eq!(folio.status, 200, "{}", folio.text);
    folio.has(&["An amount on your bill is not entered yet"]);
}
