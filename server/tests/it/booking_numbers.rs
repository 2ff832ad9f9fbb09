//! Booking numbers in any format that an org chooses work on every page.

use dewy_sandbox::salesforce::{AutoNumberFormat, OrgSettings};

use crate::{pages::hidden_fields, prelude::*, untrusted_text::attributes};

/// Maximum number of pages opened per route.
const OF_EACH: usize = 8;

/// Follows all links; returns the broken ones and the number of pages per route.
async fn follow(browser: &Browser, starts: &[&str]) -> (Vec<String>, BTreeMap<String, usize>) {
    let mut waiting: Vec<(String, String)> = starts
        .iter()
        .map(|start| ((*start).to_owned(), "the start".to_owned()))
        .collect();
    let (mut seen, mut counts, mut faults) = (BTreeSet::new(), BTreeMap::new(), Vec::new());
    while let Some((path, from)) = waiting.pop() {
        let bare = path.split('?').next().unwrap_or_default();
        let parts: Vec<&str> = bare.split('/').collect();
        // `/staff/stays/{number}/move` without the number
        let kind = [
            &parts[..parts.len().min(3)],
            parts.get(4..).unwrap_or_default(),
        ]
        .concat();
        let kind = kind.join("/");
        let count = counts.entry(kind).or_insert(0);
        if *count >= OF_EACH || !seen.insert(path.clone()) {
            continue;
        }
        *count += 1;
        let page = browser.open(&path).await;
        match page.status {
            200 => {}
            303 => waiting.push((path_of(page.location()), path.clone())),
            status => faults.push(format!("{path}, linked on {from}: {status}")),
        }
        if !page.header("content-type").starts_with("text/html") {
            continue;
        }
        for (_, name, to) in attributes(&page.text) {
            let to = to.replace("&amp;", "&");
            if name == "href" && to.starts_with('/') && to.contains(' ') {
                faults.push(format!("{path} links to {to}"));
            }
            let to = to.split('#').next().unwrap_or_default();
            if name == "href" && to.starts_with('/') && !to.starts_with("/pkg/") {
                waiting.push((to.to_owned(), path.clone()));
            }
        }
    }
    (faults, counts)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_accepts_any_booking_number() {
    for format in ["RES/26 #{0000}", "26/{000}", "{0000} A.b_c"] {
        let hotel = TestHotel::open().await;
        let sandbox = hotel.sandbox();
        sandbox.set_org_settings(OrgSettings {
            booking_numbers: format.to_owned(),
            ..OrgSettings::default()
        });
        let number = AutoNumberFormat::read(format).unwrap().number(42);

        let guest = hotel.browser().guest(BETH).await;
        let (faults, counts) = follow(&guest, &["/guest", "/guest/bookings"]).await;
        assert_eq!(faults, [""; 0], "{format}");
        for kind in ["/guest/folio", "/guest/check-out", "/guest/bookings/change"] {
            assert!(counts.contains_key(kind), "{format}: {kind} in {counts:?}");
        }
        for (email, kind) in [(WEI, "/guest/folio"), (SARAH, "/guest/check-in")] {
            let guest = hotel.browser().guest(email).await;
            let (faults, counts) = follow(&guest, &["/guest", "/guest/bookings"]).await;
            assert_eq!(faults, [""; 0], "{format}");
            assert!(counts.contains_key(kind), "{format}: {kind} in {counts:?}");
        }

        let desk = hotel.browser().staff("manager@dewy.example").await;
        let note = [
            ("booking_number", number.as_str()),
            ("body", "Late arrival"),
            ("idempotency_token", "note"),
        ];
        let noted = desk.send("/form/add_note", &note).await;
        let stay = path_of(noted.location());
        let page = desk.open(&stay).await;
        assert_eq!(page.status, 200, "{format}: {stay}");
        assert!(page.text.contains("Late arrival") && page.text.contains(&number));
        let search: String = url::form_urlencoded::byte_serialize(number.as_bytes()).collect();
        let found = format!("/staff/find?q={search}");
        let starts = ["/staff", "/staff/tape", "/staff/charges", &found, &stay];
        let (faults, counts) = follow(&desk, &starts).await;
        assert_eq!(faults, [""; 0], "{format}");
        for kind in [
            "/staff/stays",
            "/staff/stays/move",
            "/staff/stays/check-out",
        ] {
            assert!(counts.contains_key(kind), "{format}: {kind} in {counts:?}");
        }
        desk.sees(&found, &["Beth"]).await;

        // A whole check-out, by form and by number.
        let confirm = guest
            .open(&format!("/guest/check-out?booking={search}"))
            .await;
        let fields = hidden_fields(&confirm.text);
        let fields: Vec<(&str, &str)> = fields
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let sent = guest.send("/form/check_out", &fields).await;
        let execution = path_of(sent.location());
        assert!(
            execution.starts_with("/guest/execution/exe_"),
            "{format}: {execution}"
        );
        let staff = hotel.staff_mcp("manager@dewy.example").await;
        let mut ended = Value::Null;
        for _ in 0..100 {
            let input = json!({ "booking_number": number });
            let list = staff.call(Era::Modern, "search_executions", input).await;
            ended = list["structuredContent"]["data"]["executions"][0].clone();
            if ended["state"] == "completed" {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert!(
            execution.ends_with(ended["execution_id"].as_str().unwrap_or("none")),
            "{format}: {ended}"
        );
        assert_eq!(ended["state"], "completed", "{format}: {ended}");
        hotel.close().await;
    }
}
